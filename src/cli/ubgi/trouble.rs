//! Errors of the protocol, in the codes of both versions.

use crate::cli::common::thinking::NoDecision;

/// An error of the protocol.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    kind: Kind,
    what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Command,
    Value,
    State,
    Unsupported,
}

impl Trouble {
    /// An unknown command.
    pub(super) fn command(what: &str) -> Self {
        let (kind, what) = (Kind::Command, format!("{what} is no command"));
        Self { kind, what }
    }

    /// An invalid value.
    pub(super) fn value(what: String) -> Self {
        let kind = Kind::Value;
        Self { kind, what }
    }

    /// Missing information.
    pub(super) fn state(what: &str) -> Self {
        let (kind, what) = (Kind::State, what.to_owned());
        Self { kind, what }
    }

    /// An unsupported request.
    pub(super) fn unsupported(what: String) -> Self {
        let kind = Kind::Unsupported;
        Self { kind, what }
    }

    /// The error line, in the codes of a version.
    pub(super) fn line(&self, is_old: bool) -> String {
        let [old, new] = match self.kind {
            Kind::Command => ["unknown_command", "bad_command"],
            Kind::Value => ["bad_argument", "bad_value"],
            Kind::State => ["missing_context", "bad_state"],
            Kind::Unsupported => ["unsupported_feature", "unsupported"],
        };
        let code = if is_old { old } else { new };
        format!("error {code} {}", self.what)
    }
}

impl From<NoDecision> for Trouble {
    fn from(NoDecision(why): NoDecision) -> Self {
        Self::state(&why)
    }
}
