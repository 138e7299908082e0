use super::*;
use crate::cube::Model;
use crate::eval::Engine;
use crate::game::Player;
use crate::match_file;
use crate::review::Report;
use crate::review::report::testing;
use crate::review::report::{html, markdown, signed, text};

fn sample(name: &str) -> Match {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_matches/");
    match_file::read(std::path::Path::new(&format!("{folder}{name}"))).unwrap()
}

fn report(record: &Match) -> Report {
    testing::reviewed(record, 0)
}

/// The luck of all rolls weighs nothing, in money play and at any score, at the first roll too.
#[test]
fn luck_has_the_mean_nought() {
    use crate::game::{GameState, MatchScore, Player, Position, Roll};
    let engine = Engine::embedded();
    let mut state = GameState::money(Position::opening());
    for score in [
        MatchScore::MONEY,
        MatchScore {
            length: 5,
            mover: 3,
            opponent: 1,
            crawford: false,
        },
    ] {
        state.score = score;
        let mut sum = 0.0;
        for roll in Roll::ALL {
            state.roll = Some(roll);
            let one = luck(&engine, Model::standard(), &MatchTurn::alone(state)).unwrap();
            sum += roll.weight() as f32 * one.unnormalised;
        }
        assert!(sum.abs() < 1e-4, "{sum}");
        // No matter who begins: fifteen rolls of each player, with opposite signs.
        let mut sum = 0.0;
        for (player, seen, sign) in [
            (Player::Left, score, 1.0),
            (Player::Right, score.flipped(), -1.0),
        ] {
            for roll in Roll::ALL.into_iter().filter(|r| !r.is_double()) {
                let mut turn = MatchTurn::alone(GameState {
                    score: seen,
                    roll: Some(roll),
                    ..state
                });
                turn.before.player = player;
                turn.action = Some(crate::match_file::Action::Hidden { roll });
                assert!(turn.is_opening_roll());
                sum += sign
                    * luck(&engine, Model::standard(), &turn)
                        .unwrap()
                        .unnormalised;
            }
        }
        assert!(sum.abs() < 1e-4, "{sum}");
    }
}

#[test]
fn threads_change_nothing() {
    let record = sample("clara-dev-3pt.mat");
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| report(&record))
    };
    assert_eq!(on(1), on(3));
    let given_up = analyse_match(&Engine::embedded(), Model::standard(), &record, 1, &|| true);
    assert!(given_up.is_none());
}

/// The players' errors, the luck and the result add up without contradiction.
#[test]
fn figures_add_up() {
    for name in ["anna-ben-7pt.mat", "anna-clara-money.mat"] {
        let record = sample(name);
        let report = report(&record);
        let whole = if report.is_money() { 0.0 } else { 1.0 };
        let [a, b] = &report.players;
        for of in [
            |p: &crate::review::report::PlayerReport| p.result,
            |p: &crate::review::report::PlayerReport| p.luck_adjusted_result,
            |p: &crate::review::report::PlayerReport| p.result_by_errors,
        ] {
            assert!((of(a) + of(b) - whole).abs() < 1e-9);
        }
        let luck = a.figures.luck_unnormalised - b.figures.luck_unnormalised;
        let complete = report.games.iter().all(|g| g.after.is_some());
        assert!(complete);
        assert!((a.result - luck - a.luck_adjusted_result).abs() < 1e-6);
        for (side, player) in report.players.iter().enumerate() {
            let figures = &player.figures;
            let games = || report.games.iter().map(|g| &g.players[side]);
            let error: f64 = games().map(|g| g.error_total).sum();
            assert!((error - figures.error_total).abs() < 1e-9);
            let kinds = figures.checker.error + figures.double.error + figures.take.error;
            assert!((kinds - figures.error_total).abs() < 1e-9);
            let listed: f64 = report
                .worst(f64::MIN_POSITIVE, Some([Player::Left, Player::Right][side]))
                .iter()
                .map(|p| p.error)
                .sum();
            assert!((listed - figures.error_total).abs() < 1e-6);
            let types = &player.types;
            let by_type: f64 = types.iter().map(|t| t.error).sum();
            assert!((by_type - figures.error_total).abs() < 1e-9);
            let counted: u32 = types.iter().map(|t| t.pr_counted.decisions).sum();
            assert_eq!(counted, figures.pr_counted.decisions);
            assert!(types.len() > 3, "{types:?}");
            assert!(figures.pr_counted.decisions <= figures.unforced);
        }
    }
}

