//! The text in its columns, and read back.

use super::*;
use crate::cube::Model;
use crate::game::{MatchScore, Position};
use crate::notation::parse_id;
use crate::rollout::{CubeSettings, Settings};

fn chances(win: f32, gammon: f32, backgammon: f32) -> Probabilities {
    Probabilities::from_array([win, gammon, backgammon, 0.1235, 0.0051])
}

fn text(id: &str, analysis: XgAnalysis) -> String {
    let state = parse_id(id).unwrap();
    XgText {
        state: &state,
        names: Some(["Ann Lee", "Ben"]),
        analysis,
        table: EquityTable::standard(),
    }
    .write()
}

fn play(play: &str, equity: f64) -> XgPlay {
    XgPlay {
        play: play.into(),
        level: XgLevel::Ply(2),
        equity,
        chances: chances(0.5512, 0.176, 0.0121),
        half_width: None,
        p_best: None,
        rollout: None,
    }
}

fn rollout(games: u64) -> XgRollout {
    let state = GameState::money(Position::opening());
    let settings = Settings {
        seed: 7,
        ply: 2,
        horizon: Some(7),
        cube: Some(CubeSettings::after_play(&state)),
        ..Settings::default()
    };
    XgRollout::new(&settings, games)
}

#[test]
fn plays_stand_in_their_columns() {
    let mut rolled = play("24/23 13/10", 0.072);
    rolled.level = XgLevel::Rollout;
    rolled.half_width = Some(0.002);
    rolled.p_best = Some(0.0294);
    rolled.rollout = Some(rollout(1296));
    let plays = XgAnalysis::Plays(vec![play("8/5 6/5", 0.301), rolled]);
    let text = text("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10", plays);
    let version = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "\
XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10

X:Ann_Lee   O:Ben
Score is X:2 O:4 7 pt.(s) match.
 +13-14-15-16-17-18------19-20-21-22-23-24-+
 | X           O    |   | O              X |
 | X           O    |   | O              X |
 | X           O    |   | O                |
 | X                |   | O                |
 | X                |   | O                |
 |                  |BAR|                  |
 | O                |   | X                |
 | O                |   | X                |
 | O           X    |   | X                |
 | O           X    |   | X              O |
 | O           X    |   | X              O |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+
Pip count  X: 167  O: 167 X-O: 2-4/7
Cube: 1
X to play 31

    1. 3-ply       8/5 6/5                      eq:+0.301
      Player:   55.12% (G:17.60% B:1.21%)
      Opponent: 44.88% (G:12.35% B:0.51%)

    2. Rollout¹    24/23 13/10                  eq:+0.072 (-0.229)
      Player:   55.12% (G:17.60% B:1.21%)
      Opponent: 44.88% (G:12.35% B:0.51%)
      Confidence: ±0.002 (+0.070..+0.074) - [2.9%]

¹ 1296 Games rolled with Variance Reduction.
  Dice Seed: 7
  Moves: 3-ply, cube decisions: 3-ply
  Games truncated after 7 rolls

Luckless Version: {version}, MET: Kazaross XG2
"
    );
    assert_eq!(text, expected);
}

#[test]
fn a_cube_decision_names_its_choices() {
    let state = parse_id("XGID=----CCD-BBA--a-abb-dcb----:0:0:1:00:0:0:3:0:10").unwrap();
    let model = Model::standard();
    let decision = model.decision(&state, &chances(0.726, 0.0, 0.0));
    let text = XgText {
        state: &state,
        names: Some(["Ann", ""]),
        analysis: XgAnalysis::Cube {
            level: XgLevel::Ply(0),
            chances: chances(0.726, 0.0, 0.0),
            decision,
            rolled: None,
        },
        table: EquityTable::standard(),
    }
    .write();
    for line in [
        "X:Ann   O:Player",
        "Score is X:0 O:0. Unlimited Game, Jacoby Beaver",
        "Pip count  X: 95  O: 103 X-O: 0-0",
        "X on roll, cube action",
        "Analyzed in 1-ply",
        "Player Winning Chances:   72.60% (G:0.00% B:0.00%)",
        "Cubeful Equities:",
        "       Double/Pass:   +1.000",
    ] {
        assert!(text.lines().any(|l| l.starts_with(line)), "{line}\n{text}");
    }
    assert_eq!(text.matches("Best Cube action: ").count(), 1);
    assert_lacks!(text, "MET");
}

