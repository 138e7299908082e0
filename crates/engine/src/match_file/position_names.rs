//! Names of the players of a position in an export for forums: `X:Anna   O:Ben`.

use super::model::LonePosition;
use super::text::clean;
use crate::game::GameState;
use crate::notation::xgid;

/// Returns the sanitised names of the player to decide and of the opponent. X is the player at the bottom of
/// the XGID. X is on roll unless the fourth field is −1.
pub(super) fn players(lines: &[String], state: &GameState) -> Option<Box<[String; 2]>> {
    let [x, o] = lines.iter().find_map(|line| both(line))?;
    let id = lines
        .iter()
        .find_map(|line| Some(&line[xgid::mark(line)?.1..]))?;
    let x_rolls = id.split(':').nth(3)? != "-1";
    // The player who decides about a take is not on roll.
    let x_decides = x_rolls != state.doubled;
    let names = if x_decides { [x, o] } else { [o, x] };
    LonePosition::known_names(names.map(clean))
}

/// Returns the names of X and O in a line.
fn both(line: &str) -> Option<[&str; 2]> {
    // In a reply the quoted text is behind signs.
    let line = line.trim_start_matches(['>', ' ']);
    let (x, o) = line.strip_prefix("X:")?.split_once("  O:")?;
    let names = [x, o].map(str::trim);
    names.iter().all(|name| !name.is_empty()).then_some(names)
}

#[cfg(test)]
mod tests {
    use super::super::read_bytes;

    fn names(id: &str, line: &str) -> Option<[String; 2]> {
        let text = format!("{id}\n\n{line}\nScore is X:0 O:0. Unlimited Game\n");
        let record = read_bytes(text.as_bytes(), "forum.txt").unwrap();
        record.positions[0].players.as_deref().cloned()
    }

    #[test]
    fn the_names_of_a_text_for_forums() {
        let anna_plays = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";
        let line = "X:Anna B.   O:Ben";
        let wanted = |first: &str, second: &str| Some([first.to_owned(), second.to_owned()]);
        assert_eq!(names(anna_plays, line), wanted("Anna B.", "Ben"));
        let quoted = format!("> {line}");
        assert_eq!(names(anna_plays, &quoted), wanted("Anna B.", "Ben"));
        let ben_plays = anna_plays.replace(":1:31:", ":-1:31:");
        assert_eq!(names(&ben_plays, line), wanted("Ben", "Anna B."));
        // Ben decides whether to take Anna's double.
        let ben_is_asked = anna_plays.replace(":31:", ":D:");
        assert_eq!(names(&ben_is_asked, line), wanted("Ben", "Anna B."));
        for nobody in [
            "X:   O:Ben",
            "X:Anna O:Ben",
            "Anna   Ben",
            "X:Player   O:Opponent",
            "X:Player 1   O:Player 2",
        ] {
            assert_eq!(names(anna_plays, nobody), None, "{nobody}");
        }
        let unsafe_name = names(anna_plays, "X:A\u{1b}[31m   O:Ben").unwrap();
        assert!(!unsafe_name[0].contains('\u{1b}'), "{unsafe_name:?}");
    }
}
