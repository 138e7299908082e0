use super::names::fold;
use super::*;
use crate::cube::Model;
use crate::eval::Engine;
use crate::game::{GameState, Position, Roll};
use crate::match_file::{Match, read_bytes};
use crate::notation::{parse_id, xgid_text};
use crate::review::report::testing;
use crate::review::{Class, Report};

fn reviewed() -> (Match, Report, Vec<Decision>) {
    let text = include_bytes!("../../sample_matches/clara-dev-3pt.mat");
    let record = read_bytes(text, "x.mat").unwrap();
    let (engine, model) = (Engine::embedded(), Model::standard());
    let report = testing::reviewed(&record, 0);
    let all = decisions(&record, &report, &engine, model);
    (record, report, all)
}

#[test]
fn the_decisions_of_a_match_come_to_its_figures() {
    let (record, report, all) = reviewed();
    assert!(all.len() > 20);
    for (side, player) in report.players.iter().enumerate() {
        let own = || all.iter().filter(|d| d.player.index() == side);
        let figures = &player.figures;
        assert_eq!(own().count() as u32, figures.unforced);
        let error: f64 = own().map(|d| f64::from(d.error)).sum();
        assert!((error - figures.error_total).abs() < 1e-4);
        let loss: f64 = own().map(|d| f64::from(d.loss)).sum();
        assert!((loss - figures.error_unnormalised).abs() < 1e-4);
        // The filter words find exactly the errors that the review counts.
        for row in player.cube_errors.iter().flatten() {
            let filter = Filter::parse(row.kind.filter()).unwrap();
            let head = MatchHead::new(&record, &report, "");
            let people = People::default();
            let fit = filter.match_fit(&FilteredMatch::new(1, &head, &people));
            let found = own().filter(|d| filter.fits(&fit, &PackedDecision::from(*d)));
            assert_eq!(found.count() as u32, row.errors, "{row:?}");
        }
        let plays = own().filter(|d| d.class == Class::Checker).count();
        assert_eq!(plays as u32, figures.checker.decisions);
        assert_eq!(
            own().filter(|d| d.in_pr).count() as u32,
            figures.pr_counted.decisions
        );
    }
    for one in &all {
        assert_eq!(one.class != Class::Checker, one.state.roll.is_none());
        assert_eq!(one.state.doubled, one.class == Class::Take);
        if one.error > 0.0 && one.class != Class::Double {
            assert_ne!(one.played, one.best);
        }
    }
    let head = MatchHead::new(&record, &report, "2026-11-20");
    let text = serde_json::to_string(&head).unwrap();
    assert_eq!(serde_json::from_str::<MatchHead>(&text).unwrap(), head);
}

/// The review's flag decides, whatever the listed plays' equities.
#[test]
fn a_play_counts_for_pr_where_the_review_says_so() {
    let (record, mut report, _) = reviewed();
    for counts in [false, true] {
        for one in report.games.iter_mut().flat_map(|game| &mut game.moves) {
            one.in_pr = Some(counts);
        }
        let all = decisions(&record, &report, &Engine::embedded(), Model::standard());
        let mut plays = all.iter().filter(|one| one.class == Class::Checker);
        assert!(plays.all(|one| one.in_pr == counts));
    }
}

#[test]
fn a_packed_decision_is_the_same_decision() {
    let (_, _, all) = reviewed();
    for one in &all {
        let packed = PackedDecision::from(one);
        let bytes = bytemuck::bytes_of(&packed).to_vec();
        let read = PackedDecision::read(&bytes).unwrap()[0];
        let back = read.unpack().unwrap();
        assert!((back.chances.win - one.chances.win).abs() < 1e-4);
        let back = Decision {
            chances: one.chances,
            ..back
        };
        assert_eq!(back, *one);
        assert_eq!(xgid_text(&back.state), xgid_text(&one.state));
        let position = &one.state.position;
        assert_eq!(
            packed.pips(),
            [position.mover.pips(), position.opponent.pips()]
        );
        assert_eq!(packed.away(), one.state.score.away());
    }
    let mut damaged = PackedDecision::from(&all[0]);
    damaged.sides[0][3] = 0x12;
    assert_eq!(damaged.unpack(), None);
}

/// Arbitrary bytes unpack to a decision or to nothing, without a panic.
#[test]
fn bytes_that_are_no_decision_do_no_harm() {
    for byte in 0..=255u8 {
        let bytes = [byte; size_of::<PackedDecision>()];
        let one = PackedDecision::read(&bytes).unwrap()[0];
        let _ = (
            one.unpack(),
            one.pips(),
            one.away(),
            one.chances(),
            one.kind(),
        );
    }
    assert!(PackedDecision::read(&[0; 7]).is_none());
}

