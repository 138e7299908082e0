mod cube_errors;

use super::words::{Filter, FilteredMatch, MatchTest};
use super::*;
use crate::cube::{CubeAction, CubeChoice};
use crate::eval::Probabilities;
use crate::game::{CubeOwner, GameState, MatchScore, Player, Position, Roll};
use crate::library::Answer;
use crate::library::packed::sums;
use crate::library::{Decision, MatchHead, PackedDecision, People};
use crate::notation::parse_play;
use crate::review::{Class, PositionType};

fn decision() -> Decision {
    let roll = Roll::new(3, 1);
    let state = GameState {
        roll,
        cube: 2,
        owner: CubeOwner::Mover,
        score: MatchScore {
            length: 7,
            mover: 4,
            opponent: 2,
            crawford: false,
        },
        ..GameState::money(Position::opening())
    };
    let play = |text| Answer::Play(parse_play(text, &state.position, roll.unwrap()).unwrap());
    Decision {
        game: 0,
        event: 0,
        turn: 0,
        number: 3,
        player: Player::Right,
        class: Class::Checker,
        kind: PositionType::Opening,
        state,
        played: play("24/23 13/10"),
        best: play("8/5 6/5"),
        error: 0.05,
        loss: 0.012,
        equity: 0.1,
        chances: Probabilities {
            win: 0.55,
            win_gammon: 0.17,
            ..Probabilities::default()
        },
        luck: 0.0,
        ply: 2,
        rolled: false,
        in_pr: true,
        silent: false,
    }
}

fn head() -> MatchHead {
    MatchHead {
        players: ["Ben".into(), "Anna Kovács".into()],
        date: "2026-03-05".into(),
        event: Some("Club evening, final".into()),
        length: 7,
        score: [2, 7],
        pr: [Some(9.0), Some(4.5)],
        ..MatchHead::default()
    }
}

fn holds(filter: &str, one: &Decision) -> bool {
    holds_of(&head(), filter, one)
}

fn holds_of(head: &MatchHead, filter: &str, one: &Decision) -> bool {
    let mut people = People::default();
    people.set_me("annak", true);
    people.set_same("Anna Kovács", "annak");
    let filter = Filter::parse(filter).unwrap_or_else(|e| panic!("{filter}: {e}"));
    let notes = [(
        (one.game as usize, one.event as usize),
        "Zu spät,\ntiming!".to_owned(),
    )];
    let of_match = FilteredMatch::new(17, head, &people).with_notes(notes.into_iter().collect());
    filter.fits(&filter.match_fit(&of_match), &PackedDecision::from(one))
}

/// A filter selects who decides by a player's name; by an opponent's name only if that is the user.
#[test]
fn a_filter_says_who_decides() {
    let mut people = People::default();
    people.set_me("annak", true);
    people.set_same("Anna Kovács", "annak");
    for (words, says) in [
        ("me", true),
        ("!me blunder", true),
        ("!player:ben", true),
        ("opponent:ben", false),
        ("!opponent:annak", false),
        ("opponent:ben,annak", true),
        ("opponent=\"anna kovacs\"", true),
        ("opponent:\"anna kovács\"", true),
        ("opponent:kovács", false),
        ("annak won", false),
    ] {
        let filter = Filter::parse(words).unwrap();
        assert_eq!(filter.says_who_decides(&people), says, "{words}");
    }
}

