//! Matches made by hand, for tests and until there are files.

use crate::eval::{Engine, Evaluator, lookahead};
use crate::game::{Play, PlayList, Player, Position, Roll};
use crate::match_file::{Action, Event, Game, Match};

/// A small generator, so that matches are the same everywhere.
struct Lcg(u64);

impl Lcg {
    fn next(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A match of two players who often, but not always, make the best play they know.
#[must_use]
pub fn sample() -> Match {
    let engine = Engine::embedded();
    let mut dice = Lcg(2026);
    let mut record = Match {
        format: "mat",
        encoding: "UTF-8",
        length: 7,
        players: ["Anna".into(), "Ben".into()],
        crawford: true,
        ..Match::default()
    };
    let mut score = [0u16, 0];
    for number in 1..=4 {
        let game = play_game(&engine, &mut dice, number, score);
        score[(number as usize) % 2] += 2;
        record.games.push(game);
    }
    record
}

fn play_game(engine: &Engine, dice: &mut Lcg, number: u32, score: [u16; 2]) -> Game {
    let mut position = Position::opening();
    let mut player = Player::Left;
    let mut events = Vec::new();
    for turn in 0..60 {
        if turn == 12 {
            let act = |player, action| Event { player, action, line: 0 };
            events.push(act(player, Action::Double { to: 2 }));
            events.push(act(player.other(), Action::Take));
        }
        let mut roll = Roll::ordered(dice.next(36) as usize);
        while turn == 0 && roll.is_double() {
            roll = Roll::ordered(dice.next(36) as usize);
        }
        let play = choose(engine, dice, &position, roll);
        events.push(Event {
            player,
            action: Action::Move { roll, play },
            line: 0,
        });
        position = play.apply(&position);
        player = player.other();
        if position.is_over() {
            break;
        }
    }
    Game {
        number,
        score,
        crawford: false,
        start: Position::opening(),
        events,
        result: None,
    }
}

fn choose(engine: &Engine, dice: &mut Lcg, position: &Position, roll: Roll) -> Play {
    let mut list = PlayList::new();
    list.generate(position, roll);
    let mut equities = vec![0.0; list.len()];
    engine.equities_after(position, list.results(), &mut equities);
    let best = lookahead::best_index(&equities);
    let pick = match dice.next(5) {
        0 => dice.next(list.len() as u64) as usize,
        _ => best,
    };
    list.plays()[pick]
}
