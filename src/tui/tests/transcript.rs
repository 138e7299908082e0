//! Matches that are transcribed.

mod earlier_game;

use std::path::{Path, PathBuf};

use super::new_match::terms;
use super::played_match::{begun, opened};
use super::typing::paste;
use crate::game::{Player, Roll, Rules};
use crate::match_file::write::Target;
use crate::match_file::{self, Action, GameResult, Match};
use crate::review::MatchTurn;
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::windows::overlay::{Overlay, Prompt};

/// A match between Anna and Ben of which nothing was written.
pub(super) fn file(length: u16) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("final.mat");
    let record = Match::to_be_played(length, ["Anna", "Ben"].map(Into::into), Rules::default());
    std::fs::write(&path, Target::Mat.write(&record)).unwrap();
    (folder, path)
}

pub(super) fn transcribing(path: &Path) -> TestApp {
    let mut bench = opened(path);
    bench.keys("g w");
    // The end of a match is corrected only where that is what one wants.
    if terms(&bench).is_some() {
        bench.keys("enter");
    }
    assert!(bench.app.is_transcribing(), "{}", bench.said());
    bench
}

/// Types lines into the window that each of them is awaited in.
pub(super) fn lines(bench: &mut TestApp, all: &[&str]) {
    for line in all {
        if bench.app.overlay.is_none() {
            bench.keys("d");
        }
        paste(bench, line);
        bench.keys("enter");
    }
}

fn is_asked(bench: &TestApp) -> bool {
    matches!(
        bench.app.overlay,
        Some(Overlay::Prompt {
            what: Prompt::Play,
            ..
        })
    )
}

fn written(path: &Path) -> Match {
    match_file::read(path).unwrap()
}

/// What was done in the last game: by whom, and how it is written.
fn actions(path: &Path) -> Vec<(Player, String)> {
    let record = written(path);
    let game = record.games.last().unwrap();
    let words = |action: &Action| match action {
        Action::Move { roll, play } => {
            // Steps alone say enough here.
            let steps: Vec<String> = play
                .steps()
                .map(|step| format!("{}/{}", step.from, step.to))
                .collect();
            format!("{roll}: {}", steps.join(" "))
        }
        Action::Double { to } => format!("double to {to}"),
        other => format!("{other:?}"),
    };
    let events = game.events.iter();
    events
        .map(|event| (event.player, words(&event.action)))
        .collect()
}

/// A record says what was done, also a double of a cube that wins the match as it is.
#[test]
fn a_double_in_vain_is_written_down() {
    let (_folder, path) = file(2);
    let mut bench = transcribing(&path);
    let all = ["31: 8/5 6/5", "double", "take", "42: 8/4 6/4", "double"];
    lines(&mut bench, &all);
    let last = (Player::Left, "double to 4".to_owned());
    assert_eq!(actions(&path).last(), Some(&last), "{}", bench.said());
    assert_eq!(written(&path).warnings.len(), 1, "the open end alone");
    drop(bench);
    transcribing(&path);
}

/// The first roll decides who begins, also before its play is written: its luck is that of such a roll.
#[test]
fn the_first_roll_is_one_before_its_play() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31"]);
    let turn = bench.app.turn().unwrap();
    assert!(turn.action.is_none() && turn.before.state.roll.is_some());
    assert!(turn.says_who_begins());
    // A position that stands alone is nobody's first turn.
    assert!(!MatchTurn::alone(turn.before.state).is_opening_roll());
}

