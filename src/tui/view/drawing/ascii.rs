//! The screen in the characters of ASCII alone, for terminals and fonts that have no others.

use ratatui::buffer::{Buffer, Cell};

/// Characters, and what stands for each of them.
const PAIRS: &[(&str, char)] = &[
    ("─╌┄┈╴╶╼╾–—−‾", '-'),
    ("━╸", '~'),
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

/// Puts a character of ASCII in the place of each other one; two, `+-` and `..`, where there is room for them.
pub(crate) fn replace(buffer: &mut Buffer) {
    let width = usize::from(buffer.area.width).max(1);
    for row in buffer.content.chunks_mut(width) {
        for at in 0..row.len() {
            match row[at].symbol() {
                "±" => spread(row, at),
                "…" => ellipsis(row, at),
                _ => {}
            }
        }
        for cell in row {
            let symbol = cell.symbol();
            if !symbol.is_ascii() {
                let sign = symbol.chars().next().map_or(' ', ascii);
                cell.set_char(sign);
            }
        }
    }
}

/// Writes `+-` where `±` stands. What is beside it keeps its distance, unless the row is full.
fn spread(row: &mut [Cell], at: usize) {
    let sign = ['+', '-'];
    if is_blank(row, at + 1) {
        return put(row, at, sign);
    }
    if is_gap(row, at.wrapping_sub(2)) {
        return put(row, at - 1, sign);
    }
    if make_room(row, at) {
        put(row, at, sign);
    } else if is_blank(row, at.wrapping_sub(1)) {
        put(row, at - 1, sign);
    }
}

/// Writes `..` where `…` stands: one dot would end a sentence. A word that is cut loses one letter more.
fn ellipsis(row: &mut [Cell], at: usize) {
    let sign = ['.', '.'];
    if is_gap(row, at + 1) {
        return put(row, at, sign);
    }
    let before = at.wrapping_sub(1);
    let is_cut = row
        .get(before)
        .and_then(|cell| cell.symbol().chars().next());
    if is_gap(row, at.wrapping_sub(2)) || is_cut.is_some_and(char::is_alphanumeric) {
        return put(row, before, sign);
    }
    if make_room(row, at) {
        put(row, at, sign);
    }
}

/// Two signs in the look of the one at either place.
fn put(row: &mut [Cell], at: usize, signs: [char; 2]) {
    let is_blank = is_blank(row, at);
    let look = row[at + usize::from(is_blank)].clone();
    for (cell, sign) in row[at..].iter_mut().zip(signs) {
        *cell = look.clone();
        cell.set_char(sign);
    }
}

fn is_blank(row: &[Cell], at: usize) -> bool {
    let symbol = row.get(at).map(Cell::symbol);
    symbol.is_some_and(|symbol| symbol.chars().all(|sign| sign == ' ' || sign == '\u{A0}'))
}

/// Whether two cells are blank: with one of them filled, what is on both sides still stands apart.
fn is_gap(row: &[Cell], at: usize) -> bool {
    is_blank(row, at) && is_blank(row, at.wrapping_add(1))
}

/// Moves what stands at `at` and behind it by a column, up to the next gap; answers whether there is one before the
/// next line of a frame.
fn make_room(row: &mut [Cell], at: usize) -> bool {
    let is_frame = |cell: &Cell| {
        cell.symbol()
            .starts_with(|c: char| ('\u{2500}'..='\u{257F}').contains(&c))
    };
    let end = (at + 1..row.len())
        .take_while(|&i| !is_frame(&row[i]))
        .find(|&i| is_gap(row, i));
    let Some(end) = end else {
        return false;
    };
    row[at..=end].rotate_right(1);
    true
}

/// The ASCII character for another one: a letter itself, if only the accent behind it is none of ASCII.
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
    use crate::tui::screen::legend::SIGNS;
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

    /// Signs of the legend stay different; the two dots of `…` need a free column.
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

    /// A row of 40 columns, replaced.
    fn plain(row: &str) -> String {
        let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 40, 1));
        buffer.set_string(0, 0, row, ratatui::style::Style::default());
        replace(&mut buffer);
        text(&buffer).trim_end().to_owned()
    }

    #[test]
    fn two_signs_take_no_room_from_their_neighbours() {
        for (row, expected) in [
            (
                "better by 0.131 ± 0.081 (95%)",
                "better by 0.131 +-0.081 (95%)",
            ),
            ("equity   diff  ±95", "equity   diff +-95"),
            (
                "-0.949 ±.039 7/2   -0.957 ±.035 8/3",
                "-0.949 +-.039 7/2  -0.957 +-.035 8/3",
            ),
            ("│ ±95    half │", "| +-95   half |"),
            // A full row: the figures can be read, and the frame stays.
            ("│ -0.949 ±.039 7/2 │", "| -0.949+-.039 7/2 |"),
            ("the pane has the…", "the pane has the.."),
            ("│ the pane has the… │", "| the pane has th.. |"),
            ("(1-ply, 308 …): -0.949", "(1-ply, 308 ..): -0.949"),
            ("·  ·  …  ?!", ".  .  .. ?!"),
        ] {
            assert_eq!(plain(row), expected);
        }
    }

    /// The lines of a chart differ without colours: luck, skill, the zero line and the turn in view.
    #[test]
    fn the_lines_of_a_chart_have_signs_of_their_own() {
        let mut bench = TestApp::new(Depth::True);
        bench.app.usual_glyphs = GlyphSet::Ascii;
        let screen = text(&bench.draw(80, 24));
        // Without its title and its labels.
        let rows = screen.lines().rev().skip(1).take(5);
        let chart: String = rows.flat_map(|row| row.chars().skip(7).take(60)).collect();
        for sign in ['*', 's', '|', '-'] {
            assert!(chart.contains(sign), "{sign}\n{screen}");
        }
        bench.app.settings.glyphs = GlyphSet::Quadrants;
        assert!(
            !text(&bench.draw(80, 24)).is_ascii(),
            "the setting overrules"
        );
    }

    #[test]
    fn names_keep_their_letters() {
        assert_eq!(plain("Bénédicte"), "Benedicte");
        assert_eq!(plain("Be\u{301}ne\u{301}dicte"), "Benedicte");
        assert_eq!(plain("Édouard Ça Ñandú Weiß"), "Edouard Ca Nandu Weis");
        assert_eq!(plain("Łukasz Žižek Şenol"), "Lukasz Zizek Senol");
        assert_eq!(plain("望月"), "? ?");
    }
}
