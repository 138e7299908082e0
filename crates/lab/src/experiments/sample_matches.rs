//! Generates the matches of `sample_matches/`: self-play with human-like errors.
//!
//! A player sees each play's equity with noise. Usually the noise is small, so that close decisions go wrong;
//! sometimes it is large, as if something was overlooked. Cube actions follow money equities with the same noise, as
//! most people double.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cube;
use crate::eval::Evaluator;
use crate::game::{
    CubeOwner, GameState, MatchScore, Play, PlayList, Player, Position, Roll, Rules,
};
use crate::match_file::{Action, Event, Game, GameResult, Match};

/// Maximum number of games in a match or session.
const MOST_GAMES: usize = 60;
/// Maximum number of turns in a game.
const MOST_TURNS: usize = 400;

#[derive(Clone, Copy, Debug)]
pub struct Persona {
    pub name: &'static str,
    /// Standard deviation of the usual noise, in points.
    pub noise: f64,
    /// Probability of overlooking something.
    pub lapses: f64,
}

#[derive(Clone, Copy, Debug)]
pub struct SampleSpec {
    /// File name without extension.
    pub file: &'static str,
    pub event: &'static str,
    pub players: [Persona; 2],
    /// Match length in points; 0 for a money session.
    pub length: u16,
    /// Number of games in a money session.
    pub games: usize,
    /// Seed of the random numbers.
    pub seed: u64,
}

const ANNA: Persona = Persona {
    name: "Anna",
    noise: 0.012,
    lapses: 0.02,
};
const BEN: Persona = Persona {
    name: "Ben",
    noise: 0.03,
    lapses: 0.06,
};
const CLARA: Persona = Persona {
    name: "Clara",
    noise: 0.02,
    lapses: 0.04,
};
const DEV: Persona = Persona {
    name: "Dev",
    noise: 0.006,
    lapses: 0.005,
};

/// All matches of the repository.
pub const SAMPLES: [SampleSpec; 4] = [
    SampleSpec {
        file: "anna-ben-7pt",
        event: "Club evening, final",
        players: [ANNA, BEN],
        length: 7,
        games: MOST_GAMES,
        seed: 22,
    },
    SampleSpec {
        file: "clara-dev-3pt",
        event: "Club evening, first round",
        players: [CLARA, DEV],
        length: 3,
        games: MOST_GAMES,
        seed: 3,
    },
    SampleSpec {
        file: "ben-dev-9pt",
        event: "League, week 4",
        players: [BEN, DEV],
        length: 9,
        games: MOST_GAMES,
        seed: 11,
    },
    SampleSpec {
        file: "anna-clara-money",
        event: "Money session",
        players: [ANNA, CLARA],
        length: 0,
        games: 5,
        seed: 5,
    },
];

/// Plays a match. The same sample and evaluator give the same match.
pub fn play(evaluator: &dyn Evaluator, sample: &SampleSpec) -> Match {
    let mut record = Match {
        format: "mat",
        encoding: "UTF-8",
        length: sample.length,
        players: sample.players.map(|p| p.name.to_owned()),
        crawford: sample.length > 0,
        rules: Rules {
            jacoby: sample.length == 0,
            beavers: false,
            ..Rules::default()
        },
        tags: vec![("Event".to_owned(), sample.event.to_owned())],
        ..Match::default()
    };
    let mut rng = ChaCha8Rng::seed_from_u64(sample.seed);
    let mut score = [0u16; 2];
    let mut crawford_played = false;
    for number in 1..=sample.games.min(MOST_GAMES) {
        let leader = score.iter().any(|&s| s + 1 == sample.length);
        let crawford = sample.length > 1 && leader && !crawford_played;
        crawford_played |= crawford;
        let mut board = Board {
            evaluator,
            sample,
            rng: &mut rng,
            rules: record.rules,
            crawford,
            score,
            cube: 1,
            owner: None,
            plays: PlayList::new(),
        };
        let (events, result) = board.game();
        score[result.winner.index()] =
            score[result.winner.index()].saturating_add(result.points as u16);
        let before = record.games.last().map_or([0; 2], score_after);
        record.games.push(Game {
            number: number as u32,
            score: before,
            crawford,
            events,
            result: Some(result),
            ..Game::default()
        });
        if sample.length > 0 && score.iter().any(|&s| s >= sample.length) {
            break;
        }
    }
    record
}

fn score_after(game: &Game) -> [u16; 2] {
    let mut score = game.score;
    if let Some(result) = game.result {
        score[result.winner.index()] += result.points as u16;
    }
    score
}

/// A game in progress.
struct Board<'a> {
    evaluator: &'a dyn Evaluator,
    sample: &'a SampleSpec,
    rng: &'a mut ChaCha8Rng,
    rules: Rules,
    crawford: bool,
    score: [u16; 2],
    cube: u32,
    owner: Option<Player>,
    plays: PlayList,
}