#[test]
fn turns_are_typed_line_by_line() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    assert!(is_asked(&bench) && !bench.app.options.hidden);
    lines(
        &mut bench,
        &["13: 8/5 6/5", "64: 24/14", "double", "take", "52"],
    );
    // The play is chosen on the board; then the next line is asked for.
    assert_eq!(
        bench.app.match_prompt(),
        Some(MatchPrompt::Play(Roll::new(5, 2).unwrap()))
    );
    assert!(!is_asked(&bench));
    bench.keys("j v");
    assert!(is_asked(&bench));
    let all = actions(&path);
    let who: Vec<Player> = all.iter().map(|(player, _)| *player).collect();
    use Player::{Left, Right};
    assert_eq!(who, [Right, Left, Right, Left, Right]);
    assert_eq!(all[0].1, "31: 8/5 6/5");
    assert_eq!(all[2].1, "double to 2");
    // Ben resigns a gammon with the cube at 2.
    lines(&mut bench, &["wins gammon"]);
    assert!(
        bench
            .said()
            .contains("Ben resigns, Anna wins 4 points, 4–0"),
        "{}",
        bench.said()
    );
    let result = written(&path).games[0].result;
    let expected = GameResult {
        winner: Left,
        points: 4,
    };
    assert_eq!(result, Some(expected));
    // The next game begins, and the file is gone on with later.
    bench.keys("s");
    lines(&mut bench, &["42: 8/4 6/4"]);
    assert_eq!(actions(&path).len(), 1);
    assert_eq!(actions(&path)[0].0, Left);
    bench.keys("esc esc");
    assert!(bench.app.variation.is_none(), "{}", bench.said());
    bench.keys("g w");
    assert!(is_asked(&bench), "{}", bench.said());
    assert_eq!(bench.app.varied_decision().unwrap().player, Right);
}

#[test]
fn what_is_wrong_can_be_put_right() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    for (line, why) in [
        ("33", "two different dice"),
        ("hello", "31: 8/5 6/5"),
        ("double", "before the first roll"),
        ("31: 8/2", "6 pips"),
    ] {
        lines(&mut bench, &[line]);
        assert!(bench.said().contains(why), "{line}: {}", bench.said());
        assert!(is_asked(&bench), "{line}");
        bench.keys("esc");
        assert!(written(&path).games[0].events.is_empty(), "{line}");
    }
    // The order of the first dice says who begins, also when it is typed again.
    lines(&mut bench, &["31"]);
    assert_eq!(bench.app.varied_decision().unwrap().player, Player::Left);
    lines(&mut bench, &["13"]);
    assert_eq!(bench.app.varied_decision().unwrap().player, Player::Right);
    lines(&mut bench, &["double"]);
    assert!(bench.said().contains("double"), "{}", bench.said());
    bench.keys("esc");
    lines(&mut bench, &["8/5 6/5", "62: 24/18 13/11", "double"]);
    lines(&mut bench, &["resigns"]);
    assert!(bench.said().contains("take or pass"), "{}", bench.said());
}

/// What does not fit behind a correction stays to be brought back, and goes to its own player.
#[test]
fn what_was_taken_back_is_not_lost_before_one_leaves() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    let all = [
        "31: 8/5 6/5",
        "62: 24/18 13/11",
        "55: 13/3 13/3",
        "64: 18/8",
        "21: 24/23 24/22",
    ];
    lines(&mut bench, &all);
    let before = actions(&path);
    assert_eq!(before.len(), 5, "{}", bench.said());
    bench.keys("esc h h h delete delete");
    // A slip: nothing fits behind it.
    lines(&mut bench, &["66: 24/18 24/18 13/7 13/7", "u"]);
    assert!(bench.said().contains("0 of 2"), "{}", bench.said());
    bench.keys("esc esc");
    assert!(bench.app.is_transcribing(), "it is asked first");
    assert!(bench.said().contains("are lost"), "{}", bench.said());
    bench.keys("q");
    assert!(bench.app.effects.is_empty() && bench.said().contains("q again quits"));
    bench.keys("delete delete");
    lines(&mut bench, &["55: 13/3 13/3", "u"]);
    assert!(
        bench.said().contains("brought back: 2 actions"),
        "{}",
        bench.said()
    );
    assert_eq!(actions(&path), before);
    // Two turns written anew: the third is the first that comes back.
    bench.keys("esc h h h delete delete");
    lines(&mut bench, &["55: 13/3 13/3", "64: 18/8", "u"]);
    assert_eq!(actions(&path), before);
    // An empty game leads back to the one before.
    lines(&mut bench, &["resigns"]);
    bench.keys("s esc delete");
    assert_eq!(written(&path).games.len(), 1);
    bench.keys("delete");
    assert!(written(&path).games[0].result.is_none());
    assert_eq!(actions(&path), before);
    bench.keys("esc");
    assert!(bench.said().starts_with("the end that was taken back"));
    bench.keys("esc");
    assert!(!bench.app.is_transcribing(), "{}", bench.said());
}

