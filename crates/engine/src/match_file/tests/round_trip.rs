//! Random matches, written and read back.

use proptest::prelude::*;
use rand::Rng as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::game::{Play, PlayList, Player, Position, Roll, Rules};
use crate::match_file::write::Target;
use crate::match_file::xg::build::{Lies, pack, records};

/// A game of random legal plays and cube actions. It ends by bearing off, a pass or a resignation; the last
/// game may break off.
struct RandomGame<'a> {
    rng: &'a mut ChaCha8Rng,
    record: &'a Match,
    game: Game,
    left: Position,
    turn: Player,
    cube: u32,
    owner: Option<Player>,
}

impl RandomGame<'_> {
    fn push(&mut self, player: Player, action: Action) {
        self.game.events.push(Event {
            player,
            action,
            line: 0,
        });
    }

    fn end(&mut self, winner: Player, points: u32) {
        self.game.result = Some(GameResult { winner, points });
    }

    fn may_double(&self) -> bool {
        let started = !self.game.events.is_empty();
        started
            && self.record.length != 1
            && !self.game.crawford
            && self.owner.is_none_or(|o| o == self.turn)
            && self.cube < 64
    }

    /// Adds a double and its answer. Returns whether the game is over.
    fn double(&mut self) -> bool {
        let (turn, other) = (self.turn, self.turn.other());
        self.push(turn, Action::Double { to: self.cube * 2 });
        if self.rng.random_range(0..3) == 0 {
            self.push(other, Action::Pass);
            self.end(turn, self.cube);
            return true;
        }
        self.cube *= 2;
        self.owner = Some(other);
        if self.record.rules.beavers && self.rng.random_range(0..3) == 0 {
            self.cube *= 2;
            self.push(other, Action::Beaver { to: self.cube });
        } else {
            self.push(other, Action::Take);
        }
        false
    }

    fn play(mut self, resign: u32) -> Game {
        let mut list = PlayList::new();
        loop {
            if self.may_double() && self.rng.random_range(0..12) == 0 && self.double() {
                return self.game;
            }
            let mut roll = Roll::ordered(self.rng.random_range(0..36));
            // No game begins with equal dice.
            while self.game.events.is_empty() && roll.is_double() {
                roll = Roll::ordered(self.rng.random_range(0..36));
            }
            let position = match self.turn {
                Player::Left => self.left,
                Player::Right => self.left.flipped(),
            };
            list.generate(&position, roll);
            let loser = self.turn;
            if self.rng.random_range(0..1000) < resign {
                if self.rng.random() && list.len() > 1 {
                    self.push(loser, Action::Hidden { roll });
                }
                self.push(loser, Action::Resign);
                let most = match self.record.rules.jacoby && self.owner.is_none() {
                    true => 1,
                    false => 3,
                };
                let points = self.cube * self.rng.random_range(1..=most);
                self.end(loser.other(), points);
                return self.game;
            }
            if self.rng.random_range(0..40) == 0
                && let Some(after) = illegal(&position, &list, self.rng)
            {
                self.push(loser, Action::Illegal { roll, after });
                self.left = match loser {
                    Player::Left => after.flipped(),
                    Player::Right => after,
                };
                self.turn = loser.other();
                continue;
            }
            // Prefer homeward plays, so that games end.
            let n = list.len();
            let pips = |i: &usize| list.results()[*i].opponent.pips();
            let i = match self.rng.random_range(0..2) {
                0 => self.rng.random_range(0..n),
                _ => (0..n).min_by_key(pips).unwrap(),
            };
            let (play, after) = (list.plays()[i], list.results()[i]);
            self.push(loser, Action::Move { roll, play });
            self.left = match loser {
                Player::Left => after.flipped(),
                Player::Right => after,
            };
            self.turn = loser.other();
            if let Some(points) = after.points() {
                // Under the Jacoby rule gammons count only after a double by a player.
                let is_single = self.record.rules.jacoby && self.owner.is_none();
                let size = match is_single {
                    true => 1,
                    false => u32::from(points.unsigned_abs()),
                };
                self.end(loser, size * self.cube);
                return self.game;
            }
        }
    }
}