impl Board<'_> {
    fn game(&mut self) -> (Vec<Event>, GameResult) {
        let mut events = Vec::new();
        let mut position = Position::opening();
        let (mut player, mut roll) = self.first_roll();
        for turn in 0..MOST_TURNS {
            if turn > 0 {
                if let Some(result) = self.turn_cube(&position, player, &mut events) {
                    return (events, result);
                }
                roll = Roll::ordered(self.rng.random_range(0..36));
            }
            let (play, after) = self.choose(&position, roll, player);
            events.push(Event {
                player,
                action: Action::Move { roll, play },
                line: 0,
            });
            position = after;
            if let Some(points) = position.points() {
                let points = u32::from(points.unsigned_abs()) * self.cube;
                let points = if self.rules.jacoby && self.owner.is_none() {
                    self.cube
                } else {
                    points
                };
                return (
                    events,
                    GameResult {
                        winner: player,
                        points,
                    },
                );
            }
            player = player.other();
        }
        events.push(Event {
            player,
            action: Action::Resign,
            line: 0,
        });
        (
            events,
            GameResult {
                winner: player.other(),
                points: self.cube,
            },
        )
    }

    /// Rolls one die per player until they differ. Returns the starting player and the roll.
    fn first_roll(&mut self) -> (Player, Roll) {
        loop {
            let (left, right) = (self.rng.random_range(1..=6), self.rng.random_range(1..=6));
            if let Some(roll) = Roll::new(left, right).filter(|r| !r.is_double()) {
                let player = if left > right {
                    Player::Left
                } else {
                    Player::Right
                };
                return (player, roll);
            }
        }
    }

    /// Noise in points on an equity seen by `player`.
    fn noise(&mut self, player: Player) -> f32 {
        let persona = self.sample.players[player.index()];
        // The sum of twelve uniform numbers has variance one.
        let normal: f64 = (0..12).map(|_| self.rng.random_range(-0.5..0.5)).sum();
        (persona.noise * normal) as f32
    }

    fn choose(&mut self, position: &Position, roll: Roll, player: Player) -> (Play, Position) {
        self.plays.generate(position, roll);
        let mut equities = vec![0.0; self.plays.len()];
        self.evaluator
            .equities_after(position, self.plays.results(), &mut equities);
        let persona = self.sample.players[player.index()];
        let blind = if self.rng.random_bool(persona.lapses) {
            6.0
        } else {
            1.0
        };
        for e in &mut equities {
            *e += blind * self.noise(player);
        }
        let best = crate::eval::rolls::best_index(&equities);
        (self.plays.plays()[best], self.plays.results()[best])
    }

    /// Lets `player` double if they want to, and the opponent answer. Returns the result if the double is passed.
    fn turn_cube(
        &mut self,
        position: &Position,
        player: Player,
        events: &mut Vec<Event>,
    ) -> Option<GameResult> {
        let state = self.state(position, player);
        if !state.may_double() || position.is_over() {
            return None;
        }
        let chances = self.evaluator.probabilities_of(position);
        let money = GameState {
            score: MatchScore::MONEY,
            ..state
        };
        let decision = cube::decision(&money, &chances)?;
        let double_take = decision.double_take?;
        let gain = double_take.min(1.0) - decision.no_double;
        // People double for a gain, not when it makes no difference.
        if gain + self.noise(player) <= 0.01 {
            return None;
        }
        let to = self.cube * 2;
        events.push(Event {
            player,
            action: Action::Double { to },
            line: 0,
        });
        let other = player.other();
        let takes = double_take + self.noise(other) < 1.0;
        let action = if takes { Action::Take } else { Action::Pass };
        events.push(Event {
            player: other,
            action,
            line: 0,
        });
        if !takes {
            return Some(GameResult {
                winner: player,
                points: self.cube,
            });
        }
        self.cube = to;
        self.owner = Some(other);
        None
    }

    fn state(&self, position: &Position, player: Player) -> GameState {
        let owner = match self.owner {
            None => CubeOwner::Centred,
            Some(p) if p == player => CubeOwner::Mover,
            Some(_) => CubeOwner::Opponent,
        };
        GameState {
            position: *position,
            cube: self.cube,
            owner,
            score: MatchScore {
                length: self.sample.length,
                mover: self.score[player.index()],
                opponent: self.score[player.other().index()],
                crawford: self.crawford,
            },
            rules: self.rules,
            roll: None,
            doubled: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    #[test]
    fn matches_end_with_their_length() {
        let engine = Engine::embedded();
        let record = play(&engine, &SAMPLES[1]);
        let last = score_after(record.games.last().unwrap());
        assert!(last.iter().any(|&s| s >= record.length), "{last:?}");
        for game in &record.games {
            let end = record.final_position(game);
            let dropped = matches!(game.events.last().unwrap().action, Action::Pass);
            assert!(dropped || end.is_over());
        }
    }
}