/// The first roll was the other player's: what stood behind it is nobody's play now, also where its dice come again.
#[test]
fn a_turn_of_the_other_player_is_not_brought_back() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "62: 24/18 13/11"]);
    bench.keys("esc h h delete delete");
    lines(&mut bench, &["13: 8/5 6/5", "u"]);
    assert!(bench.said().contains("0 of 1"), "{}", bench.said());
    lines(&mut bench, &["62"]);
    assert_eq!(actions(&path).len(), 1, "{:?}", actions(&path));
    lines(&mut bench, &["24/16"]);
    let now = actions(&path);
    assert_eq!(now.len(), 2, "{}", bench.said());
    assert_eq!([now[0].0, now[1].0], [Player::Right, Player::Left]);
}

/// A match that ended with a resignation is opened at its end, where the last game can be corrected.
#[test]
fn the_end_of_a_match_is_corrected() {
    let (_folder, path) = file(1);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "64", "resigns"]);
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Over));
    let record = written(&path);
    assert!(
        record.is_won() && record.warnings.is_empty(),
        "{:?}",
        record.warnings
    );
    // Left, and read again as it was written.
    let mut bench = opened(&path);
    bench.app.at = bench.app.document.turns.len() - 1;
    bench.keys("g w enter");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Over));
    bench.keys("delete");
    let roll = Roll::new(6, 4).unwrap();
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Play(roll)));
    lines(&mut bench, &["24/14"]);
    assert_eq!(actions(&path).len(), 2);
    assert!(!written(&path).is_won());
}

/// A wrong turn is replaced, and what followed it comes back as far as it is legal.
#[test]
fn a_turn_is_corrected() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(
        &mut bench,
        &["31: 8/5 6/5", "64: 24/14", "52: 13/8 6/4", "31: 8/5 6/5"],
    );
    let all = actions(&path);
    assert_eq!(all.len(), 4, "{all:?} {}", bench.said());
    bench.keys("esc h h h");
    assert_eq!(bench.app.at, 1);
    bench.keys("delete");
    assert_eq!(actions(&path).len(), 1);
    // Its dice wait for another play, or for other dice.
    lines(&mut bench, &["64: 24/18 13/9"]);
    bench.keys("esc U");
    assert!(
        bench.said().contains("brought back: 2 actions"),
        "{}",
        bench.said()
    );
    let now = actions(&path);
    assert_eq!(now.len(), 4);
    assert_ne!(now[1], all[1]);
    assert_eq!(now[2..], all[2..]);
    // Taken back without another turn in its place, all comes back as it was.
    bench.keys("h h delete U");
    assert_eq!(actions(&path), now);
    // Dice without a play are taken off.
    lines(&mut bench, &["21"]);
    bench.keys("delete");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Dice));
    assert_eq!(actions(&path), now);
}

/// Matches against the program are none to transcribe, nor is what would lose something.
#[test]
fn the_program_s_matches_are_not_transcribed() {
    let (_folder, path) = begun(5, 7);
    let mut bench = opened(&path);
    bench.keys("g w");
    assert!(!bench.app.is_transcribing());
    assert!(bench.app.variation.is_none());
    // Another is offered, and it is said why not this one.
    assert_eq!(terms(&bench), Some("7"));
    assert!(
        bench.said().contains("gp goes on with it"),
        "{}",
        bench.said()
    );
    assert!(bench.screen(80, 24).contains("gp goes on with it"));
}

#[test]
fn the_screen_says_whose_turn_it_is() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5"]);
    for (columns, rows) in [(80, 24), (120, 40)] {
        assert_has!(bench.screen(columns, rows), "Ben", "31: 8/5 6/5, or 31");
    }
    let screen = bench.screen_after("esc", 120, 40);
    assert_has!(screen, "d types the turn, D doubles", "transcribing");
    assert_has!(screen, "in final.mat");
}

