use proptest::prelude::*;

use super::*;
use crate::cube::equity_table::EquityTable;
use crate::cube::money;
use crate::cube::{CubeAction, CubeDecision};
use crate::game::Rules;

fn near(actual: f32, expected: f32, within: f32) {
    assert!(
        (actual - expected).abs() <= within,
        "{actual} is not {expected}"
    );
}

fn single(win: f32) -> Probabilities {
    Probabilities {
        win,
        ..Probabilities::default()
    }
}

fn at(mine: u16, theirs: u16) -> CubeContext {
    CubeContext::at_score(EquityTable::standard(), mine, theirs, false)
}

fn cube(level: u8, owner: CubeOwner) -> Cube {
    Cube { level, owner }
}

const OWNERS: [CubeOwner; 3] = [CubeOwner::Centred, CubeOwner::Mover, CubeOwner::Opponent];

fn chances() -> impl Strategy<Value = Probabilities> {
    let unit = || 0.0f32..=1.0;
    (unit(), unit(), unit(), unit(), unit()).prop_map(|(win, g, b, lg, lb)| Probabilities {
        win,
        win_gammon: win * g,
        win_backgammon: win * g * b,
        lose_gammon: (1.0 - win) * lg,
        lose_backgammon: (1.0 - win) * lg * lb,
    })
}

/// At 2-away 2-away a double makes this the last game: the cash and take points without gammons are the
/// chances at 1-away 2-away and 2-away 1-away, and the next cube is dead.
#[test]
fn two_away_two_away() {
    let table = EquityTable::standard();
    let c = at(2, 2);
    let cubeful = c.cubeful_values(&single(0.5), 0.7, 0);
    near(
        cubeful.live_take_point(0).unwrap(),
        table.chance(2, 1, false),
        1e-6,
    );
    near(
        cubeful.live_cash_point(0).unwrap(),
        table.chance(1, 2, false),
        1e-6,
    );
    assert_eq!(cubeful.dead_take_point(0), cubeful.live_take_point(0));
    assert_eq!(cubeful.no_double(cube(1, CubeOwner::Mover)), 0.5);
}

/// Post-Crawford, trailer 4-away: after a take, the game decides the match except for the leader's dead cube.
/// The leader may pass to 3-away, so takes while the trailer's chance is below the ratio of the chances at
/// 3-away and 2-away.
#[test]
fn the_trailer_doubles_for_nothing() {
    let table = EquityTable::standard();
    let c = at(4, 1);
    let cubeful = c.cubeful_values(&single(0.45), 0.68, 0);
    let (three, two) = (table.chance(3, 1, true), table.chance(2, 1, true));
    near(cubeful.live_cash_point(0).unwrap(), three / two, 1e-6);
    let values = cubeful.values(Cube::CENTRED);
    // Waiting is as good as doubling, for any cube efficiency.
    near(values.no_double, 0.45 * two, 1e-6);
    near(values.double_take.unwrap(), 0.45 * two, 1e-6);
    // The leader's view is consistent.
    let leader = c.flipped();
    let seen = leader
        .cubeful_values(&single(0.55), 0.68, 0)
        .values(Cube::CENTRED);
    near(seen.no_double, 1.0 - 0.45 * two, 1e-6);
    assert_eq!(seen.double_take, None);
}

