//! The words of the filter language, for the book and completion.

use crate::review::{CubeErrorKind, PositionType};

/// A word of the filter language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilterKey {
    pub name: &'static str,
    pub written: &'static str,
    /// Its meaning and units.
    pub about: &'static str,
}

/// All words, in the order of the book.
pub const KEYS: [FilterKey; 47] = {
    const fn key(name: &'static str, written: &'static str, about: &'static str) -> FilterKey {
        FilterKey {
            name,
            written,
            about,
        }
    }
    const fn alone(kind: CubeErrorKind, about: &'static str) -> FilterKey {
        key(kind.filter(), kind.filter(), about)
    }
    [
        key(
            "player",
            "player:anna player=\"anna k\"",
            "the player who decides: a part of the name, with `=` the whole name",
        ),
        key(
            "opponent",
            "opponent:ben,clara opponent=ben",
            "the other player, in the same way",
        ),
        key("me", "me", "your decisions (`library me` sets your names)"),
        key(
            "event",
            "event:\"club evening\" event=\"club open\"",
            "a part of the event's name, with `=` the whole name",
        ),
        key(
            "date",
            "date:2026 date>=2026-03 date:2025..2026-06",
            "the day of the match; a year or a month includes all its days",
        ),
        key(
            "match",
            "match:17",
            "the number of the match in the library",
        ),
        key(
            "length",
            "length:7 length>=5",
            "points the match is played to; 0 for money",
        ),
        key("pr", "pr>8", "the PR in this match"),
        key("won", "won", "matches won"),
        key("lost", "lost", "matches lost"),
        key(
            "class",
            "class:checker,take",
            "`checker`, `double` (doubled or not), `take` (taken or passed), `cube` (both)",
        ),
        key("checker", "checker", "checker plays"),
        key(
            "cube",
            "cube cube:2 cube>=4",
            "alone: cube decisions; with a number: the value of the cube",
        ),
        key("double", "double", "doubles, given or not"),
        key("take", "take", "answers to doubles"),
        key(
            "kind",
            "kind:blitz,holding",
            "the kind of position: `opening`, `middle`, `blitz`, `priming`, `holding`, `ace-point`, `back`, `contact-bearoff`, `race`, `bearoff`",
        ),
        key("race", "race", "no contact left"),
        key("contact", "contact", "the others"),
        key(
            "error",
            "error>0.05 error:0.02..0.1",
            "size of the error in points, normalised to the cube (EMG), rounded to thousandths",
        ),
        key(
            "loss",
            "loss>1",
            "the same as a chance to win the match, in percent; not for money",
        ),
        key(
            "mark",
            "mark:blunder,error",
            "`fine`, `doubtful` (from 0.020), `error` (0.040), `blunder` (0.080); the cost is rounded to thousandths first",
        ),
        key("blunder", "blunder", "blunders"),
        alone(
            CubeErrorKind::MissedDouble,
            "rolled where doubling was right, from 0.020 points; so for all such errors",
        ),
        alone(CubeErrorKind::EarlyDouble, "doubled too early"),
        alone(
            CubeErrorKind::TooGoodDouble,
            "doubled where playing on for a gammon was right",
        ),
        alone(
            CubeErrorKind::WrongTake,
            "took or beavered where passing was right",
        ),
        alone(CubeErrorKind::WrongPass, "passed where taking was right"),
        alone(CubeErrorKind::MissedBeaver, "took where a beaver was right"),
        alone(
            CubeErrorKind::WrongBeaver,
            "beavered where only a take was right",
        ),
        key("dice", "dice:31,66 dice:doubles", "the roll to play"),
        key(
            "score",
            "score:3-5 score:2-* score:money",
            "points needed, then those of the opponent; also `match`, `dmp`, `crawford`, `post-crawford`, `short` (both need two to five), `long` (one needs more)",
        ),
        key(
            "owner",
            "owner:centre",
            "who may double: `own`, `opponent`, `centre`",
        ),
        key(
            "win",
            "win>60",
            "chance to win after the best choice, in percent, cubeless; chances are kept to a hundredth of a percent",
        ),
        key(
            "gammon",
            "gammon>=30",
            "chance to win a gammon or more, in percent",
        ),
        key(
            "backgammon",
            "backgammon>2",
            "chance to win a backgammon, in percent",
        ),
        key(
            "lose-gammon",
            "lose-gammon>25",
            "chance to lose a gammon or more, in percent",
        ),
        key(
            "lose-backgammon",
            "lose-backgammon>1",
            "chance to lose a backgammon, in percent",
        ),
        key("pips", "pips<100", "pips"),
        key("opponent-pips", "opponent-pips<100", "pips of the opponent"),
        key("lead", "lead>10 lead:-5..5", "lead in pips"),
        key(
            "6:2",
            "6:2",
            "two or more checkers on the 6 point; more of these words below",
        ),
        key(
            "swapped",
            "swapped",
            "finds the same with the sides changed, too",
        ),
        key("move", "move<=3", "number of the move in its game"),
        key(
            "played",
            "played:pass played:redouble played:8/5",
            "a part of the play or action as written, with whole numbers: `4/2` does not match 24/21; a redouble is a double too, and `double` does not match *no double*",
        ),
        key(
            "best",
            "best:\"too good\" best:pass",
            "a part of the best choice, in the same way; with `missed-double`, `best:pass` finds the missed cashes",
        ),
        key("ply", "ply>=2", "plies of lookahead of the figures"),
        key(
            "note",
            "note note:timing",
            "alone: decisions with a note of yours; else a part of the note",
        ),
    ]
};