/// Plays on with random dice and the last play of each list, until it is so or nothing is asked any more.
fn play_until(bench: &mut TestApp, is_so: impl Fn(&Match) -> bool) -> bool {
    for _ in 0..6000 {
        if bench
            .app
            .played()
            .is_some_and(|played| is_so(&played.record))
        {
            return true;
        }
        if is_asked(bench) {
            bench.keys("esc");
        }
        match bench.app.match_prompt() {
            Some(MatchPrompt::Dice | MatchPrompt::NextGame) => bench.keys("s"),
            Some(MatchPrompt::Play(_)) => bench.keys("G v"),
            _ => return false,
        }
    }
    false
}

/// A roll that cannot be played needs no play.
#[test]
fn a_dance_is_written_by_its_dice() {
    let (_folder, path) = file(0);
    let mut bench = transcribing(&path);
    let is_dance = |action: &Action| matches!(action, Action::Move { play, .. } if play.is_empty());
    let dances = |record: &Match| {
        let last = record.games.last().and_then(|game| game.events.last());
        last.is_some_and(|event| is_dance(&event.action))
    };
    assert!(play_until(&mut bench, dances));
    assert!(dances(&written(&path)));
}

#[test]
fn a_match_is_written_to_its_end() {
    let (_folder, path) = file(1);
    let mut bench = transcribing(&path);
    assert!(play_until(&mut bench, Match::is_won));
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Over));
    assert!(
        bench.said().contains("s shows the match"),
        "{}",
        bench.said()
    );
    let record = written(&path);
    assert!(
        record.is_won() && record.warnings.is_empty(),
        "{:?}",
        record.warnings
    );
    // Nothing is typed any more.
    bench.keys("4");
    assert!(bench.app.overlay.is_none());
    bench.keys("s");
    assert!(bench.app.variation.is_none());
    assert!(
        bench.said().contains("complete: E lists"),
        "{}",
        bench.said()
    );
    assert_eq!(bench.filled, [&*path]);
    // Esc leaves it too, and it comes into the library however it is left.
    for keys in ["esc", "q"] {
        let mut bench = transcribing(&path);
        bench.keys(keys);
        assert!(bench.over || bench.app.variation.is_none(), "{keys}");
        assert_eq!(bench.filled, [&*path], "{keys}");
    }
}

/// Who looks at a turn before its roll, and begins to write there, comes back to the last turn with its own figures.
#[test]
fn the_turn_that_comes_back_is_shown_with_its_own_board() {
    let (_folder, path) = file(7);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "52: 13/8 24/22", "64: 24/14"]);
    bench.keys("esc esc");
    assert!(bench.app.variation.is_none());
    bench.keys("p b");
    assert!(bench.app.before.is_some(), "{}", bench.said());
    bench.keys("g w esc esc");
    assert!(bench.app.variation.is_none() && bench.app.before.is_none());
}

/// With the dice there, a digit begins the play in the window, where the keys of the screen are letters.
#[test]
fn a_digit_begins_the_play_of_the_dice() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31"]);
    assert!(bench.app.overlay.is_none());
    bench.keys("8 / 5 space 6 / 5 enter");
    assert_eq!(actions(&path)[0].1, "31: 8/5 6/5");
    // A double waits for its answer, and nothing else is expected.
    lines(&mut bench, &["double", "8/5"]);
    assert_eq!(bench.said(), "expected take or pass");
    assert!(is_asked(&bench));
}

/// An earlier turn is only looked at: what is typed there neither cuts the game off nor ends it.
#[test]
fn nothing_is_typed_over_an_earlier_turn() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "64: 24/14", "52: 13/8 6/4"]);
    let all = actions(&path);
    for digit in ["6", "3"] {
        bench.keys("esc h h");
        bench.keys(digit);
        assert!(bench.app.overlay.is_none());
        assert!(bench.said().contains("goes on at the end"));
    }
    // A window that stands open while an earlier turn is gone to takes nothing either.
    for line in ["63: 24/18 13/10", "resigns"] {
        bench.keys("esc l l l d");
        bench.app.at = 0;
        lines(&mut bench, &[line]);
        assert!(bench.said().contains("goes on at the end"), "{line}");
    }
    assert_eq!(actions(&path), all);
}

