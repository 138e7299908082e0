//! What of a match is worth asking.

use super::card::StudyCard;
use crate::cube::{CubeChoice, cube_words};
use crate::game::{GameState, Play, Player};
use crate::library::{Answer, Decision, MatchHead};
use crate::match_file::Match;
use crate::notation::{parse_id, parse_play, play_text, xgid_text};
use crate::review::cube::CubeReview;
use crate::review::marks::reaches;
use crate::review::report::{CubeReport, GameReport, MoveReport, Report};
use crate::review::{Class, MatchTurn, TurnReview};

/// A play that was right is asked where the second best gives away less than this, in points.
pub const NEAR: f32 = 0.1;
/// Less than this is no error.
const LEAST: f32 = 0.0005;

/// A decision of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyDecision {
    /// The state, seen by the player who decides: with dice, or before the roll, or with a double to
    /// answer.
    pub state: GameState,
    /// Who decided.
    pub player: Player,
    /// What it is about.
    pub class: Class,
    /// The play that was made, if it was one.
    pub play: Option<Play>,
    /// The same, or the cube action, in words, as in the machine output.
    pub made: String,
    /// Points that it gave away.
    pub cost: f32,
    /// Whether it may be asked though it was right: there was something to decide.
    pub is_close: bool,
    /// Where it comes from.
    pub source: String,
}

impl StudyDecision {
    /// By what it is known: the same decision in another match is the same.
    #[must_use]
    pub fn key(&self) -> String {
        xgid_text(&self.state)
    }

    /// What was done, as players say it.
    #[must_use]
    pub fn made_words(&self) -> &str {
        cube_words(&self.made, &self.state)
    }

    /// As a card without answers.
    #[must_use]
    pub fn card(&self, least: f32) -> StudyCard {
        StudyCard {
            position: self.key(),
            is_error: self.is_error(least),
            made: self.made.clone(),
            cost: self.cost,
            source: self.source.clone(),
            answers: Vec::new(),
        }
    }

    /// Whether it gave away at least so many points.
    #[must_use]
    pub fn is_error(&self, least: f32) -> bool {
        reaches(self.cost, least.max(LEAST))
    }

    /// Whether it was right, and there was something to decide.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.is_close && self.cost < LEAST
    }

    /// A play at a score of its own, by which its key differs from that of another number below 64.
    #[cfg(test)]
    pub(super) fn sample(number: u16, cost: f32) -> Self {
        use crate::game::{MatchScore, Position, Roll};
        let score = MatchScore {
            length: 64,
            mover: number,
            opponent: 0,
            crawford: false,
        };
        Self {
            state: GameState {
                score,
                roll: Roll::new(3, 1),
                ..GameState::money(Position::opening())
            },
            player: Player::Left,
            class: Class::Checker,
            play: None,
            made: String::new(),
            cost,
            is_close: true,
            source: String::new(),
        }
    }

    /// The decision of a card; `None` where its position cannot be read.
    #[must_use]
    pub fn of_card(card: &StudyCard) -> Option<Self> {
        let state = parse_id(&card.position).ok()?;
        let play = state
            .roll
            .and_then(|roll| parse_play(&card.made, &state.position, roll).ok());
        Some(Self {
            player: Player::Left,
            class: class(&state),
            play,
            made: card.made.clone(),
            cost: card.cost,
            is_close: true,
            source: card.source.clone(),
            state,
        })
    }
}

fn class(state: &GameState) -> Class {
    match (state.roll, state.doubled) {
        (Some(_), _) => Class::Checker,
        (None, true) => Class::Take,
        (None, false) => Class::Double,
    }
}

/// `anna – ben, game 2, move 5`.
fn place(players: [&str; 2], game: u32, number: u32) -> String {
    format!(
        "{} – {}, game {game}, move {number}",
        players[0], players[1]
    )
}

