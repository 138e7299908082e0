//! The theme and the characters in use.

use super::App;
use crate::store::settings::GlyphSet;
use crate::tui::theme::Theme;
use crate::tui::windows::overlay::Overlay;

impl App {
    /// The characters in use: those of the settings; where they name none, those that suit this terminal.
    pub fn glyphs(&self) -> GlyphSet {
        match self.settings.glyphs {
            GlyphSet::Auto => self.usual_glyphs,
            chosen => chosen,
        }
    }

    /// The theme in use; while the settings or the list of themes are open, the one chosen there.
    pub fn theme(&self) -> &Theme {
        if let Some(Overlay::Themes { row }) = &self.overlay
            && let Some(theme) = self.themes.get(*row)
        {
            return theme;
        }
        let tried = match &self.overlay {
            Some(Overlay::Form(form)) if form.is_of_all() => Some(&form.values.theme),
            _ => None,
        };
        let tried = tried.and_then(|name| self.theme_named(name));
        &self.themes[tried.unwrap_or(self.theme).min(self.themes.len() - 1)]
    }

    /// Chooses a theme by name, or by no name the one that suits this terminal; answers whether there is one.
    pub fn choose_theme(&mut self, name: &str) -> bool {
        let found = self.theme_named(name);
        self.theme = found.unwrap_or(self.theme);
        found.is_some()
    }

    /// Says what is wrong with the themes, the first in sight, in place of what was wrong when they were read before: a
    /// file that was mended since is complained of no more.
    pub fn report_themes(&mut self, warnings: &[String]) {
        let before = std::mem::take(&mut self.theme_warnings);
        self.log.retain(|known| !before.contains(known));
        self.status = self
            .status
            .take()
            .filter(|status| !before.contains(&status.text));
        for warning in warnings.iter().rev() {
            self.report(warning.as_str());
            self.theme_warnings.extend(self.log.last().cloned());
        }
    }

    /// The place of a theme in the list. No name is that of the one that suits this terminal.
    fn theme_named(&self, name: &str) -> Option<usize> {
        let name = if name.is_empty() {
            &self.usual_theme
        } else {
            name
        };
        self.themes.iter().position(|theme| theme.name == name)
    }
}
