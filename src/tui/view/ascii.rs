//! The screen in the characters of ASCII alone, for terminals and fonts that have no others.

use ratatui::buffer::Buffer;

/// Characters, and what stands for each of them.
const PAIRS: &[(&str, char)] = &[
    ("─╌┄┈╴╶╼╾–—−‾", '-'),
    ("━", '~'),
    ("═≈", '='),
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
    ("✗×", 'x'),
    ("·…", '.'),
    ("±", '-'),
    ("≥", '>'),
    ("≤", '<'),
    ("▫□■", '#'),
    ("◆◇", '@'),
    ("◦", 'o'),
    ("¶", 'P'),
    ("§", 'S'),
    ("¿", '%'),
    ("’‘", '\''),
    ("“”", '"'),
    // Letters of names.
    ("áàâäãåāăąæ", 'a'),
    ("ÁÀÂÄÃÅĀĂĄÆ", 'A'),
    ("çćčĉ", 'c'),
    ("ÇĆČĈ", 'C'),
    ("ďđð", 'd'),
    ("ĎĐÐ", 'D'),
    ("éèêëēėęě", 'e'),
    ("ÉÈÊËĒĖĘĚ", 'E'),
    ("ğģĝ", 'g'),
    ("ĞĢĜ", 'G'),
    ("íìîïīįı", 'i'),
    ("ÍÌÎÏĪĮİ", 'I'),
    ("ķ", 'k'),
    ("Ķ", 'K'),
    ("łļľĺ", 'l'),
    ("ŁĻĽĹ", 'L'),
    ("ñńňņ", 'n'),
    ("ÑŃŇŅ", 'N'),
    ("óòôöõøōőœ", 'o'),
    ("ÓÒÔÖÕØŌŐŒ", 'O'),
    ("řŕ", 'r'),
    ("ŘŔ", 'R'),
    ("śšşșß", 's'),
    ("ŚŠŞȘ", 'S'),
    ("ťţț", 't'),
    ("ŤŢȚ", 'T'),
    ("úùûüūůűųŭ", 'u'),
    ("ÚÙÛÜŪŮŰŲŬ", 'U'),
    ("ýÿ", 'y'),
    ("ÝŸ", 'Y'),
    ("źżž", 'z'),
    ("ŹŻŽ", 'Z'),
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

/// What stands for a character: a letter itself, if only the accent behind it is none of ASCII.
fn ascii(sign: char) -> char {
    if sign.is_ascii() {
        return sign;
    }
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
    use std::collections::HashMap;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::store::settings::GlyphSet;
    use crate::tui::legend::SIGNS;
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

    /// Non-ASCII characters of a text that nothing stands for.
    fn unknown(text: &str) -> String {
        let signs = text.chars().filter(|sign| !sign.is_ascii());
        signs.filter(|&sign| ascii(sign) == '?').collect()
    }

    /// The sources of a folder and of those in it, without this one and those of tests.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path());
        let paths = paths.filter(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap();
            !["ascii", "tests", "testing", "snapshots"].contains(&name)
        });
        paths
            .flat_map(|path| match path.is_dir() {
                true => sources(&path),
                false => vec![path],
            })
            .collect()
    }

    /// Each sign that is drawn has one that stands for it.
    #[test]
    fn every_sign_has_one_of_ascii() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let drawn = ["tui", "review/report", "study"].map(|folder| sources(&src.join(folder)));
        for path in drawn.into_iter().flatten() {
            let source = std::fs::read_to_string(&path).unwrap();
            // The tests of a file stand at its end.
            let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
            assert_eq!(unknown(code), "", "{}", path.display());
        }
    }

    /// Signs of the legend stay different; but text that is cut ends with the dot of a turn without an error.
    #[test]
    fn the_signs_of_the_legend_stay_different() {
        let mut seen: HashMap<String, &str> = HashMap::new();
        for (sign, _) in SIGNS.iter().filter(|(sign, _)| *sign != "…") {
            let plain = sign.chars().map(ascii).collect();
            let other = seen.insert(plain, sign);
            assert_eq!(other, None, "{sign}");
        }
        let zones: Vec<char> = "─━═·".chars().map(ascii).collect();
        assert_eq!(zones, ['-', '~', '=', '.']);
    }

    #[test]
    fn names_keep_their_letters() {
        let plain = |name: &str| {
            let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 40, 1));
            buffer.set_string(0, 0, name, ratatui::style::Style::default());
            replace(&mut buffer);
            text(&buffer).trim_end().to_owned()
        };
        assert_eq!(plain("Bénédicte"), "Benedicte");
        assert_eq!(plain("Be\u{301}ne\u{301}dicte"), "Benedicte");
        assert_eq!(plain("Édouard Ça Ñandú Weiß"), "Edouard Ca Nandu Weis");
        assert_eq!(plain("Łukasz Žižek Şenol"), "Lukasz Zizek Senol");
        assert_eq!(plain("望月"), "? ?");
    }
}