/// Returns a position that no legal play reaches, seen by the next player: one checker moved anywhere, or a
/// random position.
fn illegal(before: &Position, list: &PlayList, rng: &mut ChaCha8Rng) -> Option<Position> {
    let random = |rng: &mut ChaCha8Rng| {
        let mut place = || (rng.random_range(1..=24), rng.random_range(1..=4));
        Position::from_points(&[place(), place()], &[place(), place()]).ok()
    };
    let after = if rng.random_range(0..4) == 0 {
        random(rng)?
    } else {
        let (from, to) = (rng.random_range(1..=25), rng.random_range(0..=24));
        let step = crate::game::Step { from, to };
        if before.mover.at(from.into()) == 0 || to >= from {
            return None;
        }
        Play::new(&[step]).apply(before)
    };
    let sound = Position::new(after.mover, after.opponent).is_ok();
    (sound && !after.is_over() && !list.results().contains(&after)).then_some(after)
}

fn random_match(seed: u64) -> Match {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let length = *[0, 1, 3, 7, 21].get(rng.random_range(0..5)).unwrap();
    let mut record = Match {
        format: "mat",
        encoding: "UTF-8",
        length,
        players: ["Zoë van Dyk".to_owned(), "b. 7 (x)".to_owned()],
        crawford: length > 0 && rng.random_range(0..4) > 0,
        rules: Rules {
            jacoby: length == 0 && rng.random(),
            beavers: length == 0 && rng.random(),
            ..Rules::default()
        },
        tags: vec![("Event".to_owned(), "random, seed 1".to_owned())],
        ..Match::default()
    };
    let mut score = [0u16; 2];
    let mut crawford_played = false;
    for number in 1..=rng.random_range(1..6) {
        let away_one = |p: u16| length > 1 && p + 1 == length;
        let crawford =
            record.crawford && !crawford_played && away_one(score[0]) != away_one(score[1]);
        crawford_played |= crawford;
        let turn = [Player::Left, Player::Right][rng.random_range(0..2)];
        let cube = match length {
            0 => [1, 2, 4][rng.random_range(0..3)],
            _ => 1,
        };
        let mut game = RandomGame {
            rng: &mut rng,
            record: &record,
            game: Game {
                number,
                score,
                crawford,
                cube,
                ..Game::default()
            },
            left: Position::opening(),
            turn,
            cube,
            owner: None,
        }
        .play(5);
        let result = game.result.unwrap();
        game.points_written = Some(result.points);
        record.games.push(game);
        let mine = &mut score[result.winner.index()];
        *mine += result.points as u16;
        if length > 0 && *mine >= length {
            break;
        }
    }
    if rng.random_range(0..4) == 0 {
        break_off(&mut record, &mut rng);
    }
    record
}

/// Leaves the last game unfinished.
fn break_off(record: &mut Match, rng: &mut ChaCha8Rng) {
    let game = record.games.last_mut().unwrap();
    // In SGF a set-up without actions is a position.
    let least = usize::from(game.cube > 1);
    if game.events.len() <= least {
        return;
    }
    let length = rng.random_range(least..game.events.len());
    game.events.truncate(length);
    game.result = None;
    game.points_written = None;
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn written_matches_read_back(seed in any::<u64>()) {
        let record = random_match(seed);
        for target in [Target::Mat, Target::Text, Target::Sgf, Target::Json] {
            let text = target.write(&record);
            let again = read_bytes(text.as_bytes(), "x").unwrap();
            prop_assert!(again.tags.contains(&record.tags[0]));
            alike(&again, &record, &text)?;
            prop_assert!(again.rules == record.rules || target == Target::Sgf);
            // SGF stores only this rule of money play.
            prop_assert_eq!(again.rules.jacoby, record.rules.jacoby);
        }
    }

    #[test]
    fn the_binary_form_reads_back(seed in any::<u64>()) {
        let record = random_match(seed);
        // A single decision is read as a position.
        prop_assume!(record.games.len() > 1 || record.games[0].events.len() > 2);
        let bytes = pack(&records(&record), Lies::default());
        let again = read_bytes(&bytes, "x").unwrap();
        alike(&again, &record, "xg")?;
        prop_assert_eq!(again.rules, record.rules);
    }
}

/// Checks that two matches are equal, except for warnings about an unfinished last game.
fn alike(again: &Match, record: &Match, text: &str) -> Result<(), TestCaseError> {
    {
        let warnings = messages(again)
            .into_iter()
            .filter(|m| !m.contains("breaks off") && !m.contains("let stand"));
        prop_assert_eq!(
            warnings.collect::<Vec<_>>(),
            Vec::<String>::new(),
            "{}",
            text
        );
        prop_assert_eq!(&again.players, &record.players);
        prop_assert_eq!(
            (again.length, again.crawford),
            (record.length, record.crawford)
        );
        prop_assert_eq!(again.games.len(), record.games.len());
        for (found, wanted) in again.games.iter().zip(&record.games) {
            let start = |game: &Game| (game.start, game.cube, game.owner);
            prop_assert_eq!(start(found), start(wanted));
            prop_assert_eq!(
                (found.number, found.score, found.crawford),
                (wanted.number, wanted.score, wanted.crawford)
            );
            let result = |game: &Game| (game.result, game.points_written);
            prop_assert_eq!(result(found), result(wanted), "{}", text);
            let (found, wanted) = (actions(again, found), actions(record, wanted));
            prop_assert_eq!(found, wanted, "{}", text);
        }
    }
    Ok(())
}

