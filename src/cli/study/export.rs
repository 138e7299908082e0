//! `luckless export`: errors as cards for Anki, as a worksheet, as a table, as JSON.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};
use rayon::prelude::*;
use serde::Serialize;

use super::study_files::{self, StudyFiles};
use crate::cli::common::options::plies;
use crate::cli::common::output;
use crate::cli::common::usage::{misuse, must_be_there, say};
use crate::cube::{Model, cube_words};
use crate::review::{Mark, PositionType, STANDARD_PLY, Thresholds, point_value};
use crate::sanitize;
use crate::store::{READ_TIMEOUT, StudyStore, UserFolders, anki_package, clock};
use crate::study::anki::AnkiKind;
use crate::study::{Question, Scheduler, StudyCard, StudyDecision, anki, day, worksheet};
use crate::words::counted;

const EXAMPLES: &str = "\
Examples:
  luckless export --anki --out errors.apkg match.mat
  luckless export --anki --out anna.apkg ~/matches --player anna
  luckless export --anki --ankigammon --out errors.apkg match.mat
  luckless export --html --out sheet.html match.mat   a worksheet
  luckless export --csv match.mat --from 0.08
  luckless export --anki --out list.apkg list.txt   a list of positions
  luckless export --csv --library           your errors in the library
  luckless export --csv --filter note:lesson1   what you noted, right or wrong
  luckless export --csv --family 'taking, holding game'
  luckless export --anki --out due.apkg --due
  luckless export --json                    every card of the quiz

A card has the board and plausible plays on the front, their equities on the back. The same decision is the \
same note in Anki: exported again it is brought up to date and keeps its history. In a table and in JSON \
the choices stand best first.";

/// Errors as cards for Anki, as a worksheet, CSV or JSON
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(clap::ArgGroup::new("form").required(true).args(["anki", "html", "csv", "json"])))]
pub(crate) struct Args {
    #[command(flatten)]
    files: StudyFiles,
    /// Only what is due today of the cards of the quiz
    #[arg(long, conflicts_with_all = ["files", "library", "filter", "family"])]
    due: bool,
    /// A package of Anki (.apkg); needs --out
    #[arg(long, requires = "out")]
    anki: bool,
    /// Cards as AnkiGammon's: those that it made of the same XGID are brought up to date
    #[arg(long, requires = "anki")]
    ankigammon: bool,
    /// A worksheet: a page of numbered boards to print, with the answers on sheets of their own
    #[arg(long)]
    html: bool,
    /// A table, one decision a line
    #[arg(long)]
    csv: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
    /// Write to FILE [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace what is there already
    #[arg(long, requires = "out")]
    force: bool,
    /// Plies of lookahead for the figures
    #[arg(long, value_name = "N", default_value_t = STANDARD_PLY, value_parser = plies())]
    ply: u8,
    /// The file with the answers of the quiz, for an export without files
    #[arg(long, value_name = "STUDY", conflicts_with_all = ["files", "library", "filter", "family"])]
    store: Option<PathBuf>,
}

/// The number of a decision's match, then who made it, the choice and the source.
type DecisionPlace<'a> = (Option<i64>, [&'a str; 3]);

#[derive(Serialize)]
struct DecisionsJson {
    decisions: Vec<DecisionJson>,
}

/// A decision as it is printed.
#[derive(Serialize)]
struct DecisionJson {
    xgid: String,
    class: &'static str,
    #[serde(rename = "type")]
    kind: PositionType,
    dice: Option<String>,
    length: u16,
    away: Option<[u16; 2]>,
    made: String,
    best: String,
    cost: f32,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    ply: u8,
    /// The player who decided, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<String>,
    /// How bad what was made is, where something was.
    mark: Mark,
    /// The cost as a chance to win the match; for money in points, with the cube counted.
    cost_unnormalised: f32,
    /// The figures come from a rollout.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rollout: bool,
    choices: Vec<ChoiceJson>,
    /// The choice made and the best one, in players' words.
    #[serde(skip)]
    words: [String; 2],
}

