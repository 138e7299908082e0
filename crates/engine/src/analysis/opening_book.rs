//! The opening book: first moves and replies from rollouts.
//!
//! The book has five contexts: money play with a centred cube at 1, without and with the Jacoby rule, and
//! three scores at which nobody doubles. At these, gammons count for nobody, only for the player on roll, or
//! only for the opponent. A roll is in the book with all its plays or not at all. Each play was rolled out
//! separately at 1-ply with the cube, with enough trials that half its 95% interval is about 0.005 points, at
//! most 0.0061 (`luckless-lab openings`). `crates/lab/records/openings.md` compares the book with published
//! values.
//!
//! A line of the file is `context, move before, roll, play, equity, standard error, trials`, separated by
//! tabs.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::game::{CubeOwner, GameState, MatchScore, Position, Roll, Rules};
use crate::notation::parse_play;

const TEXT: &str = include_str!("openings.tsv");

static BOOK: LazyLock<OpeningBook> = LazyLock::new(|| OpeningBook::parse(TEXT));

/// The score and the rules of a game in the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpeningContext {
    /// Money play, centred cube at 1.
    Money,
    /// Money play with the Jacoby rule, centred cube at 1.
    MoneyJacoby,
    /// Double match point: both players need one point.
    DoubleMatchPoint,
    /// Crawford game: the player on roll needs two points, the opponent one.
    GammonGo,
    /// Crawford game: the player on roll needs one point, the opponent two.
    GammonSave,
}

impl OpeningContext {
    pub const ALL: [Self; 5] = [
        Self::Money,
        Self::MoneyJacoby,
        Self::DoubleMatchPoint,
        Self::GammonGo,
        Self::GammonSave,
    ];

