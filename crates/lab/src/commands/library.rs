//! `luckless-lab library`: times searches in a large library, and writes matches to fill one.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result};

use crate::cli::common::options::count;
use crate::cli::common::output;
use crate::cube::Model;
use crate::eval::{Engine, Evaluator as _};
use crate::experiments::library::{decisions, head, play};
use crate::grid::Grid;
use crate::library::{Filter, Likeness, Search};
use crate::match_file::{self, Match};
use crate::notation::parse_id;
use crate::store::library::NewMatch;
use crate::store::{LibraryStore, MatchFingerprint, ReviewKey, ReviewMethod};

/// Number of matches played; further ones are copies with other errors.
const PLAYED: usize = 100;
/// Repetitions of each search.
const TIMES: usize = 7;
/// Results kept by a search, as in the workstation.
const ROWS: usize = 1000;

/// How long searches through a made-up library take; or matches, as files, to fill one with
#[derive(Debug, clap::Args)]
pub(super) struct Library {
    /// Decisions in the library, at least
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = count::<u64>(1))]
    decisions: u64,
    /// Folder for the library
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Write so many matches as files into the folder, and no library
    #[arg(long, value_name = "N", value_parser = count::<u64>(1))]
    matches: Option<u64>,
}

impl Library {
    pub(super) fn run(&self) -> Result<()> {
        let engine = Engine::embedded();
        fs::create_dir_all(&self.out)
            .with_context(|| format!("cannot make {}", self.out.display()))?;
        if let Some(matches) = self.matches {
            for number in 0..matches {
                let record = play(&engine, number);
                let path = self.out.join(format!("{number:05}.mat"));
                fs::write(&path, match_file::mat::write::write(&record))
                    .with_context(|| format!("cannot write {}", path.display()))?;
            }
            return output::text(&format!("{matches} matches\n"));
        }
        let path = self.out.join("library.sqlite");
        let mut store = LibraryStore::open(&path)?;
        let (filled, began) = (self.fill(&mut store, &engine)?, Instant::now());
        let matches = store.matches(&mut |_| {})?;
        let people = store.people()?;
        let listed = began.elapsed();
        let mut table = Grid::new(&["search", "found", "median ms", "slowest ms"]);
        for (name, search) in searches()? {
            let mut times = Vec::new();
            let mut total = 0;
            for _ in 0..TIMES {
                let began = Instant::now();
                total = store.search(&search, &matches, &people)?.total;
                times.push(1000.0 * began.elapsed().as_secs_f64());
            }
            times.sort_by(f64::total_cmp);
            table.row(vec![
                name,
                total.to_string(),
                format!("{:.0}", times[TIMES / 2]),
                format!("{:.0}", times[TIMES - 1]),
            ]);
        }
        let bytes = fs::metadata(&path).map_or(0, |meta| meta.len());
        output::text(&format!(
            "{filled} decisions, {} matches, {:.0} MB; listed in {:.0} ms\n{table}",
            matches.len(),
            bytes as f64 / 1e6,
            1000.0 * listed.as_secs_f64()
        ))
    }

    /// Fills the library. Returns its number of decisions.
    fn fill(&self, store: &mut LibraryStore, engine: &Engine) -> Result<u64> {
        let model = Model::standard();
        let method = ReviewMethod::new(engine.name(), model, false);
        let mut played: Vec<Match> = Vec::new();
        let (mut filled, mut number) = (0, 0);
        while filled < self.decisions {
            if played.len() < PLAYED {
                played.push(play(engine, number));
            }
            let record = &played[number as usize % PLAYED];
            let all = decisions(record, number);
            filled += all.len() as u64;
            let name = format!("{number}");
            let key = ReviewKey::new(name.as_bytes(), 0, record, &method, 2);
            let new = NewMatch {
                fingerprint: fingerprint(record, number),
                head: head(record, number),
                decisions: Some(all),
                review: key.id,
            };
            store.keep(Path::new(&format!("/made-up/{name}.mat")), &name, &[new])?;
            number += 1;
        }
        Ok(filled)
    }
}

/// Gives a copy its own fingerprint by changing the match length.
fn fingerprint(record: &Match, number: u64) -> MatchFingerprint {
    MatchFingerprint::of(&Match {
        length: u16::try_from(number).unwrap_or(u16::MAX),
        ..record.clone()
    })
}

fn searches() -> Result<Vec<(String, Search)>> {
    let position = parse_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")?;
    let filters = [
        "error>0.1",
        "player:ben kind:blitz,back blunder",
        "take score:2-4",
        "date>=2020 pips<100 lead:-5..5 error>=0.02",
        "6:2 5:2 4:2 obar:1",
        "20:2 o5:2",
    ];
    let mut all = Vec::new();
    for text in filters {
        let search = Search {
            filter: Filter::parse(text)?,
            most: ROWS,
            ..Search::default()
        };
        all.push((text.to_owned(), search));
    }
    let search = Search {
        like: Some(Likeness::to(&position)),
        most: ROWS,
        ..Search::default()
    };
    all.push(("--like".to_owned(), search));
    Ok(all)
}