/// Returns the events with the resulting position of each play, because a play can be written in many ways.
pub(super) fn actions(record: &Match, game: &Game) -> Vec<(Player, String)> {
    let decisions = record.decision_states(game);
    let with_board = |(event, decision): (&Event, &DecisionState)| {
        let action = match event.action {
            Action::Move { roll, play } => {
                let after = play.apply(&decision.state.position);
                format!("{roll} to {}", crate::notation::position_id(&after))
            }
            Action::Illegal { roll, after } => {
                format!(
                    "{roll} let stand to {}",
                    crate::notation::position_id(&after)
                )
            }
            other => format!("{other:?}"),
        };
        (event.player, action)
    };
    game.events.iter().zip(&decisions).map(with_board).collect()
}

#[test]
fn a_set_position_and_odd_names_survive() {
    let mut record = fixture("gnubg.mat");
    record.games.truncate(1);
    let game = &mut record.games[0];
    game.start = Position::from_points(&[(6, 2), (1, 1)], &[(3, 2), (25, 1)]).unwrap();
    game.events.clear();
    game.result = None;
    game.points_written = None;
    // A position without a following turn also stays with its game.
    record.games.push(fixture("gnubg.mat").games.swap_remove(0));
    record.players = ["a: 3, b".to_owned(), " ".to_owned()];
    let text = mat::write::write(&record);
    let again = read_bytes(text.as_bytes(), "x").unwrap();
    assert_eq!(again.players, ["a 3 b", "player 2"]);
    let starts = |record: &Match| {
        record
            .games
            .iter()
            .map(|game| game.start)
            .collect::<Vec<_>>()
    };
    assert_eq!(starts(&again), starts(&record), "{text}");
    let [found, wanted] = [&again, &record].map(|record| actions(record, &record.games[1]));
    assert_eq!(found, wanted);
}

#[test]
fn variations_are_written_as_branches_and_read_back() {
    use crate::game::{PlayList, Roll};
    use crate::match_file::{Action, NodeId, Variations};

    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../sample_matches/");
    let path = format!("{folder}anna-ben-7pt.mat");
    let mut record = crate::match_file::read(std::path::Path::new(&path)).unwrap();
    let roll = |tree: &Variations, at: Option<NodeId>, dice: &str, n: usize| {
        let roll: Roll = dice.parse().unwrap();
        let list = PlayList::of(&tree.after(at).unwrap().state.position, roll);
        let play = list.plays()[n.min(list.len() - 1)];
        Action::Move { roll, play }
    };
    let states = record.decision_states(&record.games[0]);
    let last = states.len() - 1;
    for event in [0, 4, 5, last] {
        let mut tree = Variations::at(states[event]);
        if states[event].state.doubled {
            tree.add(None, Action::Pass).unwrap();
        } else {
            let a = tree.add(None, roll(&tree, None, "31", 0)).unwrap();
            let b = tree.add(None, roll(&tree, None, "64", 2)).unwrap();
            for (at, dice) in [(a, "52"), (a, "66"), (b, "21")] {
                if tree.after(Some(at)).is_some() {
                    tree.add(Some(at), roll(&tree, Some(at), dice, 1)).unwrap();
                }
            }
            let double = tree.add(Some(a), Action::Double { to: 0 });
            if let Ok(double) = double {
                let take = tree.add(Some(double), Action::Take).unwrap();
                tree.add(Some(take), roll(&tree, Some(take), "43", 0))
                    .unwrap();
                tree.add(Some(double), Action::Pass).unwrap();
            }
        }
        record.variations.insert((0, event), tree);
    }
    let text = crate::match_file::sgf::write::write(&record);
    let again = crate::match_file::read_bytes(text.as_bytes(), "x.sgf").unwrap();
    assert_eq!(again.warnings, []);
    assert_eq!(again.games.len(), record.games.len());
    for (one, other) in record.games.iter().zip(&again.games) {
        let actions =
            |g: &crate::match_file::Game| g.events.iter().map(|e| e.action).collect::<Vec<_>>();
        assert_eq!(actions(one), actions(other));
    }
    let trees = |m: &crate::match_file::Match| -> Vec<_> {
        m.variations
            .iter()
            .map(|(place, tree)| (*place, tree.rows().len(), tree.leaves()))
            .collect()
    };
    assert_eq!(trees(&again), trees(&record));
    assert_eq!(
        crate::match_file::sgf::write::write(&again),
        text,
        "written again it is the same"
    );
    let text = json::write(&record);
    let again = read_bytes(text.as_bytes(), "x.json").unwrap();
    assert_eq!(again.warnings, []);
    assert_eq!(again.variations.len(), 4);
    for (place, tree) in &record.variations {
        assert_eq!(again.variations[place].to_json(), tree.to_json());
    }
    assert_eq!(json::write(&again), text);
    if let Some(path) = std::env::var_os("LUCKLESS_SGF") {
        std::fs::write(path, &text).unwrap();
    }
}

