//! `luckless met`: match equity tables, and what a score means for the cube.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Result;
use serde::Serialize;

use crate::analysis::ScoreFacts;
use crate::cli::common::options::load_table;
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::cube::EquityTable;
use crate::cube::met::{MOST_AWAY, Rates, TableDifference};
use crate::review::report::decision_text::{score_text, table_text};

const EXAMPLES: &str = "\
Examples:
  luckless met                    the table in the program, to 15 points
  luckless met --score 3-5        needing 3 against 5: take points and the like
  luckless met --score 4-1 --crawford
  luckless met --table club.xml --length 9
  luckless met --no-crawford --against kazaross
  luckless met --computed --against kazaross
  luckless met --computed --gammons 0.26 --csv > mine.csv

Scores are points still needed: 3-5 is 3-away, 5-away. If one player is 1-away the score is a \
post-Crawford one; --crawford makes it the Crawford game. Tables are GNU Backgammon's XML, or CSV lines \
phase,away_row,away_col,mwc_row.";

/// Points up to which a table is shown and compared.
const SHOWN: usize = 15;

/// Match equities: a table, or take points and gammon values at a score
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A table to use instead of the one in the program
    #[arg(
        long,
        visible_alias = "met",
        value_name = "FILE",
        conflicts_with = "computed"
    )]
    table: Option<PathBuf>,
    /// Compute a table from gammon rates, by recursion
    #[arg(long)]
    computed: bool,
    /// For --computed: share of gammons among wins
    #[arg(long, value_name = "SHARE", requires = "computed", conflicts_with = "table", value_parser = share)]
    gammons: Option<f32>,
    /// For --computed: efficiency of the cube over a game, 0 (dead) to 1
    #[arg(long, value_name = "SHARE", requires = "computed", conflicts_with = "table", value_parser = share)]
    efficiency: Option<f32>,
    /// Show the table up to this many points [default: 15; with --csv or --json all that it gives]
    #[arg(long, value_name = "N", conflicts_with = "score",
          value_parser = clap::value_parser!(u16).range(1..=MOST_AWAY as i64))]
    length: Option<u16>,
    /// Points that the player on roll and the other need, such as 3-5 or 3a-5a
    #[arg(long, value_name = "A-B")]
    score: Option<Score>,
    /// With --score: only this value of the cube
    #[arg(long, value_name = "N", requires = "score", conflicts_with_all = ["length", "against", "csv"],
          value_parser = cube)]
    cube: Option<u32>,
    /// With --score: this is the Crawford game
    #[arg(long, requires = "score", conflicts_with_all = ["no_crawford", "length", "against", "csv"])]
    crawford: bool,
    /// The table of matches without the Crawford rule
    #[arg(long)]
    no_crawford: bool,
    /// Say how far the table is from another one: a file, or kazaross
    #[arg(long, value_name = "FILE", conflicts_with = "score")]
    against: Option<PathBuf>,
    /// Print the table as CSV, to be read again with --table
    #[arg(long, conflicts_with_all = ["score", "json", "against"])]
    csv: bool,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
}

/// Points two players need.
#[derive(Clone, Copy, Debug)]
struct Score(u16, u16);

impl FromStr for Score {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let away = |part: &str| {
            // 3a is 3-away.
            let part = part.trim();
            let n = part.strip_suffix('a').unwrap_or(part).trim().parse().ok();
            n.filter(|n| (1..=MOST_AWAY as u16).contains(n))
        };
        let both = text.split_once('-').map(|(a, b)| (away(a), away(b)));
        match both {
            Some((Some(a), Some(b))) => Ok(Self(a, b)),
            _ => Err(format!(
                "expected two needs from 1 to {MOST_AWAY}, such as 3-5"
            )),
        }
    }
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|s| (0.0..=1.0).contains(s));
    share.ok_or_else(|| "expected a share from 0 to 1".to_owned())
}

