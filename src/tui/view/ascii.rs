//! The screen in the characters of ASCII alone, for terminals and fonts that have no others.

use ratatui::buffer::Buffer;

/// Characters, and what stands for each of them.
const PAIRS: [(&str, char); 29] = [
    ("─╌┄╴╶╼╾–—−‾━", '-'),
    ("│┊┆╎║┃├┤", '|'),
    ("╭╮╰╯┌┐└┘┬┴┼╞╡", '+'),
    ("●", 'X'),
    ("○", 'O'),
    ("▸►▶→›", '>'),
    ("←‹", '<'),
    ("↑▲△", '^'),
    ("↓▼▾", 'v'),
    ("★", '*'),
    ("╠", '&'),
    ("≈", '='),
    ("✗×", 'x'),
    ("·…", '.'),
    ("±", '-'),
    ("≥", '>'),
    ("≤", '<'),
    ("▫□■◆◇", '#'),
    ("◦", 'o'),
    ("¶", 'P'),
    ("§", 'S'),
    ("¿", '?'),
    ("’‘", '\''),
    ("“”", '"'),
    ("áàâäãåā", 'a'),
    ("éèêëē", 'e'),
    ("íìîïī", 'i'),
    ("óòôöõøō", 'o'),
    ("úùûüūů", 'u'),
];

/// Puts a character of ASCII in the place of each other one; `+-` where there is room for it.
pub(super) fn replace(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width);
    for i in 0..buffer.content.len() {
        let is_spread = buffer.content[i].symbol() == "±";
        if is_spread && i % width > 0 && buffer.content[i - 1].symbol() == " " {
            buffer.content[i - 1].set_char('+');
        }
        let cell = &mut buffer.content[i];
        let symbol = cell.symbol();
        if !symbol.is_ascii() {
            let sign = symbol.chars().next().map_or(' ', ascii);
            cell.set_char(sign);
        }
    }
}

/// What stands for a character.
fn ascii(sign: char) -> char {
    let found = PAIRS.iter().find(|(signs, _)| signs.contains(sign));
    if let Some((_, ascii)) = found {
        return *ascii;
    }
    match sign {
        '\u{2800}' => ' ',
        // Dots of charts: few, or many.
        '\u{2801}'..='\u{28FF}' if (sign as u32 & 0xFF).count_ones() < 4 => '.',
        '\u{2801}'..='\u{28FF}' => ':',
        '\u{2580}'..='\u{259F}' => '#',
        '\u{A0}' => ' ',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use crate::store::settings::GlyphSet;
    use crate::tui::testing::{TestApp, text};
    use crate::tui::theme::Depth;

    /// Whatever is on the screen is ASCII, also the windows and a name with accents.
    #[test]
    fn nothing_but_ascii_reaches_the_screen() {
        let mut bench = TestApp::new(Depth::True);
        bench.app.settings.glyphs = GlyphSet::Ascii;
        assert!(text(&bench.draw(120, 40)).contains("O Benedicte"));
        for (keys, w, h) in [
            ("n j", 120, 40),
            ("?", 120, 40),
            ("tab", 80, 24),
            ("esc E", 80, 24),
            ("esc e", 120, 40),
            ("esc &", 200, 60),
        ] {
            bench.keys(keys);
            let screen = text(&bench.draw(w, h));
            assert!(screen.is_ascii(), "{keys}:\n{screen}");
        }
    }
}