/// The live take point of a cube at 2 at 4-away 4-away, known from the literature as a recursion; computed
/// here by hand from the table. At 4 both players' cubes are dead. At 2 the taker may redouble to 4, which
/// ends the match either way.
#[test]
fn a_redouble_is_in_the_take_point() {
    let table = EquityTable::standard();
    let c = at(4, 4);
    let cubeful = c.cubeful_values(&single(0.3), 1.0, 0);
    let m = |a, b| table.chance(a, b, false);
    // My cash point at 2: the opponent passes to (2, 4) or plays for the match.
    let cash2 = m(2, 4);
    near(cubeful.live_cash_point(1).unwrap(), cash2, 1e-6);
    // My take point at 1: the value of losing 1, between losing 2 and cashing at 2.
    let take = cash2 * (m(4, 3) - m(4, 2)) / (m(2, 4) - m(4, 2));
    near(cubeful.live_take_point(0).unwrap(), take, 1e-6);
    let dead = (m(4, 3) - m(4, 2)) / (m(2, 4) - m(4, 2));
    near(cubeful.dead_take_point(0).unwrap(), dead, 1e-6);
    assert!(take < dead);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// In money play the general construction equals Janowski's formulas.
    #[test]
    fn money_is_janowski(p in chances(), x in 0.0f32..=1.0, jacoby: bool, level in 0u8..6) {
        let context = CubeContext::money(Rules { jacoby, ..Rules::default() });
        let cubeful = context.cubeful_values(&p, x, 0);
        for owner in OWNERS {
            let mute = jacoby && owner == CubeOwner::Centred;
            let expected = cube(level, owner).value() * money::equity(&p, owner, mute, x);
            let value = cubeful.no_double(cube(level, owner));
            prop_assert!((value - expected).abs() < 1e-3, "{value} {expected}");
        }
    }

    /// At every score: flipping the board flips the value. Owning the cube is worth at least as much as a
    /// centred cube, and that at least as much as facing it. A dead cube (efficiency 0) without free doubles
    /// has the mean value of the results.
    #[test]
    fn the_cube_is_fair(
        p in chances(), x in 0.0f32..=1.0, mine in 2u16..15, theirs in 2u16..15, level in 0u8..4,
    ) {
        let context = at(mine, theirs);
        let other = context.flipped();
        let flipped = p.flipped();
        let (here, there) = (context.cubeful_values(&p, x, 0), other.cubeful_values(&flipped, x, 0));
        let value = |owner| here.no_double(cube(level, owner));
        for owner in OWNERS {
            let cube = cube(level, owner);
            let free = (0..2).any(|side| context.is_free(side, level));
            if !free {
                let sum = here.no_double(cube) + there.no_double(cube.flipped());
                prop_assert!((sum - 1.0).abs() < 1e-4, "{sum}");
            }
            prop_assert!((-1e-5..=1.00001).contains(&here.no_double(cube)));
            prop_assert!((-1e-5..=1.00001).contains(&here.best(cube)));
        }
        prop_assert!(value(CubeOwner::Mover) >= value(CubeOwner::Centred) - 1e-4);
        prop_assert!(value(CubeOwner::Opponent) <= value(CubeOwner::Centred) + 1e-4);
    }

    /// The two ends of a centred cube add up to the difference between its live and its dead value, each with
    /// the sign of its player.
    #[test]
    fn the_ends_are_all_that_is_live(p in chances(), jacoby: bool, mine in 2u16..15, theirs in 2u16..15) {
        let rules = Rules { jacoby, ..Rules::default() };
        for context in [CubeContext::money(rules), at(mine, theirs)] {
            let live = context.cubeful_values(&p, 1.0, 0);
            let ends = live.ends(Cube::CENTRED);
            if !(0..2).any(|side| context.is_free(side, 0)) {
                let sum = ends.dead + ends.own + ends.other;
                prop_assert!((sum - live.no_double(Cube::CENTRED)).abs() < 1e-4);
            }
            let facing = live.ends(cube(0, CubeOwner::Opponent));
            prop_assert!(facing.own == 0.0 && facing.other <= 1e-5, "{facing:?}");
        }
    }

    /// Without gammons a cube is worth at most itself, even if its two ends differ, so nobody is too good to
    /// double.
    #[test]
    fn nobody_is_too_good_without_gammons(
        win in 0.0f32..=1.0, x in 0.0f32..=1.2, y in 0.0f32..=1.2, jacoby: bool,
        mine in 2u16..15, theirs in 2u16..15, owner in 0usize..2,
    ) {
        let efficiencies = CubeEfficiencies { own: x, other: y, centred: [x, y] };
        // Trained efficiencies may exceed 1.
        let stands = cube(0, OWNERS[owner]);
        let rules = Rules { jacoby, ..Rules::default() };
        for context in [CubeContext::money(rules), at(mine, theirs)] {
            let lines = context.cubeful_values(&single(win), efficiencies, 0);
            let values = lines.values(stands);
            let points = context.to_points(0, values.no_double);
            prop_assert!(points.abs() <= 1.0001, "{points}");
            let action = CubeDecision::new(&context, stands, &values).action;
            let too_good = [CubeAction::TooGoodTake, CubeAction::TooGoodPass];
            prop_assert!(!too_good.contains(&action), "{values:?}");
        }
    }

    /// Better chances never lower the value before the doubling decision.
    #[test]
    fn values_rise(
        g in 0.0f32..0.6, lg in 0.0f32..0.6, x in 0.0f32..=1.0,
        mine in 1u16..12, theirs in 1u16..12, level in 0u8..3,
    ) {
        let context = at(mine, theirs);
        for owner in OWNERS {
            let mut last = -1.0f32;
            for i in 0..=50 {
                let win = i as f32 / 50.0;
                let p = Probabilities {
                    win,
                    win_gammon: win * g,
                    lose_gammon: (1.0 - win) * lg,
                    ..Probabilities::default()
                };
                let best = context.cubeful_values(&p, x, 0).best(cube(level, owner));
                prop_assert!(best >= last - 1e-5, "{win} {owner:?}: {best} < {last}");
                last = best;
            }
        }
    }
}