#[test]
fn beavers_of_variations_are_written_and_read() {
    use crate::game::{GameState, PlayList, Roll, Rules};
    use crate::match_file::{Action, Event, Game, Match, Variations};

    let rules = Rules {
        beavers: true,
        ..Rules::default()
    };
    let roll = |position: &crate::game::Position, dice: &str| {
        let roll: Roll = dice.parse().unwrap();
        let list = PlayList::of(position, roll);
        Action::Move {
            roll,
            play: list.plays()[0],
        }
    };
    let opening = GameState::money(crate::game::Position::opening()).position;
    let first = roll(&opening, "31");
    let Action::Move { play, .. } = first else {
        unreachable!()
    };
    let event = |player, action| Event {
        player,
        action,
        line: 0,
    };
    let right = crate::game::Player::Right;
    let second = roll(&play.apply(&opening), "52");
    let mut record = Match {
        rules,
        games: vec![Game {
            events: vec![event(right.other(), first), event(right, second)],
            ..Game::default()
        }],
        ..Match::default()
    };
    let states = record.decision_states(&record.games[0]);
    let mut tree = Variations::at(states[1]);
    let double = tree.add(None, Action::Double { to: 0 }).unwrap();
    let beaver = tree.add(Some(double), Action::Beaver { to: 0 }).unwrap();
    let position = tree.after(Some(beaver)).unwrap().state.position;
    tree.add(Some(beaver), roll(&position, "66")).unwrap();
    record.variations.insert((0, 1), tree);
    let text = crate::match_file::sgf::write::write(&record);
    assert!(text.contains(";B[take]"), "{text}");
    let again = crate::match_file::read_bytes(text.as_bytes(), "x.sgf").unwrap();
    // The game itself has no end.
    assert_eq!(again.warnings.len(), 1);
    assert_eq!(
        again.variations[&(0, 1)].to_json(),
        record.variations[&(0, 1)].to_json()
    );
}

/// An unfinished game is not marked as incomplete, however often it is written and read.
#[test]
fn a_game_without_a_result_is_not_cut() {
    let text =
        " 7 point match\n\n Game 1\n anna : 0        ben : 0\n  1) 31: 8/5 6/5      64: 24/14\n";
    let record = read_bytes(text.as_bytes(), "x.mat").unwrap();
    assert!(record.games[0].result.is_none() && !record.games[0].is_cut);
    let first = json::write(&record);
    let again = read_bytes(first.as_bytes(), "x.json").unwrap();
    assert_eq!(json::write(&again), first);
}

/// Figures that were changed after GNU Backgammon's own text was stored are not written to SGF, and this is
/// reported.
#[test]
fn an_analysis_with_other_figures_is_not_called_held() {
    let sgf = include_bytes!("../../../../../tests/fixtures/sgf/gnubg.sgf");
    let mut record = read_bytes(sgf, "x.sgf").unwrap();
    let held = |record: &Match| {
        let text = Target::Sgf.write(record);
        let left_out = Target::Sgf.left_out(record, &text);
        !left_out
            .iter()
            .any(|line| line.contains("analysed decision"))
    };
    assert!(held(&record));
    let json = Target::Json.write(&record);
    assert_eq!(Target::Json.left_out(&record, &json), [""; 0]);
    let (game, event, mut analysis) = {
        let mut all = record.analyses.iter();
        let first = all.find(|(_, _, analysis)| !analysis.plays.is_empty());
        let (game, event, analysis) = first.unwrap();
        (game, event, analysis.clone())
    };
    analysis.plays[0].equity += 0.25;
    record.analyses.insert(game, event, analysis);
    assert!(!held(&record));
}
