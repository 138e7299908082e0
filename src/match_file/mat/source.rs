//! A game as it stands in the text: its head and its rows.

use super::lines::ScoreLine;
use super::place::SourceRow;
use crate::match_file::start::Start;

/// A game as it stands in the file.
#[derive(Default)]
pub(super) struct Source {
    /// Whether a score alone began it when nobody knew yet whose: it may be a remark.
    pub(super) is_doubtful: bool,
    pub(super) number: u32,
    pub(super) line: u32,
    /// Line of the score, where there is one.
    pub(super) score_line: u32,
    pub(super) score: Option<ScoreLine>,
    pub(super) start: Option<Start>,
    pub(super) rows: Vec<SourceRow>,
}

impl Source {
    /// Whether its score is one of players, and no remark.
    pub(super) fn has_score(&self) -> bool {
        self.score.is_some() && !(self.is_doubtful && self.rows.is_empty())
    }

    /// Whether its score names the players of the match in the other order: then so are the columns of its game.
    pub(super) fn is_exchanged(&self, [left, right]: &[String; 2]) -> bool {
        let names = self.score.as_ref().map(|line| &line.names);
        let is = |name: &String, player: &String| parted(name).0 == player;
        left != right
            && self.start.is_none()
            && names.is_some_and(|[a, b]| is(a, right) && is(b, left))
    }

    /// Its score, that of the left player of the match first.
    pub(super) fn points(&self, players: &[String; 2]) -> Option<[u16; 2]> {
        let [left, right] = self.score.as_ref()?.points;
        Some(match self.is_exchanged(players) {
            true => [right, left],
            false => [left, right],
        })
    }
}

/// `kai` and `1659` of `kai,1659`: some servers put a rating behind the name.
pub(super) fn parted(name: &str) -> (&str, Option<&str>) {
    match name
        .rsplit_once(',')
        .map(|(bare, rating)| (bare.trim(), rating.trim()))
    {
        Some((bare, rating))
            if !bare.is_empty()
                && (3..=4).contains(&rating.len())
                && rating.bytes().all(|b| b.is_ascii_digit()) =>
        {
            (bare, Some(rating))
        }
        _ => (name, None),
    }
}
