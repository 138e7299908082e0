//! A training that is stopped and continued, and folders it refuses.

use super::*;
use std::fs;

fn smoke() -> &'static Recipe {
    Recipe::named("smoke").unwrap()
}

/// Stopped and reopened after every round or not, the net is the same to the last bit.
#[test]
fn continuing_is_as_if_never_stopped() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut through = TrainingSession::open(folders[0].path(), smoke(), 3).unwrap();
    while through.round() {}
    let mut session = TrainingSession::open(folders[1].path(), smoke(), 3).unwrap();
    while session.round() {
        session.save().unwrap();
        session = TrainingSession::open(folders[1].path(), smoke(), 3).unwrap();
    }
    // Compared without printing millions of bytes.
    assert!(through.net().to_bytes() == session.net().to_bytes());
    assert!(through.luck_net().to_bytes() == session.luck_net().to_bytes());
    let pruning = [&through, &session].map(|s| s.pruning_net().to_bytes());
    assert!(pruning[0] == pruning[1]);
    assert!(through.progress().positions > 1000);
}

/// Samples of another training have an effect from the first stage with lookahead on.
#[test]
fn samples_of_another_training_are_learnt_from() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let mut other = TrainingSession::open(folders[0].path(), smoke(), 3).unwrap();
    let until = |session: &mut TrainingSession, stage: usize| {
        while session.progress().stage < stage {
            session.round();
        }
    };
    until(&mut other, 1);
    other.round();
    other.save().unwrap();
    let mut nets = [false, true].map(|also| {
        let folder = &folders[1 + usize::from(also)];
        let mut session = TrainingSession::open(folder.path(), smoke(), 4).unwrap();
        if also {
            session.learn_also(folders[0].path()).unwrap();
        }
        until(&mut session, 1);
        let before = session.net().to_bytes();
        until(&mut session, 2);
        [before, session.net().to_bytes()]
    });
    let [alone, with] = &mut nets;
    assert!(alone[0] == with[0] && alone[1] != with[1]);
}

#[test]
fn a_training_begins_with_nets() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [from, to] = [&folders[0], &folders[1]].map(|f| f.path());
    let open = || TrainingSession::open(to, smoke(), 8).unwrap();
    assert!(matches!(
        open().begin_with(from),
        Err(NetError::Read { .. })
    ));
    let mut before = TrainingSession::open(from, smoke(), 3).unwrap();
    before.round();
    before.save().unwrap();
    let mut session = open();
    session.begin_with(from).unwrap();
    assert!(session.net().real() == before.net().real());
    let seen = before.progress().positions;
    assert!(seen > 0);
    assert_eq!(session.progress().positions, seen);
    assert_eq!(session.net().header().positions, seen);
    session.round();
    session.save().unwrap();
    // Once begun, the training keeps its own nets.
    let mut again = open();
    again.begin_with(from).unwrap();
    assert!(again.net().to_bytes() == session.net().to_bytes());
    // That stage does not train the luck net.
    assert!(again.luck_net().to_bytes() == before.luck_net().to_bytes());
}

/// A checkpoint before the first round counts: its weights stay.
#[test]
fn a_training_that_has_begun_keeps_its_nets() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [from, to] = [&folders[0], &folders[1]].map(|f| f.path());
    let mut other = TrainingSession::open(from, smoke(), 3).unwrap();
    other.save().unwrap();
    let open = || TrainingSession::open(to, smoke(), 8).unwrap();
    let mut session = open();
    session.save().unwrap();
    let mut again = open();
    again.begin_with(from).unwrap();
    assert!(again.net().to_bytes() == session.net().to_bytes());
    assert!(again.net().to_bytes() != other.net().to_bytes());
}

#[test]
fn samples_are_those_that_were_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = |round: u64, kind: &str| folder.path().join(format!("round-{round}.{kind}"));
    // Files left by another training do not count as its own.
    for round in 0..8 {
        fs::write(file(round, "samples"), []).unwrap();
        fs::write(file(round, "luck"), []).unwrap();
    }
    let open = || TrainingSession::open(folder.path(), smoke(), 3);
    let mut session = open().unwrap();
    while session.progress().stage < 1 || session.progress().round < 1 {
        session.round();
    }
    session.save().unwrap();
    assert!(open().unwrap().window == session.window);
    let newest = file(session.rounds_played() - 1, "samples");
    let mut bytes = fs::read(&newest).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&newest, bytes).unwrap();
    assert!(matches!(open(), Err(TrainError::Samples { .. })));
}

#[test]
fn rivals_are_drawn_together() {
    let sample = |p: f32| {
        let position = crate::game::Position::opening();
        Sample::new(&position, &[p, 0.0, 0.0, 1.0 - p, 0.0, 0.0])
    };
    // Each round has a single sample and a pair of rivals.
    let round = [sample(0.1), sample(0.2).with_rival(), sample(0.3)];
    let mut seen = [0; 3];
    draw(&[&round, &round], 8, 400.0, 7, |batch| {
        let place = |s: &Sample| round.iter().position(|r| r == s).expect("one of the three");
        let places: Vec<usize> = batch.iter().map(|s| place(s)).collect();
        for (i, &p) in places.iter().enumerate() {
            seen[p] += 1;
            assert!(p != 1 || places[i + 1] == 2);
            assert!(p != 2 || places[i - 1] == 1);
        }
        0.0
    });
    // All are drawn about equally often.
    assert!(seen.iter().all(|n| (350..500).contains(n)), "{seen:?}");
}

#[test]
fn samples_that_are_none_are_refused() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let [own, other] = &folders;
    let mut session = TrainingSession::open(own.path(), smoke(), 4).unwrap();
    let empty = session.learn_also(other.path());
    assert!(matches!(empty, Err(TrainError::NoSamples { .. })));
    for bytes in [vec![0xff; 38], vec![0; 37]] {
        fs::write(other.path().join("round-3.samples"), bytes).unwrap();
        fs::write(other.path().join("round-3.luck"), []).unwrap();
        let damaged = session.learn_also(other.path());
        assert!(matches!(damaged, Err(TrainError::Samples { .. })));
    }
}

/// Without games the samples are the same in each round, but the draws differ.
#[test]
fn each_round_draws_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = TrainingSession::open(folder.path(), smoke(), 1).unwrap();
    let without = smoke().stages.iter().position(|stage| stage.games == 0);
    session.progress.stage = without.unwrap();
    let stage = session.stage().unwrap();
    let first = session.draw_seed(stage);
    session.progress.round = 1;
    assert_ne!(first, session.draw_seed(stage));
}

/// A recipe that was changed keeps its name but counts as another.
#[test]
fn other_stages_are_refused() {
    static OTHER: Recipe = Recipe {
        name: "smoke",
        stages: &[],
    };
    let folder = tempfile::tempdir().unwrap();
    let mut session = TrainingSession::open(folder.path(), smoke(), 1).unwrap();
    session.round();
    session.save().unwrap();
    assert!(TrainingSession::open(folder.path(), smoke(), 1).is_ok());
    let other = TrainingSession::open(folder.path(), &OTHER, 1);
    assert!(matches!(other, Err(TrainError::Checkpoint { .. })));
}

#[test]
fn another_seed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = TrainingSession::open(folder.path(), smoke(), 1).unwrap();
    session.round();
    session.save().unwrap();
    assert!(matches!(
        TrainingSession::open(folder.path(), smoke(), 2),
        Err(TrainError::Checkpoint { .. })
    ));
}