#[test]
fn a_beaver_has_the_words_of_its_row() {
    for (cube, double, no_double) in [
        ("0:0", "Double", "No double"),
        ("1:1", "Redouble", "No redouble"),
    ] {
        let id = format!("XGID=----CCD-BBA--a-abb-dcb----:{cube}:1:00:0:0:3:0:10");
        for (values, best) in [((-0.1, -0.4), no_double), ((-0.4, -0.1), double)] {
            let decision = CubeDecision::in_points(values.0, values.1, true);
            let analysis = XgAnalysis::Cube {
                level: XgLevel::Ply(0),
                chances: chances(0.4, 0.1, 0.0),
                decision,
                rolled: None,
            };
            let text = text(&id, analysis);
            let row = format!("       {double}/Beaver:");
            assert!(text.lines().any(|line| line.starts_with(&row)), "{text}");
            let action = format!("Best Cube action: {best} / Beaver\n");
            assert_has!(text, &action);
            // Read back it is the take, whose double the beaver is.
            let record = crate::match_file::read_bytes(text.as_bytes(), "beaver").unwrap();
            let analysis = record.positions[0].analysis.as_ref().unwrap();
            let read = analysis.cube.as_ref().unwrap();
            let three = [read.no_double, read.double_take, read.double_pass];
            let three = three.map(|equity| equity.map(|equity| equity as f32));
            assert_eq!(three, [Some(values.0), Some(values.1), Some(1.0)], "{text}");
            assert_eq!(analysis.program, "Luckless");
            assert_eq!(read.level, "0-ply", "as plies are counted here");
        }
    }
}

#[test]
fn boards_are_read_back_without_their_identifier() {
    let ids = [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10",
        "XGID=aBC-BbB---------dC-bbb-bC-:1:-1:1:63:2:4:0:7:10",
        "XGID=-G-----A---------------aBB:2:1:1:52:0:0:3:0:10",
        "XGID=bA--------------------kL--:0:0:1:00:1:2:1:3:10",
    ];
    for id in ids {
        let state = parse_id(id).unwrap();
        let text = text(id, XgAnalysis::None);
        assert_eq!(parse_id(&text).unwrap(), state, "{text}");
        let drawn: String = text.lines().skip(2).map(|l| format!("{l}\n")).collect();
        let read = parse_id(&drawn).unwrap();
        assert_eq!(read.position, state.position, "{drawn}");
        assert_eq!(
            (read.cube, read.owner),
            (state.cube, state.owner),
            "{drawn}"
        );
        assert_eq!(read.roll, state.roll, "{drawn}");
        let score = |score: &MatchScore| (score.mover, score.opponent, score.length);
        assert_eq!(score(&read.score), score(&state.score), "{drawn}");
    }
}

#[test]
fn a_double_on_offer_is_shown_to_the_doubler() {
    let mut state = parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:2:4:0:7:10").unwrap();
    state = GameState {
        doubled: true,
        ..state
    };
    let text = |names| {
        XgText {
            state: &state,
            names,
            analysis: XgAnalysis::None,
            table: EquityTable::standard(),
        }
        .write()
    };
    let named = text(Some(["Ann", "Ben"]));
    assert_has!(named, "X:Ben   O:Ann", "X on roll, cube action");
    assert_eq!(parse_id(&named).unwrap().position, Position::opening());
    // Without names the player on roll is X as well.
    let nameless = text(None);
    assert_has!(nameless, "X:Player   O:Opponent");
}

/// Plays of different rollouts have a note each, those of the same one share it.
#[test]
fn each_rollout_has_one_note() {
    let rolled = |name, games| XgPlay {
        level: XgLevel::Rollout,
        half_width: Some(0.01),
        rollout: Some(rollout(games)),
        ..play(name, 0.1)
    };
    let plays = vec![
        rolled("8/5 6/5", 1296),
        rolled("24/23 13/10", 360),
        rolled("13/10 6/5", 1296),
    ];
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10";
    let text = text(id, XgAnalysis::Plays(plays));
    for line in [
        "    1. Rollout¹    8/5 6/5  ",
        "    2. Rollout²    24/23 13/10  ",
        "    3. Rollout¹    13/10 6/5  ",
        "¹ 1296 Games rolled with Variance Reduction.",
        "² 360 Games rolled with Variance Reduction.",
    ] {
        let found = text.lines().filter(|l| l.starts_with(line)).count();
        assert_eq!(found, 1, "{line}\n{text}");
    }
    assert_eq!(parse_id(&text).unwrap(), parse_id(id).unwrap(), "{text}");
}