#[derive(Serialize)]
struct ChoiceJson {
    text: String,
    equity: f32,
    cost: f32,
}

impl Args {
    pub(crate) fn run(mut self) -> Result<()> {
        self.out = output::named_file(self.out, self.force)?;
        self.check_out()?;
        let model = self.files.cube.load()?;
        let all = self.examined(&model)?;
        if all.is_empty() {
            let nothing = format!("no decision{} to export", self.files.of_yours());
            match self.anki || self.html {
                // A package without a card, or a page without a board, is of no use.
                true => bail!("{nothing}: nothing is written"),
                false => say(&nothing),
            }
        }
        let bytes = self.written(&all, &model)?;
        if let Some(path) = &self.out {
            output::to_file(path, &bytes, self.force)?;
            let count = counted(all.len(), "decision");
            say(&format!("{}: {count}", path.display()));
            return Ok(());
        }
        let mut out = output::stdout();
        out.write_all(&bytes)?;
        Ok(out.flush()?)
    }

    /// Returns the key by which repeated decisions are exported once.
    /// Cards and boards are identified by their position.
    /// In a table, another player's error or another match is a decision of its own.
    /// The source does not distinguish two matches of the same players.
    fn repeated<'a>(&self, one: &'a StudyDecision) -> (String, Option<DecisionPlace<'a>>) {
        let is_table = self.csv || self.json;
        let name = one.name.as_deref().unwrap_or_default();
        let place = || (one.match_number, [name, &one.made, &one.source]);
        (one.key(), is_table.then(place))
    }

    /// The decisions with their analysis, the largest cost first, each once.
    fn examined(&self, model: &Model) -> Result<Vec<(StudyDecision, Question)>> {
        let wanted = self.wanted()?;
        self.files.agrees_with(&wanted)?;
        let wanted = self.without_repeats(wanted);
        let mut all = self.questions(&wanted, model)?;
        // All figures of a decision are of one analysis, that of its choices. A card keeps the cost it came with.
        if !self.files.is_of_cards()? {
            all.iter_mut()
                .for_each(|(one, asked)| one.cost = asked.cost_of_made(one));
        }
        if self.files.is_library() {
            // The library may have looked less deep, or deeper.
            let found = all.len();
            all.retain(|(one, _)| one.is_error(self.files.least()));
            if let gone @ 1.. = found - all.len() {
                let errors = counted(gone, "error");
                say(&format!(
                    "{errors} of the library left out: none at {}-ply, unless --ply says another depth",
                    self.ply
                ));
            }
        }
        all.sort_by(|a, b| b.0.cost.total_cmp(&a.0.cost));
        Ok(all)
    }

    /// The decisions, each once; how many came before is said.
    fn without_repeats(&self, all: Vec<StudyDecision>) -> Vec<StudyDecision> {
        let mut known = HashSet::new();
        let is_new = all.iter().map(|one| known.insert(self.repeated(one)));
        let is_new: Vec<bool> = is_new.collect();
        let again = is_new.iter().filter(|is_new| !**is_new).count();
        if again > 0 {
            let again = counted(again, "decision");
            say(&match self.anki || self.html {
                true => format!(
                    "{again} in a position that came before: each position is exported once"
                ),
                false => format!("{again} that came before: each is exported once"),
            });
        }
        let pairs = all.into_iter().zip(is_new);
        pairs
            .filter_map(|(one, is_new)| is_new.then_some(one))
            .collect()
    }

    /// The file of the form that is asked for.
    fn written(&self, all: &[(StudyDecision, Question)], model: &Model) -> Result<Vec<u8>> {
        if self.anki {
            let kind = match self.ankigammon {
                true => AnkiKind::AnkiGammon,
                false => AnkiKind::Luckless,
            };
            let notes = all.iter().map(|(one, asked)| anki::note(kind, one, asked));
            let notes: Vec<_> = notes.collect();
            return Ok(anki_package::package(kind, &notes, clock::seconds())?);
        }
        if self.html {
            return Ok(worksheet::page(all).into_bytes());
        }
        let decisions = all
            .iter()
            .map(|(one, asked)| decision_json(one, asked, model));
        let decisions: Vec<DecisionJson> = decisions.collect();
        if self.csv {
            return Ok(csv(&decisions).into_bytes());
        }
        let json = sanitize::to_json(&DecisionsJson { decisions })?;
        Ok(format!("{json}\n").into_bytes())
    }

    /// Refuses to write over a file that is read, or where nothing may be written: before any work.
    fn check_out(&self) -> Result<()> {
        let Some(out) = &self.out else { return Ok(()) };
        if self.files.reads(out) {
            return Err(misuse(format!(
                "{}: is a file that is read; an export is never written over its source",
                out.display()
            )));
        }
        output::may_write(out, self.force)?;
        // With --force it is made.
        let folder = out
            .parent()
            .filter(|folder| !self.force && !folder.as_os_str().is_empty());
        match folder.filter(|folder| !folder.is_dir()) {
            Some(folder) => bail!("{}: no such folder", folder.display()),
            None => Ok(()),
        }
    }

    /// The errors of the files or of the library, the largest first; without these those of the quiz.
    fn wanted(&self) -> Result<Vec<StudyDecision>> {
        if self.files.is_of_cards()? {
            return self.of_cards();
        }
        let mut all = match self.files.is_library() {
            true => self.files.of_library()?,
            false => self.files.decisions(self.ply)?,
        };
        all.retain(|one| one.is_error(self.files.least()));
        all.sort_by(|a, b| b.cost.total_cmp(&a.cost));
        Ok(all)
    }

    /// The errors that the quiz has asked, or of all its cards those due today.
    fn of_cards(&self) -> Result<Vec<StudyDecision>> {
        must_be_there(self.store.as_deref())?;
        let of_user = || UserFolders::of_user().map(|places| places.study());
        let path = self.store.clone().or_else(of_user);
        let path = path.ok_or_else(|| misuse("name a match file, or --store"))?;
        let cards = StudyStore::read(&path, READ_TIMEOUT, &mut |why| say(&why))?;
        let (scheduler, today) = (Scheduler::default(), day(clock::seconds()));
        let is_wanted = |card: &&StudyCard| match self.due {
            true => card.standing(&scheduler, today).is_due(today),
            false => card.is_error || self.files.is_every(),
        };
        let admitted = cards.iter().filter(|card| self.files.admits(card));
        let wanted = admitted.filter(is_wanted).cloned().collect();
        let wanted = self.files.cards_with_rollouts(wanted)?;
        let wanted = wanted.iter().filter_map(StudyDecision::of_card);
        Ok(study_files::with_notes(wanted.collect()))
    }

    /// Each decision with what may be answered; the order of plays on a card depends on its position.
    fn questions(
        &self,
        wanted: &[StudyDecision],
        model: &Model,
    ) -> Result<Vec<(StudyDecision, Question)>> {
        let engine = self.files.nets.engine()?;
        let asked = |one: &StudyDecision| {
            let asked = Question::exported(&engine, model, one, self.ply)?;
            Some((one.clone(), asked))
        };
        let pool = self.files.threads.pool()?;
        let all = || wanted.par_iter().map(asked).collect::<Vec<_>>();
        Ok(pool.install(all).into_iter().flatten().collect())
    }
}

