use std::sync::Arc;
use std::sync::atomic::AtomicIsize;

use super::*;
use crate::eval::Engine;
use crate::game::{CubeOwner, Play};
use crate::match_file::analysis::PlayVerdict;
use crate::match_file::read_bytes;
use crate::notation::parse_play;
use crate::review::analyse_match;
use crate::review::match_rollouts::DecisionRollout;

const MATCH: &[u8] = include_bytes!("../../../tests/fixtures/mat/three_points.mat");

/// Returns a file's claim that 24/23 13/10 is the best play of the first roll, with this error of the play made.
fn claim(level: &str, error: Option<f64>) -> Claim {
    claimed_by(&|analysis, plays| {
        analysis.plays = plays(level);
        (analysis.played, analysis.error) = (Some(1), error);
    })
}

/// The same where the file does not list the play that was made.
fn claim_without_the_made_play(error: f64) -> Claim {
    claimed_by(&|analysis, plays| {
        analysis.plays = plays("3-ply");
        analysis.plays.truncate(1);
        analysis.error = Some(error);
    })
}

/// Gives the plays, the second one at this level.
type Plays<'a> = &'a dyn Fn(&str) -> Vec<PlayVerdict>;

fn claimed_by(fill: &dyn Fn(&mut Analysis, Plays<'_>)) -> Claim {
    let mut record = read_bytes(MATCH, "x.mat").unwrap();
    let engine = Engine::embedded();
    let model = Model::standard();
    let analysed = analyse_match(&engine, model, &record, 0, &|| false).unwrap();
    let state = &analysed[0].turn.before.state;
    let verdict = |text, level: &str, equity| PlayVerdict {
        play: parse_play(text, &state.position, state.roll.unwrap()).unwrap(),
        level: level.to_owned(),
        equity,
        chances: None,
    };
    let plays = |level: &str| {
        vec![
            verdict("24/23 13/10", "3-ply", 0.2),
            verdict("8/5 6/5", level, 0.15),
        ]
    };
    let mut analysis = Analysis::of("another program", Vec::new());
    fill(&mut analysis, &plays);
    record.analyses.insert(0, 0, analysis);
    let lookahead = LookaheadSetup {
        evaluator: &engine,
        model,
        ply: 0,
    };
    let all = claims(&record, &analysed, &lookahead);
    assert_eq!(all.len(), 1);
    all[0].claim.clone()
}

#[test]
fn an_error_costs_what_the_file_says_where_its_equities_do_not_compare() {
    let claimed = |level, error| claim(level, error).claimed;
    assert_eq!(claimed("1-ply", Some(0.06)), Some(0.06));
    assert_eq!(claimed("1-ply", None), None);
    let alike = claimed("3-ply", Some(0.06)).unwrap();
    assert!((alike - 0.05).abs() < 1e-12, "{alike}");
}

/// A program may list few plays: what it says of the one that was made is an opinion all the same.
#[test]
fn an_error_is_about_the_play_that_was_made() {
    let listed = claim("3-ply", Some(0.06));
    let unlisted = claim_without_the_made_play(0.06);
    assert!(unlisted.is_error);
    assert_eq!(unlisted.claimed, Some(0.06));
    let (ClaimKind::Plays(_, a), ClaimKind::Plays(_, b)) = (listed.kind, unlisted.kind) else {
        panic!("both are about plays");
    };
    assert_eq!(a, b);
}

/// An error that is written as 0.020 counts as one, as everywhere.
#[test]
fn an_error_is_one_as_it_is_written() {
    assert!(claim("3-ply", Some(0.0196)).is_error);
    assert!(!claim("3-ply", Some(0.0194)).is_error);
}

/// Where the file and lookahead see no difference at any depth there is none to be rolled out.
#[test]
fn an_opinion_about_equals_is_agreed() {
    let mut claim = claim("3-ply", None);
    let is_agreed = |claim: &mut Claim, claimed, ours, are_alike| {
        claim.looked_ahead = ours;
        claim.expected_loss = expected_loss(claimed, ours, 0.0, are_alike);
        claim.is_agreed()
    };
    assert!(is_agreed(&mut claim, Some(0.0), 0.0, true));
    assert!(is_agreed(&mut claim, None, -1e-8, true));
    assert_eq!(claim.expected_loss, 0.0);
    // The same value by other chances is a tie that may end either way, and a file that sees a difference disagrees.
    assert!(!is_agreed(&mut claim, Some(0.0), 0.0, false));
    assert!(!is_agreed(&mut claim, Some(0.05), 0.0, true));
    assert!(claim.expected_loss > 0.002, "{}", claim.expected_loss);
}

#[test]
fn a_cube_of_ones_own_is_redoubled() {
    let mut claim = claim("3-ply", None);
    claim.kind = ClaimKind::Double;
    claim.actions = Some([CubeChoice::NoDouble, CubeChoice::Double]);
    claim.state.roll = None;
    let play = |_: &Play| String::new();
    let names = ["no double", "double"];
    assert_eq!(claim.words(&play), names);
    (claim.state.cube, claim.state.owner) = (2, CubeOwner::Mover);
    assert_eq!(claim.words(&play), ["no redouble", "redouble"]);
    // The machine output has one name for both.
    assert_eq!(claim.choices(&play), names);
}

/// Keeps what it is given, and lets `left` more rounds of trials be played.
#[derive(Default)]
struct Keeper {
    left: AtomicIsize,
    kept: Mutex<Option<Progress>>,
    seen: AtomicUsize,
}

impl Follower for Keeper {
    fn goes_on(&self) -> bool {
        self.left.fetch_sub(1, Ordering::Relaxed) > 0
    }

    fn kept(&self, _: &DecisionRollout<'_>) -> Option<Progress> {
        self.kept.lock().unwrap().clone()
    }

    fn seen(&self, _: &DecisionRollout<'_>, _: &RolloutResult) {
        self.seen.fetch_add(1, Ordering::Relaxed);
    }

    fn cut_short(&self, _: &DecisionRollout<'_>, progress: &Progress) {
        *self.kept.lock().unwrap() = Some(progress.clone());
    }
}

#[test]
fn a_rollout_that_is_cut_short_is_kept_and_gone_on_with() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let setup = Setup::from(evaluator);
    let claim = claim("3-ply", None);
    let limits = VerificationLimits {
        decisions: 1,
        trials: 72,
    };
    let run = |keeper: &Keeper, left: isize| {
        keeper.left.store(left, Ordering::Relaxed);
        let mut all = [Verified {
            claim: claim.clone(),
            rolled: None,
            verdict: Verdict::Open,
        }];
        roll_out(&mut all, &setup, &limits, keeper, &|_, _| ());
        all[0].rolled.unwrap()
    };
    let keeper = Keeper::default();
    // One to begin, none for a second round.
    let cut = run(&keeper, 1);
    assert_eq!((cut.trials, cut.ended), (36, false));
    assert_eq!(keeper.seen.swap(0, Ordering::Relaxed), 1);
    let gone_on = run(&keeper, isize::MAX);
    assert_eq!((gone_on.trials, gone_on.ended), (72, true));
    assert_eq!(
        keeper.seen.load(Ordering::Relaxed),
        0,
        "the first round is not played again"
    );
    assert_eq!(gone_on, run(&Keeper::default(), isize::MAX));
}

/// An opinion is overturned only where the rollout is decided, and too close by the same rule as everywhere.
#[test]
fn a_verdict_is_the_standing_of_the_rollout() {
    let verdict = |difference, anytime95| {
        Verdict::of(&Rolled {
            difference,
            anytime95,
            trials: 720,
            ended: false,
        })
    };
    let ever = f64::INFINITY;
    assert_eq!(verdict(-0.03, [-0.05, -0.01]), Verdict::Overturned);
    assert_eq!(verdict(0.03, [0.01, 0.05]), Verdict::Confirmed);
    assert_eq!(verdict(-0.03, [-0.08, 0.01]), Verdict::Open);
    assert_eq!(verdict(-0.9, [-ever, ever]), Verdict::Open);
    assert_eq!(verdict(0.002, [-0.004, 0.008]), Verdict::TooClose);
}