#[test]
fn a_rolled_out_cube_says_how_and_how_surely() {
    let id = "XGID=----CCD-BBA--a-abb-dcb----:0:0:1:00:2:4:0:7:10";
    let analysis = XgAnalysis::Cube {
        level: XgLevel::Rollout,
        chances: chances(0.7, 0.1, 0.0),
        decision: CubeDecision::in_points(0.5, 0.6, false),
        rolled: Some(XgRolledCube {
            doubled_chances: chances(0.71, 0.1, 0.0),
            half_widths: [0.01, 0.02],
            rollout: rollout(720),
        }),
    };
    let text = text(id, analysis);
    let version = env!("CARGO_PKG_VERSION");
    let (_, told) = text.split_once("cube action\n\n").unwrap();
    let expected = format!(
        "\
Analyzed in Rollout
No double
  Player Winning Chances:   70.00% (G:10.00% B:0.00%)
  Opponent Winning Chances: 30.00% (G:12.35% B:0.51%)
Double/Take
  Player Winning Chances:   71.00% (G:10.00% B:0.00%)
  Opponent Winning Chances: 29.00% (G:12.35% B:0.51%)

Cubeless Equities: No Double=+0.333, Double=+0.743

Cubeful Equities:
       No double:     +0.500 (-0.100)
       Double/Take:   +0.600
       Double/Pass:   +1.000 (+0.400)

Best Cube action: Double / Take

Rollout:
 720 Games rolled with Variance Reduction.
 Dice Seed: 7
 Moves: 3-ply, cube decisions: 3-ply
 Games truncated after 7 rolls
 Confidence No Double: ±0.010 (+0.490..+0.510)
 Confidence Double:    ±0.020 (+0.580..+0.620)

Luckless Version: {version}, MET: Kazaross XG2
"
    );
    assert_eq!(told, expected);
    assert_eq!(parse_id(&text).unwrap(), parse_id(id).unwrap());
}

/// The interval of a double is that of the line above it: of the beaver, where that is right.
#[test]
fn a_rolled_out_beaver_has_its_own_interval() {
    let id = "XGID=----CCD-BBA--a-abb-dcb----:0:0:1:00:0:0:3:0:10";
    let analysis = XgAnalysis::Cube {
        level: XgLevel::Rollout,
        chances: chances(0.4, 0.1, 0.0),
        decision: CubeDecision::in_points(-0.1, -0.2, true),
        rolled: Some(XgRolledCube {
            doubled_chances: chances(0.4, 0.1, 0.0),
            half_widths: [0.01, 0.02],
            rollout: rollout(720),
        }),
    };
    let text = text(id, analysis);
    assert_has!(text, "       Double/Beaver: -0.400 (-0.300)\n");
    assert_has!(text, " Confidence Double:    ±0.040 (-0.440..-0.360)\n");
}

/// The play that was made has its place in the list, and its difference from the best, however far below it is.
#[test]
fn a_play_far_below_has_its_place() {
    let analysis = XgAnalysis::PlaysAndMade {
        first: vec![play("8/5 6/5", 0.301), play("24/23 13/10", 0.072)],
        rank: 13,
        made: play("6/3 6/5", -0.25),
    };
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:4:0:7:10";
    let text = text(id, analysis);
    for (place, name, figures) in [
        (1, "8/5 6/5", "+0.301"),
        (2, "24/23 13/10", "+0.072 (-0.229)"),
        (13, "6/3 6/5", "-0.250 (-0.551)"),
    ] {
        let line = format!("{place:>5}. {:<12}{name:<29}eq:{figures}", "3-ply");
        assert_eq!(
            text.lines().filter(|l| *l == line).count(),
            1,
            "{line}\n{text}"
        );
    }
    assert_eq!(parse_id(&text).unwrap(), parse_id(id).unwrap(), "{text}");
}

/// A cube decision of which eXtreme Gammon has written the text.
struct WrittenCube {
    id: &'static str,
    chances: [f32; 5],
    /// Its cubeless equities: no double and double.
    cubeless: [f64; 2],
    /// Its cubeful equities: no double and double/take.
    cubeful: [f32; 2],
}