/// The result is the chance at the last score: also without the Crawford rule, and with games missing.
#[test]
fn a_match_that_is_won_has_the_result_of_one() {
    let whole = sample("anna-ben-7pt.mat");
    let won = report(&whole).players[0].result;
    assert!(won == 0.0 || won == 1.0, "{won}");
    for (crawford, left_out) in [(false, None), (true, Some(1)), (false, Some(2))] {
        let mut record = sample("anna-ben-7pt.mat");
        record.crawford = crawford;
        if !crawford {
            record
                .games
                .iter_mut()
                .for_each(|game| game.crawford = false);
        }
        if let Some(index) = left_out {
            record.games.remove(index);
        }
        let found = report(&record);
        assert_eq!(found.players[0].result, won);
        assert_eq!(found.players[1].result, 1.0 - won);
        let follows = |games: &[crate::review::report::GameReport]| {
            games[0]
                .after
                .is_some_and(|after| (after - games[1].before).abs() < 1e-6)
        };
        let gaps = found.games.windows(2).filter(|two| !follows(two)).count();
        assert_eq!(gaps, usize::from(left_out.is_some()));
        // What luck and skill made of the games that are there.
        let [a, b] = &found.players;
        let luck = a.figures.luck_unnormalised - b.figures.luck_unnormalised;
        let gain: f64 = found
            .games
            .iter()
            .map(|g| g.after.unwrap() - g.before)
            .sum();
        assert!((found.games[0].before + gain - luck - a.luck_adjusted_result).abs() < 1e-6);
    }
}

/// With the luck gone the two ways to tell a match come near each other: here within what a static
/// evaluation errs.
#[test]
fn errors_explain_what_luck_leaves() {
    let report = report(&sample("anna-ben-7pt.mat"));
    let [a, _] = &report.players;
    let rest = a.luck_adjusted_result - a.result_by_errors;
    assert!(rest.abs() < 0.35, "{rest}");
    assert!((a.result - a.luck_adjusted_result).abs() > 0.05);
}

#[test]
fn documents_are_read_back_and_written_out() {
    let mut record = sample("clara-dev-3pt.mat");
    record.players[0] = "<b>C & \"c\"|*".to_owned();
    let mut report = report(&record);
    report.file = Some("/home/c/private/match.mat".to_owned());
    report.games[0].moves[2].note = Some("a <b> | note".to_owned());
    let kept = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<Report>(&kept).unwrap(), report);
    let page = html::write(&report, None);
    assert_lacks!(page, "<b>C &");
    assert_has!(page, "&lt;b&gt;C &amp; &quot;c&quot;|*");
    for outside in ["<script ", "http:", "https:", "src=", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    // The page's own lines, which copy an identifier, are the only script.
    assert_eq!(page.matches("<script").count(), 1);
    assert_has!(page, "<code>XGID=");
    for (open, close) in [
        ("<svg", "</svg>"),
        ("<table", "</table>"),
        ("<details", "</details>"),
        ("<article", "</article>"),
    ] {
        let count = |what| page.matches(what).count();
        assert_eq!(count(open), count(close), "{open}");
        assert!(count(open) > 0, "{open}");
    }
    // Every link leads somewhere.
    for link in page.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap();
        let places = [
            format!("<tr id=\"{id}\">"),
            format!("<article class=\"card\" id=\"{id}\">"),
        ];
        assert!(places.iter().any(|place| page.contains(place)), "{id}");
    }
    assert!(page.contains("match.mat") && !page.contains("private"));
    let markdown = markdown::write(&report, Some(Player::Left));
    assert_has!(markdown, "&lt;b>C &amp; \"c\"\\|\\*", "a &lt;b> \\| note");
    assert_has!(page, "a &lt;b&gt; | note");
    let plain = text::write(&report, Some(Player::Right));
    assert_has!(plain, "luck-adjusted result", "kind of position");
    assert_has!(plain, "a <b> | note");
}

/// A long name in the heads of the games' figures is seen to be cut.
#[test]
fn long_names_are_cut_with_a_sign() {
    let mut record = sample("clara-dev-3pt.mat");
    record.players = ["Kévin Ungerer", "Jo"].map(Into::into);
    let plain = text::write(&report(&record), None);
    assert_has!(plain, "PR Kévin Ung… ");
}

#[test]
fn nought_has_no_minus() {
    let all = [0.0, -0.0004, -0.0006, 1.25].map(|v| signed(v, 3));
    assert_eq!(all, ["+0.000", "+0.000", "-0.001", "+1.250"]);
}