fn cube(text: &str) -> Result<u32, String> {
    let cube = text.parse().ok();
    let cube = cube.filter(|c: &u32| c.is_power_of_two() && *c <= 1024);
    cube.ok_or_else(|| "expected 1, 2, 4, … 1024".to_owned())
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        if self.csv && self.no_crawford {
            // Read again it would be taken for a table with the rule.
            return Err(misuse(
                "--csv writes a table with the Crawford rule, and every command takes the rule out of that itself: \
                 leave out --no-crawford",
            ));
        }
        let table = self.chosen()?;
        if let Some(score) = self.score {
            let Score(mine, theirs) = score;
            if self.crawford && (mine.min(theirs) != 1 || mine == theirs) {
                return Err(misuse(
                    "the Crawford game is the first with one point to go for one player, and more for the other",
                ));
            }
            if self.crawford && self.cube.is_some_and(|cube| cube > 1) {
                return Err(misuse("the cube is not used in the Crawford game"));
            }
            let facts = ScoreFacts::new(&table, [mine, theirs], self.crawford, self.cube);
            return if self.json {
                output::json(&facts)
            } else {
                output::text(&score_text(&facts))
            };
        }
        let length = self.length(&table);
        let mut shown = TableDocument::new(&table, length, self.difference(&table)?);
        if self.no_crawford {
            shown.post.clear();
        }
        if self.csv {
            output::text(&shown.to_csv())
        } else if self.json {
            output::json(&shown)
        } else {
            let mut text = table_text(&table, length);
            if let Some(against) = &shown.against {
                let _ = writeln!(text, "\nagainst {}: {}", against.table, against.words());
            }
            output::text(&text)
        }
    }

    /// Points up to which the table is written.
    fn length(&self, table: &EquityTable) -> usize {
        match self.length {
            Some(length) => usize::from(length),
            // What is to be read again must not lose anything.
            None if self.csv || self.json => table.given(),
            None => SHOWN,
        }
    }

    fn chosen(&self) -> Result<EquityTable> {
        let table = self.table()?;
        Ok(match self.no_crawford {
            true => table.without_crawford(),
            false => table,
        })
    }

    fn table(&self) -> Result<EquityTable> {
        if self.computed {
            let mut rates = Rates::default();
            rates.gammon = self.gammons.unwrap_or(rates.gammon);
            rates.backgammon = rates.backgammon.min(rates.gammon);
            rates.efficiency = self.efficiency.unwrap_or(rates.efficiency);
            return Ok(EquityTable::computed(&rates));
        }
        match &self.table {
            Some(path) => load_table(path),
            None => Ok(EquityTable::standard().clone()),
        }
    }

    fn difference(&self, table: &EquityTable) -> Result<Option<Against>> {
        let Some(path) = &self.against else {
            return Ok(None);
        };
        let other = if path.as_os_str() == "kazaross" {
            EquityTable::standard().clone()
        } else {
            load_table(path)?
        };
        let length = self.length.map_or(SHOWN, usize::from);
        let found = table.difference(&other, length);
        Ok(Some(Against {
            table: other.name().to_owned(),
            mean: found.mean(),
            found,
        }))
    }
}

/// A table as it is shown.
#[derive(Serialize)]
struct TableDocument {
    table: String,
    given: usize,
    /// `pre[a - 1][b - 1]`, before the Crawford game and in it.
    pre: Vec<Vec<f32>>,
    /// `post[n - 1]`, the trailer after it; nothing where there is no such game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    post: Vec<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Against>,
}

/// How far two tables are apart.
#[derive(Serialize)]
struct Against {
    table: String,
    #[serde(flatten)]
    found: TableDifference,
    mean: f64,
}

impl Against {
    fn words(&self) -> String {
        let (found, scores) = (&self.found, self.found.scores);
        if found.largest == 0.0 {
            return format!("the same at all {scores} scores");
        }
        format!(
            "at most {:.3}% apart ({}-away {}-away{}), {:.3}% on average of {scores} scores",
            100.0 * found.largest,
            found.mine,
            found.theirs,
            if found.after_crawford {
                ", after the Crawford game"
            } else {
                ""
            },
            100.0 * self.mean,
        )
    }
}

impl TableDocument {
    fn new(table: &EquityTable, length: usize, against: Option<Against>) -> Self {
        let n = length as i32;
        let row = |a| (1..=n).map(|b| table.chance(a, b, false)).collect();
        Self {
            table: table.name().to_owned(),
            given: table.given(),
            pre: (1..=n).map(row).collect(),
            post: (1..=n).map(|a| table.chance(a, 1, true)).collect(),
            against,
        }
    }

    fn to_csv(&self) -> String {
        let mut text = format!("# {}\nphase,away_row,away_col,mwc_row\n", self.table);
        for (a, row) in (1..).zip(&self.pre) {
            for (b, p) in (1..).zip(row) {
                let _ = writeln!(text, "pre,{a},{b},{p}");
            }
        }
        for (n, p) in (1..).zip(&self.post) {
            let _ = writeln!(text, "post,{n},1,{p}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_two_needs() {
        let Score(a, b) = "3-11".parse().unwrap();
        assert_eq!((a, b), (3, 11));
        let Score(a, b) = "3a-5a".parse().unwrap();
        assert_eq!((a, b), (3, 5));
        for bad in ["3", "0-3", "3-65", "-3-4", "a-b", "3:4", "3aa-5", "a3-5"] {
            assert!(bad.parse::<Score>().is_err(), "{bad}");
        }
    }

    /// A computed table that is written and read again is the same, up to scores at which nobody has a chance.
    #[test]
    fn csv_is_read_again() {
        let table = EquityTable::computed(&Rates::default());
        for length in [12, table.given()] {
            let csv = TableDocument::new(&table, length, None).to_csv();
            let back = crate::cube::met::read::table("x", csv.as_bytes()).unwrap();
            assert_eq!(back.given(), length);
            assert_eq!(table.difference(&back, length).largest, 0.0);
        }
    }
}