/// The same rules apply to names in all words.
#[test]
fn a_player_is_the_one_who_is_called_so() {
    let mut people = People::default();
    people.set_same("akov", "annak");
    people.set_same("Anna Kovács", "annak");
    people.set_me("Müller, J.", true);
    let names = [
        "Anna Kovács",
        "Müller, J.",
        "Müller J.",
        "J. \"Bo\" Müller",
        "J. Bo Müller",
        "ben",
    ];
    let asked = [
        "akov",
        "AnnaK",
        "Müller, J.",
        "muller j.",
        "J. \"Bo\" Muller",
        "j. bo",
        "j.",
        "be",
    ];
    for name in names {
        let head = MatchHead {
            players: ["x".into(), name.into()],
            ..head()
        };
        let one = FilteredMatch::new(1, &head, &people);
        for wanted in asked {
            let is_called = people.is_called(name, wanted);
            let filter = Filter::default().of_player(Some(&people.player(wanted)));
            let is_whole = people.player(name) == people.player(wanted);
            assert_eq!(
                filter.match_fit(&one).sides,
                [false, is_whole],
                "{name} {wanted}"
            );
            if !wanted.contains('"') {
                let filter = Filter::parse(&format!("player:\"{wanted}\"")).unwrap();
                assert_eq!(
                    filter.match_fit(&one).sides,
                    [false, is_called],
                    "{name} {wanted}"
                );
            }
        }
        let own = Filter::default().of_player(None);
        assert_eq!(
            own.match_fit(&one).sides,
            [false, people.is_me(name)],
            "{name}"
        );
    }
    assert!(people.is_called("Anna Kovács", "akov"));
    assert!(!people.is_called("Müller J.", "Müller, J."));
    assert!(!people.is_called("J. Bo Müller", "J. \"Bo\" Müller"));
}

#[test]
fn words_mean_what_the_book_says() {
    let one = decision();
    for yes in [
        "",
        "anna",
        "KOVACS",
        "player:anna",
        "player:annak",
        "player:\"anna k\"",
        "event:\"club evening, final\"",
        "event:x,\"evening, f\"",
        "event=\"Club evening, final\"",
        "\"evening, final\"",
        "kind:\"opening,race\"",
        "opponent:clara,ben",
        "opponent=clara,Ben",
        "player=\"anna kovacs\"",
        "!player:ben",
        "me",
        "!!me",
        "event:\"club evening\"",
        "final",
        "won",
        "!lost",
        "date:2026",
        "date:2026-03",
        "date:2026-03-05",
        "date>=2026-03-05",
        "date<=2026-03",
        "date>2026-02",
        "date<2026-04",
        "date<2027",
        "date:2025..2026-03",
        "match:17",
        "match:10..20",
        "length:7",
        "pr<5",
        "class:checker",
        "class:cube,checker",
        "checker",
        "!cube",
        "kind:opening",
        "contact",
        "!race",
        "error>0.02",
        "error>=0.05",
        "error<=.05",
        "error:0.05",
        "error:0.02..0.05",
        "loss>1",
        "loss:1.2%",
        "mark:error",
        "mark:error,blunder",
        "!blunder",
        "dice:31",
        "dice:13",
        "dice:66,31",
        "!dice:doubles",
        "score:3-5",
        "score:3-*",
        "score:match",
        "!score:dmp,money,crawford",
        "owner:own",
        "cube:2",
        "cube>1",
        "win>50",
        "win:55",
        "gammon:10..20",
        "backgammon:0",
        "lose-gammon:0",
        "pips:167",
        "opponent-pips:167",
        "lead:-5..5",
        "move<=3",
        "played:13/10",
        "best:8/5",
        "ply>=2",
        "6:2 13=5 7:0 o19:5 bar:0",
        "!7:2",
        "note",
        "note:TIMING",
        "note:blitz,\"zu spat\"",
        "anna checker error>0.04 score:3-5",
    ] {
        assert!(holds(yes, &one), "{yes}");
        let not = format!("!{yes}");
        assert!(
            yes.is_empty() || yes.contains(' ') || yes.starts_with('!') || !holds(&not, &one),
            "{not}"
        );
    }
    for no in [
        "clara",
        "note:blitz",
        "player:ben",
        "player=anna",
        "opponent=be",
        "opponent:anna",
        "event:\"final,club\"",
        "event=\"club evening\"",
        "lost",
        "date:2025",
        "date:2026-04",
        "date>2026-03",
        "date<2026-03",
        "date<2026-03-05",
        "match:18",
        "length:0",
        "pr>8",
        "cube",
        "take",
        "race",
        "kind:blitz",
        "error>0.05",
        "error<0.05",
        "loss>1.2",
        "mark:fine",
        "dice:doubles",
        "dice:32",
        "score:5-3",
        "score:money",
        "score:post-crawford",
        "owner:centre",
        "cube:1",
        "win<50",
        "gammon>20",
        "pips<100",
        "lead>0",
        "move>3",
        "played:8/5",
        "rolled",
        "silent",
        "6:6",
        "6:2 7:1",
        "!6:2",
        "24:2 o24:2",
        "anna race",
    ] {
        assert!(!holds(no, &one), "{no}");
    }
    let money = Decision {
        state: GameState::money(Position::opening()),
        ..one
    };
    assert!(holds("score:money", &money) && !holds("loss<100", &money));
    assert!(holds("loss<100", &one));
}