fn decision_json(decision: &StudyDecision, asked: &Question, model: &Model) -> DecisionJson {
    let state = &decision.state;
    let choices: Vec<ChoiceJson> = asked
        .ranked()
        .into_iter()
        .map(|choice| ChoiceJson {
            text: choice.text.clone(),
            equity: choice.equity,
            cost: choice.cost,
        })
        .collect();
    DecisionJson {
        xgid: decision.key(),
        class: decision.class.name(),
        kind: PositionType::of(&state.position),
        dice: state.roll.map(|roll| roll.to_string()),
        length: state.score.length,
        away: state.score.away().map(|(own, other)| [own, other]),
        made: decision.made.clone(),
        best: asked.best_name().to_owned(),
        cost: decision.cost,
        source: decision.source.clone(),
        note: decision.note.clone(),
        ply: asked.ply,
        player: decision.name.clone(),
        mark: Mark::of(decision.cost, &Thresholds::default()),
        cost_unnormalised: decision.cost * point_value(model, state),
        rollout: asked.rollout.is_some(),
        choices,
        words: [&decision.made, asked.best_name()].map(|name| cube_words(name, state).to_owned()),
    }
}

const COLUMNS: &str = "xgid,class,type,dice,length,away,made,best,cost,ply,source,note,rollout,player,mark,\
                       cost_unnormalised";

