//! The current theme and characters.

use super::App;
use crate::store::settings::GlyphSet;
use crate::tui::keys::ActionId;
use crate::tui::theme::Theme;
use crate::tui::windows::overlay::Overlay;

impl App {
    /// The current characters: those of the settings, or else those that suit the terminal.
    pub fn glyphs(&self) -> GlyphSet {
        match self.settings.glyphs {
            GlyphSet::Auto => self.usual_glyphs,
            chosen => chosen,
        }
    }

    /// The current theme; in the settings and the theme list, the one selected there.
    pub fn theme(&self) -> &Theme {
        let overlay = self.overlay.as_ref();
        let row = overlay.and_then(|window| window.row_of_list(ActionId::Themes));
        if let Some(theme) = row.and_then(|row| self.themes.get(row)) {
            return theme;
        }
        let tried = match &self.overlay {
            Some(Overlay::Form(form)) if form.is_of_all() => Some(&form.values.theme),
            _ => None,
        };
        let tried = tried.and_then(|name| self.theme_named(name));
        &self.themes[tried.unwrap_or(self.theme).min(self.themes.len() - 1)]
    }

    /// Selects a theme by name; an empty name selects the one that suits the terminal. Returns whether it exists.
    pub fn choose_theme(&mut self, name: &str) -> bool {
        let found = self.theme_named(name);
        self.theme = found.unwrap_or(self.theme);
        found.is_some()
    }

    /// Shows the first warning about themes and replaces the warnings of the previous reading, because files may have
    /// been repaired.
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

    /// Index of a theme. An empty name stands for the one that suits the terminal.
    fn theme_named(&self, name: &str) -> Option<usize> {
        let name = if name.is_empty() {
            &self.usual_theme
        } else {
            name
        };
        self.themes.iter().position(|theme| theme.name == name)
    }
}