/// A match dated with a month or year may have been played on any of its days.
#[test]
fn a_match_of_a_month_may_be_of_any_of_its_days() {
    let holds = |date: &str, filter: &str| {
        let head = MatchHead {
            date: date.into(),
            ..head()
        };
        holds_of(&head, filter, &decision())
    };
    for fits in [
        "date:2026-03",
        "date:2026",
        "date:2026-03-05",
        "date>=2026-03-01",
        "date>=2026-03-31",
        "date<2026-03-02",
        "date:2026-03-01..2026-03-31",
        "date<=2026-03",
    ] {
        for day in ["2026-03", "2026-03~", "2026"] {
            assert!(holds(day, fits), "{fits} of {day}");
        }
    }
    for not in [
        "date<2026-03",
        "date<2026-03-01",
        "date>2026-03",
        "date>2026-03-31",
        "date>=2026-04",
        "date:2025",
    ] {
        assert!(!holds("2026-03", not), "{not}");
    }
    assert!(holds("2025", "date:2025-01..2025-12") && holds("2025", "date>=2025-06-01"));
    assert!(!holds("2025", "date>2025-12") && !holds("2025", "date>2025-12-31"));
    assert!(!holds("2025", "date<2025-01-01") && !holds("2025", "date>=2026"));
    assert!(!holds("", "date<2026") && !holds("", "date>=2026"));
}

/// A game at one point is post-Crawford, even in a match without the Crawford rule.
#[test]
fn a_game_at_one_point_is_post_crawford_by_any_rule() {
    let at = |mover, crawford, no_crawford| {
        let mut one = decision();
        (one.state.score.mover, one.state.score.crawford) = (mover, crawford);
        one.state.rules.no_crawford = no_crawford;
        one
    };
    for no_crawford in [false, true] {
        let last = at(6, false, no_crawford);
        assert!(holds("score:post-crawford", &last) && !holds("score:crawford", &last));
        assert!(!holds("score:post-crawford", &at(5, false, no_crawford)));
    }
    let crawford = at(6, true, false);
    assert!(holds("score:crawford", &crawford) && !holds("score:post-crawford", &crawford));
}

/// Doubling with one's own cube is a redouble: both names find it, and it is shown as a redouble.
#[test]
fn a_redouble_is_a_double_by_another_name() {
    let mut one = decision();
    (one.class, one.state.roll) = (Class::Double, None);
    one.played = Answer::Cube(CubeChoice::Double);
    one.best = Answer::Best(CubeAction::NoDouble);
    for filter in [
        "played:redouble",
        "played:double",
        "best:\"no redouble\"",
        "best:\"no double\"",
    ] {
        assert!(holds(filter, &one), "{filter}");
    }
    assert_eq!(one.played.words(&one.state), "redouble");
    assert_eq!(one.best.words(&one.state), "no redouble");
    // An action that was not taken is found only by its exact name.
    for filter in ["best:double", "best:redouble"] {
        assert!(!holds(filter, &one), "{filter}");
    }
    one.state.owner = CubeOwner::Centred;
    assert!(holds("played:double", &one) && !holds("played:redouble", &one));
    assert_eq!(one.best.words(&one.state), "no double");
    one.played = Answer::Cube(CubeChoice::NoDouble);
    assert!(holds("played:\"no double\"", &one) && !holds("played:double", &one));
    one.best = Answer::Best(CubeAction::DoubleTake);
    assert!(holds("best:double", &one) && holds("best:take", &one));
}

