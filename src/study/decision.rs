//! Decisions of a match that are worth asking.

use std::path::PathBuf;
use std::sync::Arc;

use super::card::StudyCard;
use super::rolled::{NEAR, StudyRollout};
use crate::cube::{CubeChoice, cube_words};
use crate::game::{GameState, Play, Player, Position};
use crate::library::{Answer, Decision, MatchHead};
use crate::match_file::Match;
use crate::notation::{parse_id, parse_play, play_text, xgid_text};
use crate::review::cube::CubeReview;
use crate::review::marks::reaches;
use crate::review::match_review::TurnRollouts;
use crate::review::report::{MoveReport, Report};
use crate::review::{Class, MatchTurn, Thresholds, TurnReview};
use crate::sanitize;

/// Points below which nothing was given away.
const LEAST: f32 = 0.0005;

/// Where in its match a decision was made.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyPlace {
    /// The file of the match, if one is known that is there.
    pub file: Option<PathBuf>,
    /// Place among all turns of the match.
    pub turn: usize,
    /// The decision not to double before the roll.
    pub is_silent: bool,
}

/// A decision of a match, or a position that nobody has decided.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyDecision {
    /// The state, seen by the player who decides: with dice, or before the roll, or with a double to
    /// answer.
    pub state: GameState,
    /// The player who decided.
    pub player: Player,
    /// That player's name, if known.
    pub name: Option<String>,
    pub class: Class,
    /// The play that was made, if it was one.
    pub play: Option<Play>,
    /// The play or the cube action in words, as in the machine output. Empty where nobody decided.
    pub made: String,
    /// Points that it gave away.
    pub cost: f32,
    /// The choice was close, so that it may be asked though it was right.
    pub is_close: bool,
    /// Where it comes from.
    pub source: String,
    /// A number that only its match has among those that are read together, however often that is read.
    pub match_number: Option<i64>,
    /// The user's note about it, in one line.
    pub note: Option<String>,
    /// The position after the play that lookahead thinks best, where that is known.
    pub best: Option<Position>,
    /// Where it was made, if it can be gone to.
    pub place: Option<StudyPlace>,
    /// Figures of a rollout, if one counts. The cost then follows it.
    pub rollout: Option<Arc<StudyRollout>>,
}

impl StudyDecision {
    /// The key of the decision, its XGID: the same decision in another match has the same one.
    pub fn key(&self) -> String {
        xgid_text(&self.state)
    }

    /// Returns the choice made, in players' words.
    pub fn made_words(&self) -> &str {
        cube_words(&self.made, &self.state)
    }

    /// Returns whether the decision is a position of a list, without a choice made.
    pub fn is_lone(&self) -> bool {
        self.made.is_empty()
    }

    /// The decision with the note that the user has written beside its turn. Beside a roll it is about the
    /// double that was not made before it only where that was an error.
    pub fn with_note(mut self, note: Option<&str>) -> Self {
        let is_silent = self.class == Class::Double && self.made == CubeChoice::NoDouble.name();
        let is_about = !is_silent || self.is_error(Thresholds::default().doubtful);
        let note = note.filter(|text| is_about && !text.trim().is_empty());
        self.note = note.map(|text| sanitize::clean(text).into_owned());
        self
    }

    /// The decision with what a rollout says of it. A cost that the rollout tells takes the place of what
    /// lookahead says.
    pub fn with_rollout(mut self, rollout: Option<StudyRollout>) -> Self {
        let Some(rollout) = rollout else {
            return self;
        };
        // A card does not say which play was thought best, so its cost stays as it was kept.
        let is_known = self.class != Class::Checker || self.best.is_some();
        let made = self.play.map(|play| play.apply(&self.state.position));
        let cost = rollout.cost(made, CubeChoice::named(&self.made));
        if let Some(cost) = cost.filter(|_| is_known) {
            self.cost = cost;
            self.is_close = rollout.is_close().unwrap_or(self.is_close);
        }
        self.rollout = Some(Arc::new(rollout));
        self
    }

    /// The decision as a card without answers.
    pub fn card(&self, least: f32) -> StudyCard {
        StudyCard {
            position: self.key(),
            is_error: self.is_error(least),
            made: self.made.clone(),
            cost: self.cost,
            source: self.source.clone(),
            note: self.note.clone(),
            rollout: self.rollout.clone(),
            answers: Vec::new(),
        }
    }

    /// Returns whether the decision is to be learnt: it cost at least so many points, or has no choice made.
    /// From 0 points on every decision is, right ones too.
    pub fn is_error(&self, least: f32) -> bool {
        self.is_lone() || least <= 0.0 || reaches(self.cost, least.max(LEAST))
    }

