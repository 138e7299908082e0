//! Positions that stand alone, with the rules of the match that they are from.

use super::*;
use crate::game::{GameState, MatchScore, Position};
use crate::match_file::write::Target;
use crate::match_file::xg::build::{Lies, pack, records};

#[test]
fn a_position_of_extreme_gammon_has_the_switch_of_the_crawford_rule() {
    for crawford in [false, true] {
        let mut record = fixture("gnubg.mat");
        record.crawford = crawford;
        let bytes = records(&record)[..3 * 2560].to_vec();
        let found = read_bytes(&pack(&bytes, Lies::default()), "x.xgp").unwrap();
        let state = found.positions[0].state;
        assert_eq!(
            (state.score.length, state.rules.no_crawford),
            (3, !crawford)
        );
    }
}

#[test]
fn a_position_in_sgf_has_the_switch_of_the_crawford_rule() {
    for no_crawford in [false, true] {
        let mut state = GameState::money(Position::opening());
        state.score = MatchScore {
            length: 7,
            mover: 2,
            opponent: 4,
            crawford: false,
        };
        state.rules.no_crawford = no_crawford;
        let record = Match {
            length: 7,
            players: Match::UNNAMED.map(str::to_owned),
            positions: vec![LonePosition {
                state,
                line: 0,
                analysis: None,
            }],
            ..Match::default()
        };
        let text = Target::Sgf.write(&record);
        assert_eq!(text.contains("RU[Crawford]"), !no_crawford, "{text}");
        let again = read_bytes(text.as_bytes(), "x.sgf").unwrap();
        assert_eq!(again.positions[0].state, state, "{text}");
    }
}