/// A shell removes quotes, so an argument with blanks may be one word (an action) or several.
#[test]
fn an_argument_may_be_a_word_with_blanks() {
    for (arguments, meant) in [
        (
            &["me", "played:no redouble"][..],
            "me played:\"no redouble\"",
        ),
        (&["!best:too good", "cube"], "!best:\"too good\" cube"),
        (&["played:no double"], "played:\"no double\""),
        (&["player:anna ben"], "player:anna ben"),
        (&["note:timing anna", "won"], "note:timing anna won"),
        (&["player:\"de vries\" won"], "player:\"de vries\" won"),
        (&["played:take anna"], "played:take anna"),
        (&["played double"], "played double"),
        (&["played:take blunder"], "played:take blunder"),
        (&["played:8/5 6/5"], "played:\"8/5 6/5\""),
        (&["player:anna blunder"], "player:anna blunder"),
        (&["kind:race anna"], "kind:race anna"),
        (&["best:double error>0.1"], "best:double error>0.1"),
        (&["note:prime !won"], "note:prime !won"),
        (&["6:2 anna"], "6:2 anna"),
        (&["anna ben"], "anna ben"),
        (&["played:\"no", "redouble\""], "played:\"no redouble\""),
    ] {
        let filter = Filter::of_arguments(arguments).unwrap();
        assert_eq!(filter, Filter::parse(meant).unwrap(), "{meant}");
    }
    let wrong = Filter::of_arguments(&["played:no redouble", "won", "error>x"]);
    assert_eq!(wrong.unwrap_err().column, 30);
}

#[test]
fn errors_name_the_column() {
    for (filter, column, part) in [
        ("checker eror>0.1", 9, "is 'error' meant"),
        ("error>x", 7, "'x' is no number"),
        ("error:1..y", 10, "'y' is no number"),
        ("error>", 7, "wants a value"),
        (
            "kind:race,blits",
            11,
            "'blits' is no kind of position; there are opening, middle, blitz, priming, holding, ace-point",
        ),
        ("player>anna", 7, "wants ':'"),
        ("date:yesterday", 6, "is no date"),
        ("date:2026..2026-3", 12, "is no date"),
        ("date>2024-13-99", 6, "is no date"),
        ("dice:71", 6, "is no roll"),
        ("score:3", 7, "is no score"),
        ("!won foo:bar", 6, "'foo' is nothing"),
        ("player:\"anna", 8, "no end"),
        ("É pips>q", 8, "no number"),
        ("won 25:1", 5, "'25:1' is no place"),
        ("!6:16", 2, "15 checkers"),
        ("won swapped", 5, "needs a condition on checkers"),
        ("6:2 !swapped", 5, "no opposite"),
        ("error>nan", 7, "no number"),
        ("error:0.02..", 7, "is error>=0.02 meant"),
        ("lead:..5", 6, "is lead<=5 meant"),
        ("date:2026-03..", 6, "is date>=2026-03 meant"),
        ("error:..", 7, "has no ends"),
        ("error:0.1..0.02", 7, "begins behind its end"),
        ("date:2025..2024-12", 6, "begins behind its end"),
        ("player:anna,", 13, "'player' wants a text here"),
        ("event:club,,final", 12, "'event' wants a text here"),
        ("won note:\" \"", 11, "'note' wants a text here"),
        ("player:\"anna\",", 15, "'player' wants a text here"),
        ("kind:\"race\",blits", 13, "'blits' is no kind of position"),
        ("won \"\"", 5, "a word is missing"),
        ("won !", 6, "a word is missing"),
    ] {
        let error = Filter::parse(filter).unwrap_err();
        assert_eq!(error.column, column, "{filter}: {error}");
        assert!(error.message.contains(part), "{filter}: {error}");
    }
    let long = "won ".repeat(65);
    assert_eq!(Filter::parse(&long).unwrap_err().column, 257);
    let long = "!6:2 ".repeat(65);
    assert_eq!(Filter::parse(&long).unwrap_err().column, 321);
}