/// A line a decision, as RFC 4180 has them.
fn csv(all: &[DecisionJson]) -> String {
    let mut out = format!("{COLUMNS}\r\n");
    for one in all {
        // A spreadsheet takes `5-3` for a day.
        let away = one.away;
        let away = away.map(|[own, other]| format!("{own}-away {other}-away"));
        let [made, best] = one.words.clone();
        let cells = [
            one.xgid.clone(),
            one.class.to_owned(),
            one.kind.name().to_owned(),
            one.dice.clone().unwrap_or_default(),
            one.length.to_string(),
            away.unwrap_or_default(),
            made,
            best,
            format!("{:.4}", one.cost),
            one.ply.to_string(),
            one.source.clone(),
            one.note.clone().unwrap_or_default(),
            one.rollout.to_string(),
            one.player.clone().unwrap_or_default(),
            one.mark.name().to_owned(),
            format!("{:.6}", one.cost_unnormalised),
        ];
        out += &cells.map(|cell| output::csv_cell(&cell)).join(",");
        out += "\r\n";
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables and scripts of users go by these columns and by this form of numbers.
    #[test]
    fn a_table_has_these_columns() {
        let one =
            |dice: Option<&str>, away: Option<[u16; 2]>, source: &str, note: &str| DecisionJson {
                xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10".to_owned(),
                class: "checker",
                kind: PositionType::Race,
                dice: dice.map(str::to_owned),
                length: away.map_or(0, |_| 7),
                away,
                made: "24/23 13/10".to_owned(),
                best: "8/5 6/5".to_owned(),
                cost: 0.123_46,
                source: source.to_owned(),
                note: (!note.is_empty()).then(|| note.to_owned()),
                ply: 2,
                player: (!source.starts_with("the")).then(|| "Anna".to_owned()),
                mark: Mark::Blunder,
                cost_unnormalised: 0.017_283_4,
                rollout: false,
                choices: Vec::new(),
                words: ["24/23 13/10", "8/5 6/5"].map(str::to_owned),
            };
        let rolled = DecisionJson {
            rollout: true,
            ..one(Some("31"), Some([7, 5]), "anna - ben, game 1", "")
        };
        let of_one_checker = DecisionJson {
            words: ["12/4", "10/3"].map(str::to_owned),
            ..one(None, None, "the \"final\"", "prime,\nthen \"run\"\u{1b}")
        };
        let all = [rolled, of_one_checker];
        assert_eq!(
            csv(&all),
            "xgid,class,type,dice,length,away,made,best,cost,ply,source,note,rollout,player,mark,cost_unnormalised\r\n\
             XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,checker,race,31,7,7-away 5-away,24/23 13/10,\
             8/5 6/5,0.1235,2,\"anna - ben, game 1\",,true,Anna,blunder,0.017283\r\n\
             XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10,checker,race,,0,,'12/4,'10/3,\
             0.1235,2,\"the \"\"final\"\"\",\"prime, then \"\"run\"\"\",false,,blunder,0.017283\r\n"
        );
    }
}