    /// Returns whether the decision belongs in the match's quiz: it is an error, or has a note of the user.
    pub fn is_to_be_asked(&self, least: f32) -> bool {
        self.note.is_some() || self.is_error(least)
    }

    /// Returns whether the decision was close and right.
    pub fn is_right(&self) -> bool {
        !self.is_lone() && self.is_close && self.cost < LEAST
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
            name: None,
            class: Class::Checker,
            play: None,
            made: "8/5 6/5".to_owned(),
            cost,
            is_close: true,
            source: String::new(),
            match_number: None,
            note: None,
            best: None,
            place: None,
            rollout: None,
        }
    }

    /// The decision of a card; `None` where its position cannot be read.
    pub fn of_card(card: &StudyCard) -> Option<Self> {
        let state = parse_id(&card.position).ok()?;
        let play = state
            .roll
            .and_then(|roll| parse_play(&card.made, &state.position, roll).ok());
        Some(Self {
            player: Player::Left,
            name: None,
            class: Class::of_state(&state),
            play,
            made: card.made.clone(),
            cost: card.cost,
            is_close: true,
            source: card.source.clone(),
            match_number: None,
            note: card.note.clone(),
            best: None,
            place: None,
            rollout: card.rollout.clone(),
            state,
        })
    }

    /// A position that nobody has decided: what is right is what its analysis says.
    pub fn of_position(state: GameState, source: String) -> Self {
        Self {
            player: Player::Left,
            name: None,
            class: Class::of_state(&state),
            play: None,
            made: String::new(),
            cost: 0.0,
            is_close: true,
            source,
            match_number: None,
            note: None,
            best: None,
            place: None,
            rollout: None,
            state,
        }
    }
}

/// The place of a decision in words: `anna – ben, game 2, move 5`.
fn place(players: [&str; 2], game: u32, number: u32) -> String {
    format!(
        "{} – {}, game {game}, move {number}",
        players[0], players[1]
    )
}

/// The decisions of a turn of a match: first the one not to double, then what was done. A cube decision that does not
/// count, where nobody would think of a double, is none.
pub fn of_turn(record: &Match, turn: &MatchTurn, review: &TurnReview) -> Vec<StudyDecision> {
    let number = record.games.get(turn.game).map_or(0, |game| game.number);
    let players = record.players.each_ref().map(String::as_str);
    let source = place(players, number, turn.number);
    let name = players[turn.before.player.index()];
    let state = turn.before.state;
    let cube = |cube: &CubeReview, state: GameState| {
        let choice = cube.choice?;
        Some(StudyDecision {
            player: turn.before.player,
            name: Some(name.to_owned()),
            made: choice.name().to_owned(),
            cost: cube.error?,
            ..StudyDecision::of_position(state, source.clone())
        })
    };
    let before = state.before_roll();
    let counting = review.cube.as_ref().filter(|review| review.counts());
    let about_cube = counting.and_then(|review| cube(review, before));
    let play = turn.played().zip(review.error).map(|(play, cost)| {
        let gap = match &review.candidates[..] {
            [best, second, ..] => best.equity - second.equity,
            _ => f32::MAX,
        };
        StudyDecision {
            player: turn.before.player,
            name: Some(name.to_owned()),
            class: Class::Checker,
            play: Some(play),
            made: play_text(&state.position, &play),
            cost,
            is_close: gap < NEAR,
            best: review.candidates.first().map(|best| best.result),
            ..StudyDecision::of_position(state, source.clone())
        }
    });
    let play = play.filter(|_| state.roll.is_some() && !review.is_forced());
    about_cube.into_iter().chain(play).collect()
}

/// The decisions of a turn as [`of_turn`] gives them, by a review that rollouts were put into, with what
/// these say of them.
pub fn of_rolled_turn(
    record: &Match,
    turn: &MatchTurn,
    review: &TurnReview,
    rollouts: &TurnRollouts,
) -> Vec<StudyDecision> {
    let all = of_turn(record, turn, review).into_iter();
    let with_rollout = all.map(|mut one| {
        let rollout = StudyRollout::in_review(review, rollouts, one.class);
        one.rollout = rollout.map(Arc::new);
        one
    });
    with_rollout.collect()
}