/// Six texts of eXtreme Gammon 2, at 9- and 7-point matches by Kazaross XG2.
const WRITTEN: [WrittenCube; 6] = [
    WrittenCube {
        id: "XGID=---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10",
        chances: [0.5440, 0.1822, 0.0053, 0.1271, 0.0051],
        cubeless: [0.103, 0.259],
        cubeful: [0.337, 0.215],
    },
    WrittenCube {
        id: "XGID=-aAaBaDaB---bD-b-A-cA-b-b-:0:0:1:00:2:4:0:9:10",
        chances: [0.6138, 0.2455, 0.0188, 0.1314, 0.0046],
        cubeless: [0.365, 0.791],
        cubeful: [0.580, 0.689],
    },
    WrittenCube {
        id: "XGID=--BaBCCBAA------acccc-a--A:0:0:1:00:0:2:0:7:10",
        chances: [0.6665, 0.4135, 0.0187, 0.0860, 0.0055],
        cubeless: [0.680, 1.462],
        cubeful: [0.735, 1.336],
    },
    WrittenCube {
        id: "XGID=---BADB------------bf---a-:1:1:1:00:4:0:0:7:10",
        chances: [0.7113, 0.0, 0.0, 0.0, 0.0],
        cubeless: [0.423, 0.602],
        cubeful: [0.485, -0.511],
    },
    WrittenCube {
        id: "XGID=---c--CCB---dB-B---c-BcAb-:1:1:1:00:0:1:0:7:10",
        chances: [0.6621, 0.1841, 0.0072, 0.1096, 0.0023],
        cubeless: [0.414, 0.967],
        cubeful: [0.797, 0.852],
    },
    WrittenCube {
        id: "XGID=---aBBCCCB----a-aa-babbbb-:1:1:1:00:1:2:0:9:10",
        chances: [0.8987, 0.0761, 0.0029, 0.0061, 0.0001],
        cubeless: [0.881, 1.928],
        cubeful: [1.027, 1.869],
    },
];

impl WrittenCube {
    /// Our text with these figures.
    fn text(&self) -> String {
        let [no_double, take] = self.cubeful;
        let analysis = XgAnalysis::Cube {
            level: XgLevel::Ply(2),
            chances: Probabilities::from_array(self.chances),
            decision: CubeDecision::in_points(no_double, take, false),
            rolled: None,
        };
        text(self.id, analysis)
    }

    /// The chance to win the match if the game ends at this cube, from the table alone.
    fn chance_to_win(&self, cube: i32) -> f64 {
        let score = parse_id(self.id).unwrap().score;
        let [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ] = self.chances.map(f64::from);
        let results = [
            (1, win - win_gammon),
            (2, win_gammon - win_backgammon),
            (3, win_backgammon),
            (-1, 1.0 - win - lose_gammon),
            (-2, lose_gammon - lose_backgammon),
            (-3, lose_backgammon),
        ];
        let share = |(points, chance)| chance * after(&score, cube * points);
        results.into_iter().map(share).sum()
    }
}

/// The chance to win the match after winning so many points, or losing them if they are negative.
fn after(score: &MatchScore, points: i32) -> f64 {
    let away = |own: u16| i32::from(score.length - own);
    let (won, lost) = (points.max(0), (-points).max(0));
    let (mine, theirs) = (away(score.mover) - won, away(score.opponent) - lost);
    f64::from(EquityTable::standard().chance(mine, theirs, false))
}

/// At a score both figures are on the scale of the present cube. eXtreme Gammon has chances of its own after a double,
/// which it does not write, so that the second figure may differ by what these do.
#[test]
fn cubeless_equities_are_those_at_the_score() {
    for one in &WRITTEN {
        let state = parse_id(one.id).unwrap();
        let cube = i32::try_from(state.cube).unwrap();
        let (won, lost) = (after(&state.score, cube), after(&state.score, -cube));
        let points = |chance: f64| (2.0 * chance - won - lost) / (won - lost);
        let [hold, double] = [cube, 2 * cube].map(|cube| points(one.chance_to_win(cube)));
        let line = format!("Cubeless Equities: No Double={hold:+.3}, Double={double:+.3}");
        let text = one.text();
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
        assert!((hold - one.cubeless[0]).abs() < 0.001, "{line}");
        assert!((double - one.cubeless[1]).abs() < 0.04, "{line}");
    }
    // Without gammons both programs have the same.
    let text = WRITTEN[3].text();
    assert_has!(text, "No Double=+0.423, Double=+0.602");
}

#[test]
fn a_wrong_double_says_how_often_the_opponent_has_to_err() {
    let told = [
        Some("wrong pass needed to make the double decision right: 15.5%"),
        None,
        None,
        Some("wrong pass needed to make the double decision right: 65.9%"),
        None,
        Some("wrong take needed to make the double decision right: 3.1%"),
    ];
    for (one, told) in WRITTEN.iter().zip(told) {
        let text = one.text();
        let (_, end) = text.split_once("Best Cube action: ").unwrap();
        let second = end.lines().nth(1).unwrap();
        let expected = told.map_or_else(String::new, |told| format!("Percentage of {told}"));
        assert_eq!(second, expected, "{text}");
    }
}
