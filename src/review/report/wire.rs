//! How a report writes states and cube choices as JSON.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::GameState;
use crate::notation::gnubg_id::full_id;
use crate::notation::{parse_id, xgid_text};

/// Returns the GNUBG ID of a state, or the XGID where the cube is too high for one.
pub(crate) fn position_text(state: &GameState) -> String {
    full_id(state).unwrap_or_else(|| xgid_text(state))
}

/// A state as its identifier, with the roll as text. The identifier does not contain all rules:
/// [`Report::restored`](super::Report::restored) adds them.
pub(super) mod state {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct StateText {
        position: String,
        #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
        dice: Option<String>,
    }

    pub(crate) fn serialize<S: Serializer>(state: &GameState, to: S) -> Result<S::Ok, S::Error> {
        let text = StateText {
            position: position_text(state),
            dice: state.roll.map(|roll| roll.to_string()),
        };
        text.serialize(to)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<GameState, D::Error> {
        let text = StateText::deserialize(from)?;
        parse_id(&text.position).map_err(D::Error::custom)
    }
}

/// A cube choice by its name.
pub(super) mod choice {
    use super::*;
    use crate::cube::CubeChoice;

    pub(crate) fn serialize<S: Serializer>(choice: &CubeChoice, to: S) -> Result<S::Ok, S::Error> {
        choice.name().serialize(to)
    }

    pub(crate) fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<CubeChoice, D::Error> {
        let name = String::deserialize(from)?;
        CubeChoice::named(&name).ok_or_else(|| D::Error::custom(format!("no cube choice: {name}")))
    }
}
