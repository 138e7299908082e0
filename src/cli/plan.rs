//! `luckless plan`: where more is lost than need be.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::match_list::side;
use super::options::{CubeModel, Nets, Threads, plies};
use super::output;
use super::reviewer::{Reviewer, open_store};
use super::usage::{message_of, misuse, say};
use crate::cube::Model;
use crate::game::Player;
use crate::grid::Grid;
use crate::library::names;
use crate::review::{Report, STANDARD_PLY};
use crate::store::{LibraryStore, READING, ReviewStore, UserFolders, folder};
use crate::study::plan::{FamilyFinding, Plan, plan};
use crate::study::plan_decision::PlanDecision;
use crate::study::plan_habits::HabitFinding;
use crate::study::plan_report;

const EXAMPLES: &str = "\
Examples:
  luckless plan                                 yours, from the library
  luckless plan --player anna
  luckless plan ~/matches --player anna --reference 3

A family is a class of decisions in one kind of position, or at one part of the scores. What is told was \
lost beyond what a reference player loses in the same positions. Who plays like the reference is told of a \
family, or of a habit, in at most 5 % of all plans each. Matches to a length and money sessions are not \
mixed: where there are both, only the matches count.";

/// Where a player loses more than need be, with intervals
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Match files, or folders of them [default: the library]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The player [default: you, as the library knows you]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Performance rating of the reference player
    #[arg(long, value_name = "PR", default_value_t = 5.0, value_parser = rating)]
    reference: f64,
    /// Plies of lookahead where a decision is close, of files that are not reviewed yet
    #[arg(long, value_name = "N", default_value_t = STANDARD_PLY, value_parser = plies())]
    ply: u8,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

fn rating(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|pr: &f64| (0.5..=50.0).contains(pr))
        .ok_or_else(|| "expected a rating from 0.5 to 50".to_owned())
}

#[derive(Serialize)]
struct PlanJson {
    player: String,
    unit: &'static str,
    matches: usize,
    decisions: usize,
    pr: f64,
    reference_pr: f64,
    temperature: f64,
    families_tested: usize,
    families: Vec<FamilyJson>,
    habits: Vec<HabitJson>,
}

#[derive(Serialize)]
struct FamilyJson {
    family: String,
    decisions: usize,
    lost: f64,
    reference: f64,
    recoverable: f64,
    ci95: [f64; 2],
    p: f64,
}

#[derive(Serialize)]
struct HabitJson {
    habit: &'static str,
    too_often: bool,
    decisions: usize,
    share: f64,
    ci95: [f64; 2],
    reference: f64,
    p: f64,
}

/// The decisions of a player, of matches and of money sessions.
#[derive(Default)]
struct Gathered {
    player: Option<String>,
    /// Decisions, and from how many.
    matches: (Vec<PlanDecision>, usize),
    money: (Vec<PlanDecision>, usize),
}

impl Gathered {
    fn add(&mut self, report: &Report, whose: Player, model: &Model) {
        let into = match report.is_money() {
            true => &mut self.money,
            false => &mut self.matches,
        };
        into.0.extend(plan_report::of_report(report, whose, model));
        into.1 += 1;
        let name = &report.players[whose.index()].name;
        self.player.get_or_insert_with(|| name.clone());
    }
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let model = self.cube.load()?;
        let mut gathered = Gathered::default();
        match self.files.is_empty() {
            true => self.of_library(&mut gathered, &model)?,
            false => self.of_files(&mut gathered, &model)?,
        }
        let is_money = gathered.matches.1 == 0;
        let (decisions, count) = match is_money {
            true => gathered.money,
            false => gathered.matches,
        };
        let Some(found) = plan(&decisions, count, self.reference) else {
            return Err(misuse(match &self.player {
                Some(name) => format!("no match has a player called '{name}'"),
                None => "no match to plan from".to_owned(),
            }));
        };
        let player = gathered.player.unwrap_or_default();
        match self.json {
            true => output::json(&document(&found, player, is_money)),
            false => output::text(&in_words(&found, &player, is_money)),
        }
    }

    fn of_files(&self, gathered: &mut Gathered, model: &Model) -> Result<()> {
        let name = self.player.as_deref();
        let name = name.ok_or_else(|| misuse("--player names whose plan it is"))?;
        let pool = self.threads.pool()?;
        let store = open_store(None)?;
        let mut reviewer = Reviewer::new(&self.nets, &self.cube, self.ply, None, store)?;
        let mut files = Vec::new();
        for path in &self.files {
            match path.is_dir() {
                true => files.extend(folder::match_files(path, &mut |e| say(&e))),
                false => files.push(path.clone()),
            }
        }
        for path in &files {
            match pool.install(|| reviewer.file(path, &|| false)) {
                Ok(reviews) => {
                    for report in reviews.iter().map(|review| &review.report) {
                        if let Some(whose) = side(report, name) {
                            gathered.add(report, whose.into(), model);
                        }
                    }
                }
                Err(error) if self.files.contains(path) => return Err(error),
                Err(error) => say(&message_of(&error)),
            }
        }
        if let Some(error) = reviewer.not_kept() {
            say(&format!("reviews are not kept: {error}"));
        }
        Ok(())
    }

    /// From the reviews of the matches of the library.
    fn of_library(&self, gathered: &mut Gathered, model: &Model) -> Result<()> {
        let places = UserFolders::of_user().context("the system names no folder for a library")?;
        let store = LibraryStore::open_to_read(&places.library(), READING)?;
        let reviews = ReviewStore::open_to_read(&places.reviews(), READING)?;
        let (Some(store), Some(reviews)) = (store, reviews) else {
            return Err(misuse(
                "the library is empty: name match files, or `luckless library add FOLDER`",
            ));
        };
        let people = store.people()?;
        if self.player.is_none() && !people.knows_me() {
            return Err(misuse(
                "the library does not know who you are: --player NAME, or `luckless library me NAME`",
            ));
        }
        let wanted = |name: &str| match &self.player {
            Some(whose) => people.player(name).contains(&names::fold(whose)),
            None => people.is_me(name),
        };
        for one in store.matches(&mut |why| say(&why))? {
            let whose = one.head.players.each_ref().map(|name| wanted(name));
            let whose = match whose {
                [true, _] => Player::Left,
                [_, true] => Player::Right,
                _ => continue,
            };
            match reviews.find(&one.review)?.sound(|why| say(&why)) {
                Some(report) => gathered.add(&report, whose, model),
                None => say(&format!("match {}: its review is not there", one.id)),
            }
        }
        Ok(())
    }
}