#[test]
fn every_word_of_the_table_is_understood() {
    for key in KEYS {
        for written in key
            .written
            .split_inclusive(' ')
            .collect::<String>()
            .split(' ')
        {
            // A quoted text with a blank is two parts here.
            if written.matches('"').count() == 1 {
                continue;
            }
            let whole = match written {
                "swapped" => "6:2 swapped",
                alone => alone,
            };
            let filter = Filter::parse(whole).unwrap_or_else(|e| panic!("{written}: {e}"));
            let text = filter
                .of_match
                .iter()
                .any(|word| matches!(word.test, MatchTest::Text(_)));
            assert!(!text, "{written} is taken for a name");
            assert!(written.starts_with(key.name), "{written}");
        }
    }
    let starts = |text| -> Vec<&str> { completions(text).iter().map(|key| key.start()).collect() };
    assert_eq!(starts("checker ki"), ["kind:"]);
    assert_eq!(starts("kind"), ["kind:"]);
    assert_eq!(starts("!opp"), ["opponent:", "opponent-pips<"]);
    assert_eq!(begun("player=").map(|key| key.name), Some("player"));
    assert_eq!(completion("checker ki"), Some("nd:"));
    for kind in PositionType::ALL.map(PositionType::filter) {
        assert!(Filter::parse(&format!("kind:{kind}")).is_ok(), "{kind}");
        assert!(
            KEYS.iter()
                .any(|key| key.about.contains(&format!("`{kind}`")))
        );
    }
    assert_eq!(
        value_completions("kind:race,b"),
        ["blitz", "back", "bearoff"]
    );
    assert_eq!(completion("ben kind:race,bl"), Some("itz"));
    assert_eq!(completion("kind:race"), None);
    assert_eq!(begun("ben kind:").map(|key| key.name), Some("kind"));
    assert!(begun("won").is_none() && begun("kind").is_none());
    assert!(starts("").is_empty() && starts("kind:").is_empty());
}

#[test]
fn checkers_change_sides_together() {
    let one = Decision {
        state: GameState::money(
            Position::from_points(&[(6, 5), (25, 1)], &[(6, 3), (5, 2)]).unwrap(),
        ),
        ..decision()
    };
    // The opponent's 5 point is the 20 point of the player who decides.
    assert!(holds("bar:1 o20:2", &one) && holds("bar:1 o20:2 swapped", &one));
    assert!(!holds("obar:1 5:2", &one) && holds("swapped obar:1 5:2", &one));
    assert!(!holds("swapped obar:1 o20:2", &one), "not one word alone");
    // Negated conditions change sides, too.
    assert!(holds("bar:1 !6:6", &one) && !holds("bar:1 !6:5", &one));
    assert!(holds("swapped obar:1 !6:6", &one) && !holds("swapped obar:1 !o19:5", &one));
}

/// Numbers match as a whole; one of several suffices.
#[test]
fn numbers_are_not_found_in_longer_ones() {
    let one = decision();
    for found in [
        "played:24/23",
        "played:13/10",
        "played:\"24/23 13/10\"",
        "played:/10",
    ] {
        assert!(holds(found, &one), "{found}");
    }
    for part in ["played:24/2", "played:4/23", "played:13/1", "played:3/10"] {
        assert!(!holds(part, &one), "{part}");
    }
    assert!(holds("move:1..500,900 error:0..9", &one));
    assert!(holds("ply:0,1,2,3", &one) && !holds("ply:7,8", &one));
    assert!(Filter::parse("ply>1,2").is_err() && Filter::parse("ply:1,x").unwrap_err().column == 7);
}

#[test]
fn pips_are_read_from_the_sums() {
    let position = Position::from_points(&[(6, 3), (25, 1)], &[(1, 15)]).unwrap();
    let mut one = PackedDecision::from(&decision());
    one.sides = sums(&position);
    assert_eq!(one.pips(), [43, 15]);
}