/// Returns the table of the book in Markdown.
pub fn manual() -> String {
    let mut text = "| for example | what it asks for |\n| --- | --- |\n".to_owned();
    for key in KEYS {
        text += &format!("| `{}` | {} |\n", key.written, key.about);
    }
    text
}

impl FilterKey {
    /// Name of the word, with its operator if that is required: `kind:`.
    pub fn start(&self) -> &'static str {
        let sign = self.written.strip_prefix(self.name).and_then(|rest| {
            let sign = rest.chars().next()?;
            [':', '<', '>', '=']
                .contains(&sign)
                .then_some(sign.len_utf8())
        });
        &self.written[..self.name.len() + sign.unwrap_or(0)]
    }
}

/// Returns the last word of a filter being typed.
fn last_word(text: &str) -> &str {
    let last = text.rsplit(' ').next().unwrap_or_default();
    last.trim_start_matches('!')
}

/// Returns the words that complete the last word of a filter.
pub fn completions(text: &str) -> Vec<&'static FilterKey> {
    let last = last_word(text);
    let fits = |key: &&FilterKey| {
        let start = key.start();
        !last.is_empty() && start.starts_with(last) && start != last
    };
    KEYS.iter().filter(fits).collect()
}

/// Returns the key of the last word of a filter if its value is still missing.
pub fn begun(text: &str) -> Option<&'static FilterKey> {
    let last = last_word(text);
    // These also accept `=`, for a whole name.
    let last = match last.strip_suffix('=') {
        Some(name @ ("player" | "opponent")) => &format!("{name}:"),
        _ => last,
    };
    let is_begun = |key: &&FilterKey| key.start() == last && last != key.name;
    KEYS.iter().find(is_begun)
}

/// Returns completions of the last value of a filter: kinds of position.
pub fn value_completions(text: &str) -> Vec<&'static str> {
    let Some(values) = last_word(text).strip_prefix("kind:") else {
        return Vec::new();
    };
    let last = last_value(values);
    let fits = |kind: &&str| !last.is_empty() && kind.starts_with(last) && *kind != last;
    PositionType::ALL
        .map(PositionType::filter)
        .into_iter()
        .filter(fits)
        .collect()
}

/// Returns the last of the values separated by commas.
fn last_value(values: &str) -> &str {
    values.rsplit(',').next().unwrap_or_default()
}

/// Returns the missing rest of the first completion of a filter's last word or value; `None` without a completion.
pub fn completion(text: &str) -> Option<&'static str> {
    let last = last_word(text);
    match completions(text).first() {
        Some(first) => first.start().strip_prefix(last),
        None => {
            let (_, values) = last.split_once(':')?;
            value_completions(text)
                .first()?
                .strip_prefix(last_value(values))
        }
    }
}