/// The decisions of a turn of a match: first the one not to double, then what was done.
#[must_use]
pub fn of_turn(record: &Match, turn: &MatchTurn, review: &TurnReview) -> Vec<StudyDecision> {
    let number = record.games.get(turn.game).map_or(0, |game| game.number);
    let players = record.players.each_ref().map(String::as_str);
    let source = place(players, number, turn.number);
    let state = turn.before.state;
    let cube = |cube: &CubeReview, state: GameState| {
        let choice = cube.choice?;
        Some(StudyDecision {
            player: turn.before.player,
            class: class(&state),
            play: None,
            made: choice.name().to_owned(),
            cost: cube.error?,
            is_close: cube.counts(),
            source: source.clone(),
            state,
        })
    };
    let before = GameState {
        roll: None,
        ..state
    };
    let about_cube = review.cube.as_ref().and_then(|review| cube(review, before));
    let play = turn.played().zip(review.error).map(|(play, cost)| {
        let gap = match &review.candidates[..] {
            [best, second, ..] => best.equity - second.equity,
            _ => f32::MAX,
        };
        StudyDecision {
            state,
            player: turn.before.player,
            class: Class::Checker,
            play: Some(play),
            made: play_text(&state.position, &play),
            cost,
            is_close: gap < NEAR,
            source: source.clone(),
        }
    });
    let play = play.filter(|_| state.roll.is_some() && !review.is_forced());
    about_cube.into_iter().chain(play).collect()
}

/// The decisions of a review that was kept, those of one player if one is named.
#[must_use]
pub fn of_report(report: &Report, whose: Option<Player>) -> Vec<StudyDecision> {
    let players = report.players.each_ref().map(|player| player.name.as_str());
    let mut all = Vec::new();
    for game in &report.games {
        for one in &game.moves {
            let player = Player::from(one.player);
            if whose.is_none_or(|whose| whose == player) {
                let source = place(players, game.number, one.number);
                add_moves(&mut all, report, game, one, &source);
            }
        }
    }
    all
}

fn add_moves(
    all: &mut Vec<StudyDecision>,
    report: &Report,
    game: &GameReport,
    one: &MoveReport,
    source: &str,
) {
    let Some(state) = report.state(game, one) else {
        return;
    };
    if let Some(cube) = &one.cube {
        all.extend(of_cube(cube, one, state, source));
    }
    let Some((roll, cost)) = state.roll.zip(one.error) else {
        return;
    };
    let Some(made) = &one.played else { return };
    let Ok(play) = parse_play(made, &state.position, roll) else {
        return;
    };
    let gap = match &one.candidates[..] {
        [best, second, ..] => best.cubeful_equity - second.cubeful_equity,
        _ => f64::MAX,
    };
    if !one.forced {
        all.push(StudyDecision {
            state,
            player: one.player.into(),
            class: Class::Checker,
            play: Some(play),
            made: made.clone(),
            cost: cost as f32,
            is_close: gap < f64::from(NEAR),
            source: source.to_owned(),
        });
    }
}

fn of_cube(
    cube: &CubeReport,
    one: &MoveReport,
    state: GameState,
    source: &str,
) -> Option<StudyDecision> {
    let state = GameState {
        roll: None,
        ..state
    };
    // What is asked must be possible: a kept name that nobody knows is none.
    CubeChoice::named(&cube.choice)?;
    Some(StudyDecision {
        player: one.player.into(),
        class: class(&state),
        play: None,
        made: cube.choice.clone(),
        cost: cube.error as f32,
        is_close: cube.counts,
        source: source.to_owned(),
        state,
    })
}

/// A decision of the library; `None` where it is of no use to ask it.
#[must_use]
pub fn of_library(head: &MatchHead, one: &Decision) -> Option<StudyDecision> {
    let play = match one.played {
        Answer::Play(play) => Some(play),
        Answer::Cube(_) => None,
        Answer::Best(_) => return None,
    };
    let players = head.players.each_ref().map(String::as_str);
    Some(StudyDecision {
        state: one.state,
        player: one.player,
        class: one.class,
        play,
        made: one.played.text(&one.state),
        cost: one.error,
        is_close: one.in_pr,
        source: place(players, one.game + 1, one.number),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{Mark, Thresholds};

    /// What is written as 0.020 is an error from 0.02 on, whoever asks.
    #[test]
    fn an_error_is_held_against_the_threshold_as_it_is_written() {
        let mark = |cost| Mark::of(cost, &Thresholds::default());
        let is_error = |cost| StudyDecision::sample(0, cost).is_error(0.02);
        assert!(is_error(0.0196) && mark(0.0196) == Mark::Doubtful);
        assert!(!is_error(0.0194) && mark(0.0194) == Mark::Fine);
        assert!(!StudyDecision::sample(0, 0.0004).is_error(0.0));
        assert!(StudyDecision::sample(0, 0.0006).is_error(0.0));
    }
}