/// The decisions of a review that was kept, those of one player if one is named. They are those of [`of_turn`].
pub fn of_report(report: &Report, whose: Option<Player>) -> Vec<StudyDecision> {
    let players = report.names();
    let mut all = Vec::new();
    for game in &report.games {
        for one in &game.moves {
            let player = one.player;
            if whose.is_none_or(|whose| whose == player) {
                let source = place(players, game.number, one.number);
                let decisions = of_move(one, &source);
                let note = one.note.as_deref();
                let name = players[player.index()];
                all.extend(decisions.map(|decision| StudyDecision {
                    name: Some(name.to_owned()),
                    ..decision.with_note(note)
                }));
            }
        }
    }
    all
}

fn of_move(one: &MoveReport, source: &str) -> impl Iterator<Item = StudyDecision> {
    let about_cube = one.cube.as_ref().filter(|cube| cube.counts);
    let about_cube = about_cube.map(|cube| StudyDecision {
        player: one.player,
        made: cube.choice.name().to_owned(),
        cost: cube.error as f32,
        ..StudyDecision::of_position(one.state.before_roll(), source.to_owned())
    });
    about_cube.into_iter().chain(of_play(one, source))
}

fn of_play(one: &MoveReport, source: &str) -> Option<StudyDecision> {
    let state = one.state;
    let (roll, cost) = state.roll.zip(one.error)?;
    let made = one.played.as_ref().filter(|_| !one.forced)?;
    let play = parse_play(made, &state.position, roll).ok()?;
    let best = one.candidates.first();
    let best = best.and_then(|best| parse_play(&best.play, &state.position, roll).ok());
    let gap = match &one.candidates[..] {
        [best, second, ..] => best.cubeful_equity - second.cubeful_equity,
        _ => f64::MAX,
    };
    Some(StudyDecision {
        player: one.player,
        class: Class::Checker,
        play: Some(play),
        made: made.clone(),
        cost: cost as f32,
        is_close: gap < f64::from(NEAR),
        best: best.map(|play| play.apply(&state.position)),
        ..StudyDecision::of_position(state, source.to_owned())
    })
}

/// A decision of the library; `None` where it is of no use to ask it.
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
        name: Some(players[one.player.index()].to_owned()),
        class: one.class,
        play,
        made: one.played.text(&one.state),
        cost: one.error,
        is_close: one.in_pr,
        source: place(players, one.game + 1, one.number),
        match_number: None,
        note: None,
        best: match one.best {
            Answer::Play(play) => Some(play.apply(&one.state.position)),
            _ => None,
        },
        place: Some(StudyPlace {
            file: None,
            turn: one.turn as usize,
            is_silent: one.silent,
        }),
        rollout: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{Mark, Thresholds};

    /// An error that is written as 0.020 counts from 0.02 on, everywhere.
    #[test]
    fn an_error_is_held_against_the_threshold_as_it_is_written() {
        let mark = |cost| Mark::of(cost, &Thresholds::default());
        let is_error = |cost| StudyDecision::sample(0, cost).is_error(0.02);
        assert!(is_error(0.0196) && mark(0.0196) == Mark::Doubtful);
        assert!(!is_error(0.0194) && mark(0.0194) == Mark::Fine);
        assert!(!StudyDecision::sample(0, 0.0004).is_error(0.0001));
        assert!(StudyDecision::sample(0, 0.0006).is_error(0.0001));
        // From 0 on a right decision is to be learnt too.
        assert!(StudyDecision::sample(0, 0.0).is_error(0.0));
    }

    /// A position of a list has no cost, and is to be learnt all the same.
    #[test]
    fn a_position_that_nobody_decided_comes_back() {
        let state = StudyDecision::sample(1, 0.0).state;
        let lone = StudyDecision::of_position(state, "list.txt, line 3".to_owned());
        assert!(lone.is_lone() && lone.is_error(0.1) && !lone.is_right());
        assert!(lone.card(0.02).is_error);
        assert_eq!(StudyDecision::of_card(&lone.card(0.02)), Some(lone));
    }

    #[test]
    fn a_note_beside_a_roll_is_about_the_double_before_it_only_where_that_was_an_error() {
        let noted = |class, made: &str, cost| {
            let one = StudyDecision {
                class,
                made: made.to_owned(),
                ..StudyDecision::sample(1, cost)
            };
            one.with_note(Some("why?\nbecause")).note
        };
        assert_eq!(
            noted(Class::Checker, "8/5 6/5", 0.0).as_deref(),
            Some("why? because")
        );
        assert!(noted(Class::Double, "no double", 0.0).is_none());
        assert!(noted(Class::Double, "no double", 0.05).is_some());
        assert!(noted(Class::Double, "double", 0.0).is_some());
        assert_eq!(
            StudyDecision::sample(1, 0.1).with_note(Some(" ")).note,
            None
        );
    }
}