/// What was taken back in a game that was given up, or in one before, is not brought back into another.
#[test]
fn a_game_that_has_ended_gets_no_turn() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "64: 24/14", "52: 13/8 6/4"]);
    bench.keys("esc delete delete");
    lines(&mut bench, &["resigns"]);
    let ended = std::fs::read(&path).unwrap();
    bench.keys("U");
    assert_has!(bench.said(), "Del takes that back first");
    assert_eq!(std::fs::read(&path).unwrap(), ended);
    bench.keys("s s esc U");
    assert!(bench.app.varied_decision().is_some(), "{}", bench.said());
    lines(&mut bench, &["31: 8/5 6/5"]);
    assert_eq!(written(&path).games.len(), 2);
    assert_eq!(actions(&path).len(), 1);
    // The heading is that of the game before again.
    let screen = bench.screen_after("esc delete delete delete delete", 120, 40);
    assert_has!(screen, "game 1/1");
}

/// Opening something else loses what was taken back as leaving does: it is asked first.
#[test]
fn what_was_taken_back_is_not_lost_by_opening_another_file() {
    let (folder, path) = file(5);
    let other = folder.path().join("other.mat");
    std::fs::write(&other, Target::Mat.write(&written(&path))).unwrap();
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "64: 24/14"]);
    bench.keys("esc delete");
    let open = |bench: &mut TestApp| paste(bench, &other.display().to_string());
    open(&mut bench);
    assert!(bench.app.is_transcribing());
    assert_has!(bench.said(), "the same again opens the other");
    open(&mut bench);
    assert!(!bench.app.is_transcribing());
}

/// What was written into the file since it was left is gone on with.
#[test]
fn a_corrected_file_is_transcribed_as_it_is() {
    let (_folder, path) = file(5);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "64: 24/14"]);
    bench.keys("esc esc");
    assert!(bench.app.variation.is_none(), "{}", bench.said());
    let corrected = std::fs::read_to_string(&path).unwrap();
    let (before, play) = corrected.split_once("64: ").expect("it was written");
    let (_, after) = play.split_once('\n').unwrap_or((play, ""));
    let corrected = format!("{before}64: 24/18 13/9\n{after}");
    std::fs::write(&path, corrected).unwrap();
    let number = bench.app.document.generation + 1;
    let record = crate::tui::documents::document::Document::of_match(
        written(&path),
        "final.mat".into(),
        number,
    );
    bench.tell(Message::Reread(number, Ok(Box::new(record))));
    bench.keys("g w");
    lines(&mut bench, &["52: 13/8 6/4"]);
    let all = actions(&path);
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(all[1].1, "64: 24/18 13/9");
}

/// Before the first roll nobody decides anything, and the file has a score all the same.
#[test]
fn a_match_that_has_not_begun_says_so() {
    let (_folder, path) = file(7);
    let mut bench = opened(&path);
    assert_has!(bench.screen(80, 24), "nothing has been played in");
    bench.keys("l");
    assert!(
        bench.said().starts_with("nothing has been played"),
        "{}",
        bench.said()
    );
    bench.keys("e");
    let draft = bench.app.editor.as_ref().unwrap().draft();
    assert_eq!(draft.length, 7);
    let mut bench = transcribing(&path);
    let screen = bench.screen_after("esc", 120, 40);
    assert_has!(screen, "the first roll says who begins");
    assert_lacks!(screen, "double/take");
    for key in ["r", "Y", "M"] {
        bench.keys(key);
        let said = bench.said().to_owned();
        assert!(
            said.contains("no decision before the first roll"),
            "{key}: {said}"
        );
    }
    // The editor shows the position by itself.
    bench.keys("e");
    assert!(bench.screen(120, 40).contains("double/take"));
}

/// The window in which the answer to a double is typed comes back by the key of the dice.
#[test]
fn an_answer_is_typed_where_dice_are() {
    let (_folder, path) = file(7);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "62: 24/18 13/11", "double"]);
    bench.keys("esc d");
    assert!(is_asked(&bench), "{}", bench.said());
    lines(&mut bench, &["take"]);
    assert_eq!(actions(&path).last().unwrap().1, "Take");
}