/// The records are in files that are years old. A changed layout needs a new version of the library file and code to
/// read the old one.
#[test]
fn the_record_is_laid_out_as_it_was() {
    let state = GameState {
        roll: Roll::new(3, 1),
        ..parse_id("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:2:4:0:7:10").unwrap()
    };
    let one = Decision {
        game: 1,
        event: 2,
        turn: 3,
        number: 4,
        player: crate::game::Player::Right,
        class: Class::Checker,
        kind: crate::review::PositionType::of(&Position::opening()),
        state,
        played: Answer::Play(
            crate::notation::parse_play("8/5 6/5", &state.position, Roll::new(3, 1).unwrap())
                .unwrap(),
        ),
        best: Answer::Best(crate::cube::CubeAction::DoublePass),
        error: 0.25,
        loss: 0.125,
        equity: -0.5,
        chances: crate::eval::Probabilities {
            win: 0.5,
            ..Default::default()
        },
        luck: 0.75,
        ply: 2,
        rolled: true,
        in_pr: true,
        silent: false,
    };
    let bytes = bytemuck::bytes_of(&PackedDecision::from(&one)).to_vec();
    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(
        hex,
        "000000558888d8ddddddddddff000000558888d8ddddddddddff00000d0002010402\
         0100000002000000030000000400000007000200040008050605fffffffffd02ffff\
         ffffffff0000803e0000003e000000bf0000403f00800000000000000000"
    );
}

#[test]
fn names_are_folded() {
    assert_eq!(fold("  Žofie   ØSTERGAARD "), "zofie ostergaard");
    assert_eq!(fold("Jose\u{301}"), fold("JOSÉ"));
    assert_eq!(fold("望月"), "望月");
    assert_eq!(fold(""), "");
}

#[test]
fn names_of_one_player_count_together() {
    let mut people = People::default();
    people.set_me("Anna", true);
    people.set_same("annak", "Anna");
    people.set_same("A. Kovács", "ANNAK");
    assert!(
        ["anna", "AnnaK", "a. kovacs"]
            .iter()
            .all(|name| people.is_me(name))
    );
    assert!(!people.is_me("Ben"));
    // If a player turns out to be another, all names move along.
    people.set_same("Anna", "Anna Kovács");
    assert!(
        ["anna", "AnnaK", "a. kovacs", "anna kovacs"]
            .iter()
            .all(|n| people.is_me(n))
    );
    let rows = people
        .rows()
        .map(|(a, b, me)| (a.to_owned(), b.to_owned(), me));
    assert_eq!(People::from_rows(rows.collect::<Vec<_>>()), people);
    people.set_alone("annak");
    assert!(!people.is_me("annak") && people.is_me("anna"));
    people.set_me("A. Kovács", false);
    assert!(!people.knows_me());
}

/// Separating two players restores who is the user, whichever of them it was.
#[test]
fn a_slip_that_is_undone_leaves_the_user_who_they_were() {
    for (name, player) in [("Anna", "Ben"), ("Ben", "Anna")] {
        for parted in ["Anna", "Ben"] {
            let mut people = People::default();
            people.set_me("Anna", true);
            let before = people.clone();
            people.set_same(name, player);
            assert!(people.is_me("Ben") && people.mine().eq([fold(player)]));
            people.set_alone(parted);
            assert_eq!(people, before);
        }
    }
}

/// If the name that others are assigned to becomes separate, the first of the others takes its place.
#[test]
fn the_others_stay_one_player_where_the_name_they_go_by_leaves() {
    let mut people = People::default();
    people.set_me("Anna", true);
    for other in ["annak", "A. Kovács", "Zora"] {
        people.set_same(other, "Anna");
    }
    people.set_same("benny", "Ben");
    people.set_alone("ANNA");
    assert_eq!(people.player("Anna"), "anna");
    for other in ["annak", "A. Kovács", "Zora"] {
        assert_eq!(people.player(other), "a. kovacs");
        assert!(!people.is_me(other));
    }
    assert!(people.is_me("anna") && !people.is_me("ben"));
    assert_eq!(people.player("benny"), "ben");
    // No other name is assigned to it any more.
    let before = people.clone();
    people.set_alone("Anna");
    assert_eq!(people, before);
}