    /// Returns the name of the context in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::MoneyJacoby => "money with Jacoby",
            Self::DoubleMatchPoint => "double match point",
            Self::GammonGo => "gammon-go",
            Self::GammonSave => "gammon-save",
        }
    }

    /// Returns the context with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.name() == name)
    }

    /// Returns the state of a new game whose player on roll has to play `roll`.
    pub fn state(self, position: Position, roll: Roll) -> GameState {
        let away = |mine: u16, theirs: u16| MatchScore {
            length: 3,
            mover: 3 - mine,
            opponent: 3 - theirs,
            crawford: mine != theirs,
        };
        let score = match self {
            Self::Money | Self::MoneyJacoby => MatchScore::MONEY,
            Self::DoubleMatchPoint => away(1, 1),
            Self::GammonGo => away(2, 1),
            Self::GammonSave => away(1, 2),
        };
        let rules = Rules {
            jacoby: self == Self::MoneyJacoby,
            ..Rules::default()
        };
        GameState {
            score,
            rules,
            roll: Some(roll),
            ..GameState::money(position)
        }
    }

    /// Returns the context of a state, if the book has it.
    fn of(state: &GameState) -> Option<Self> {
        if state.cube != 1 || state.owner != CubeOwner::Centred || state.doubled {
            return None;
        }
        match state.score.away() {
            // Beavers come too late to matter, but it matters whether gammons count without a double.
            None if state.rules.jacoby => Some(Self::MoneyJacoby),
            None => Some(Self::Money),
            Some((1, 1)) => Some(Self::DoubleMatchPoint),
            Some((2, 1)) if state.score.crawford => Some(Self::GammonGo),
            Some((1, 2)) if state.score.crawford => Some(Self::GammonSave),
            Some(_) => None,
        }
    }

    /// Returns the context as seen by the opponent.
    pub fn flipped(self) -> Self {
        match self {
            Self::GammonGo => Self::GammonSave,
            Self::GammonSave => Self::GammonGo,
            same => same,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookPlay {
    /// The position after the play, with the opponent on roll.
    pub result: Position,
    /// Equity in points, normalised to the cube in a match.
    pub equity: f64,
    /// Standard error of the equity.
    pub se: f64,
    /// Number of trials.
    pub trials: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BookLine {
    /// The context, seen by the player on roll.
    pub context: OpeningContext,
    /// The first roll and its play, if this is a reply.
    pub before: Option<(Roll, String)>,
    pub roll: Roll,
    pub play: String,
    /// The position before the play.
    pub position: Position,
    /// The play with its equity.
    pub value: BookPlay,
}

impl BookLine {
    /// Parses a line.
    pub fn parse(line: &str) -> Option<Self> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [context, before, roll, play, equity, se, trials] = columns[..] else {
            return None;
        };
        let context = OpeningContext::named(context)?;
        let opening = Position::opening();
        let (before, position) = match before.split_once(' ') {
            None => (None, opening),
            Some((roll, text)) => {
                let roll: Roll = roll.parse().ok()?;
                let first = parse_play(text, &opening, roll).ok()?;
                (Some((roll, text.to_owned())), first.apply(&opening))
            }
        };
        let roll = roll.parse().ok()?;
        let result = parse_play(play, &position, roll).ok()?.apply(&position);
        let number = |text: &str| text.parse::<f64>().ok().filter(|x| x.is_finite());
        Some(Self {
            context,
            before,
            roll,
            play: play.to_owned(),
            position,
            value: BookPlay {
                result,
                equity: number(equity)?,
                se: number(se)?,
                trials: trials.parse().ok()?,
            },
        })
    }

    /// Returns the line in the form of the file.
    pub fn to_text(&self) -> String {
        let before = self.before.as_ref();
        let before = before.map_or_else(|| "-".to_owned(), |(roll, play)| format!("{roll} {play}"));
        let BookPlay {
            equity, se, trials, ..
        } = self.value;
        let (context, roll) = (self.context.name(), self.roll);
        let play = &self.play;
        format!("{context}\t{before}\t{roll}\t{play}\t{equity:+.5}\t{se:.5}\t{trials}")
    }
}

/// The plays of the book by position, roll and context.
#[derive(Debug, Default)]
pub struct OpeningBook(HashMap<(Position, Roll, OpeningContext), Vec<BookPlay>>);

impl OpeningBook {
    fn parse(text: &str) -> Self {
        let mut book = Self::default();
        for line in text.lines().filter_map(BookLine::parse) {
            let key = (line.position, line.roll, line.context);
            book.0.entry(key).or_default().push(line.value);
        }
        for plays in book.0.values_mut() {
            plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
        }
        book
    }

    /// Returns the embedded book.
    pub fn bundled() -> &'static Self {
        &BOOK
    }

    /// Returns the plays in the book for the roll of `state`, best first; empty if the book lacks them.
    pub fn plays(&self, state: &GameState) -> &[BookPlay] {
        let found = || {
            let context = OpeningContext::of(state)?;
            self.0.get(&(state.position, state.roll?, context))
        };
        found().map_or(&[], Vec::as_slice)
    }

    /// Returns the play to `result` for the roll of `state`, if the book contains it.
    pub fn play(&self, state: &GameState, result: &Position) -> Option<&BookPlay> {
        self.plays(state).iter().find(|play| play.result == *result)
    }
}

/// Returns the lines of the embedded book, in order.
pub fn lines() -> Vec<BookLine> {
    TEXT.lines().filter_map(BookLine::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_book_is_read_and_written_again() {
        let text = TEXT;
        let lines = lines();
        assert_eq!(lines.len(), text.lines().count());
        for (line, text) in lines.iter().zip(text.lines()) {
            assert_eq!(line.to_text(), text);
            let BookPlay { se, trials, .. } = line.value;
            assert!(0.0 < se && se <= 0.0031 && trials >= 1296, "{text}");
        }
        // Every first roll has its plays.
        let book = OpeningBook::bundled();
        for roll in Roll::ALL.into_iter().filter(|roll| !roll.is_double()) {
            for context in OpeningContext::ALL {
                let state = context.state(Position::opening(), roll);
                assert!(!book.plays(&state).is_empty(), "{context:?} {roll}");
            }
        }
    }

    #[test]
    fn the_five_point_is_made() {
        let roll = Roll::new(3, 1).unwrap();
        let state = OpeningContext::Money.state(Position::opening(), roll);
        let best = OpeningBook::bundled().plays(&state)[0];
        let play = parse_play("8/5 6/5", &state.position, roll).unwrap();
        assert_eq!(best.result, play.apply(&state.position));
        assert!(best.equity > 0.1);
        let found = OpeningBook::bundled().play(&state, &best.result);
        assert_eq!(found, Some(&best));
    }

    #[test]
    fn other_states_are_not_in_the_book() {
        let roll = Roll::new(3, 1).unwrap();
        let money = OpeningContext::Money.state(Position::opening(), roll);
        let others = [
            GameState { cube: 2, ..money },
            GameState {
                owner: CubeOwner::Mover,
                ..money
            },
            money.before_roll(),
            GameState {
                position: Position::opening().flipped(),
                roll: Roll::new(1, 1),
                ..money
            },
        ];
        for state in others {
            assert_eq!(OpeningBook::bundled().plays(&state), &[]);
        }
        for context in OpeningContext::ALL {
            let state = context.state(Position::opening(), roll);
            assert_eq!(OpeningContext::of(&state), Some(context));
            assert_eq!(OpeningContext::named(context.name()), Some(context));
            assert_eq!(context.flipped().flipped(), context);
        }
    }

    #[test]
    fn malformed_lines_are_refused() {
        for text in [
            "",
            "money",
            "money\t-\t31\t8/5 6/4\t0.1\t0.01\t1296",
            "money\t-\t31\t8/5 6/5\tnan\t0.01\t1",
        ] {
            assert_eq!(BookLine::parse(text), None, "{text}");
        }
        let reply = "money\t31 8/5 6/5\t21\t24/23 13/11\t-0.20000\t0.00250\t12960";
        let line = BookLine::parse(reply).unwrap();
        assert_eq!(line.to_text(), reply);
        assert!(line.before.is_some() && line.position != Position::opening());
    }
}