fn document(found: &Plan, player: String, is_money: bool) -> PlanJson {
    let family = |one: &FamilyFinding| FamilyJson {
        family: one.family.name(),
        decisions: one.decisions,
        lost: one.lost,
        reference: one.reference,
        recoverable: one.recoverable,
        ci95: one.ci95,
        p: one.p,
    };
    let habit = |one: &HabitFinding| HabitJson {
        habit: one.habit.name(),
        too_often: one.too_often,
        decisions: one.decisions,
        share: one.share,
        ci95: one.ci95,
        reference: one.reference,
        p: one.p,
    };
    PlanJson {
        player,
        unit: if is_money { "points" } else { "mwc" },
        matches: found.matches,
        decisions: found.decisions,
        pr: found.pr,
        reference_pr: found.reference_pr,
        temperature: found.temperature,
        families_tested: found.tested,
        families: found.families.iter().map(family).collect(),
        habits: found.habits.iter().map(habit).collect(),
    }
}

fn in_words(found: &Plan, player: &str, is_money: bool) -> String {
    let (noun, unit) = match is_money {
        true => ("session", "points"),
        false => ("match", "chance to win the match"),
    };
    let es = match (found.matches, is_money) {
        (1, _) => "",
        (_, true) => "s",
        (_, false) => "es",
    };
    let mut out = format!(
        "{player}: {} {noun}{es}, {} decisions that count, PR {:.2}\n\
         reference: PR {:.2} (temperature {:.4} points)\n\n",
        found.matches, found.decisions, found.pr, found.reference_pr, found.temperature
    );
    let value = |value: f64| match is_money {
        true => format!("{value:.3}"),
        false => format!("{:.2}%", 100.0 * value),
    };
    if found.families.is_empty() {
        out += &format!(
            "no family stands out of {} with five decisions or more\n",
            found.tested
        );
    } else {
        out += &format!("lost a {noun} ({unit}), the largest recoverable loss first:\n");
        let mut table = Grid::new(&[
            "family",
            "decisions",
            "lost",
            "reference",
            "recoverable",
            "95% interval",
        ]);
        for one in &found.families {
            table.row(vec![
                one.family.name(),
                one.decisions.to_string(),
                value(one.lost),
                value(one.reference),
                value(one.recoverable),
                format!("{} … {}", value(one.ci95[0]), value(one.ci95[1])),
            ]);
        }
        out += &table.to_string();
    }
    out.push('\n');
    for one in &found.habits {
        let much = if one.too_often {
            "too often"
        } else {
            "too rarely"
        };
        let percent = |share: f64| format!("{:.0}%", 100.0 * share);
        out += &format!(
            "{} {much}: {} of {} {} (95% interval {} … {}), the reference {}\n",
            one.habit.name(),
            percent(one.share),
            one.decisions,
            one.habit.decisions(),
            percent(one.ci95[0]),
            percent(one.ci95[1]),
            percent(one.reference)
        );
    }
    if found.habits.is_empty() {
        out += "no habit stands out\n";
    }
    out
}