/// An error written as 0.020 counts as at least 0.02 for marks, figures and searches.
#[test]
fn errors_are_held_against_thresholds_as_they_are_written() {
    let (record, report, all) = reviewed();
    let head = MatchHead::new(&record, &report, "2026-11-20");
    let nobody = People::default();
    let found = |filter: &str, least: f32, error: f32| {
        let search = Search {
            filter: Filter::parse(filter).unwrap(),
            least,
            most: 1,
            ..Search::default()
        };
        let one = Decision { error, ..all[0] };
        let fit = search
            .filter
            .match_fit(&FilteredMatch::new(1, &head, &nobody));
        let mut run = SearchRun::new(&search);
        run.visit(1, &fit, 0.0, &[PackedDecision::from(&one)]);
        run.finish().total == 1
    };
    for (filter, least) in [("", 0.02), ("error>=0.02", 0.0), ("!mark:fine", 0.0)] {
        assert!(found(filter, least, 0.0196), "{filter}");
        assert!(!found(filter, least, 0.0194), "{filter}");
    }
    assert!(found("error:0.02", 0.0, 0.0204) && !found("error>0.02", 0.0, 0.0204));
}

/// A search agrees with a linear scan of all decisions.
#[test]
fn searches_agree_with_a_slow_scan() {
    type Slow = fn(&Decision) -> bool;
    let (record, report, all) = reviewed();
    let head = MatchHead::new(&record, &report, "2026-11-20");
    let packed: Vec<PackedDecision> = all.iter().map(PackedDecision::from).collect();
    let nobody = People::default();
    let queries: [(&str, Slow); 10] = [
        ("", |_| true),
        ("checker error>=0.05", |d| {
            d.class == Class::Checker && (1000.0 * d.error).round() >= 50.0
        }),
        ("cube !take", |d| d.class == Class::Double),
        ("player:clara", |d| d.player == crate::game::Player::Left),
        ("race,lead", |_| false),
        ("pips<100 opponent-pips>60", |d| {
            d.state.position.mover.pips() < 100 && d.state.position.opponent.pips() > 60
        }),
        ("win>70", |d| (d.chances.win * 1e4).round() > 7000.0),
        ("dice:doubles", |d| {
            d.state.roll.is_some_and(|roll| roll.is_double())
        }),
        ("score:1-2,2-1", |d| {
            matches!(d.state.score.away(), Some((1, 2) | (2, 1)))
        }),
        ("move<=5 contact", |d| {
            d.number <= 5 && !d.state.position.is_race()
        }),
    ];
    for (text, slow) in queries {
        let filter = Filter::parse(text).unwrap();
        let fit = filter.match_fit(&FilteredMatch::new(1, &head, &nobody));
        let search = Search {
            filter,
            most: 7,
            ..Search::default()
        };
        let mut run = SearchRun::new(&search);
        run.visit(1, &fit, 0.0, &packed);
        let result = run.finish();
        let mut wanted: Vec<&Decision> = all.iter().filter(|d| slow(d)).collect();
        assert_eq!(result.total, wanted.len(), "{text}");
        wanted.sort_by(|a, b| b.error.total_cmp(&a.error));
        wanted.truncate(7);
        let found: Vec<PackedDecision> = result.found.iter().map(|found| found.decision).collect();
        let wanted: Vec<PackedDecision> = wanted.into_iter().map(PackedDecision::from).collect();
        assert_eq!(found, wanted, "{text}");
    }
    // The nearest of each game, without the reference's own game.
    let one = all
        .iter()
        .find(|d| d.class == Class::Checker && d.game == 1)
        .unwrap();
    let search = Search {
        like: Some(Likeness::to(&one.state)),
        most: 10,
        ..Search::default()
    };
    let mut run = SearchRun::new(&search);
    let one_match = FilteredMatch::new(1, &head, &nobody);
    let fit = search.filter.match_fit(&one_match);
    run.visit(1, &fit, 0.0, &packed);
    let result = run.finish();
    // All results can be listed.
    assert_eq!(result.total, result.found.len());
    let found = result.found;
    let sums = |d: &Decision| super::packed::sums(&d.state.position);
    let own = sums(one);
    let mut nearest: Vec<(u32, u32)> = (0..report.games.len() as u32)
        .filter(|game| *game != one.game)
        .filter_map(|game| {
            let of = all
                .iter()
                .filter(|d| d.game == game && d.class == Class::Checker);
            Some((
                of.map(|d| super::similar::distance(&own, &sums(d))).min()?,
                game,
            ))
        })
        .collect();
    nearest.sort_unstable();
    let found: Vec<(u32, u32)> = found
        .iter()
        .map(|f| (f.distance.unwrap(), f.decision.game()))
        .collect();
    assert_eq!(found.len(), nearest.len());
    let only = |all: &[(u32, u32)]| all.iter().map(|one| one.0).collect::<Vec<_>>();
    assert_eq!(only(&found), only(&nearest));
}
