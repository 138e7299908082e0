//! The review as plain text.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::dice::{self, DiceCounts, MEAN_PIPS};
use super::rows::{self, Rows};
use super::wrong_choices::wrong_choices;
use super::{DecisionPlace, Report, signed};
use crate::game::Player;
use crate::grid::{Grid, cut};
use crate::review::{Class, PositionType, depth_words, gnubg_word};
use crate::sanitize;
use crate::words::counted;

/// Most errors in the list.
const WORST: usize = 15;

/// A figure as text, or a dash.
pub(super) fn maybe(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |v| format!("{v:.digits$}"))
}

/// Writes the figures of the match, a row for each figure and a column for each player, under these names.
pub(super) fn players(report: &Report, names: [&str; 2]) -> Grid {
    let mut rows = Rows {
        grid: Grid::new(&["", names[0], names[1]]),
        players: &report.players,
    };
    rows.row("PR", &|p| maybe(p.figures.pr, 2));
    for class in Class::ALL {
        rows.row(&format!("  {}", class.name()), &|p| {
            maybe(p.figures.pr_counted_of(class).pr(report.length), 2)
        });
    }
    rows.row("gnubg error rate (mEMG)", &|p| {
        maybe(p.figures.gnubg_error_rate, 1)
    });
    rows.row("  in gnubg's words", &|p| {
        let word = p.figures.gnubg_error_rate.map(gnubg_word);
        word.unwrap_or("–").to_owned()
    });
    rows.row("error total", &|p| format!("{:.3}", p.figures.error_total));
    let lost = if report.is_money() {
        "error total, times the cube"
    } else {
        "MWC lost"
    };
    rows.row(lost, &|p| report.lost(p.figures.error_unnormalised));
    rows.row("decisions, unforced", &|p| {
        format!("{}, {}", p.figures.decisions, p.figures.unforced)
    });
    rows.row("decisions that PR counts", &|p| {
        p.figures.pr_counted.decisions.to_string()
    });
    kinds(&mut rows);
    for (name, counts) in wrong_choices(report) {
        rows.both(name, counts.map(|count| count.to_string()));
    }
    rows.row("luck, points", &|p| signed(p.figures.luck, 3));
    let luck = if report.is_money() {
        "luck, times the cube"
    } else {
        "luck, MWC"
    };
    rows.row(luck, &|p| report.change_text(p.figures.luck_unnormalised));
    dice(report, &mut rows);
    rows.row("result", &|p| report.value_text(p.result));
    rows.row("luck-adjusted result", &|p| {
        report.value_text(p.luck_adjusted_result)
    });
    interval(report, &mut rows);
    rows.row("result by errors", &|p| {
        report.value_text(p.result_by_errors)
    });
    rows::others(&mut rows);
    rows.grid
}

/// Adds the rows of errors by kind of decision.
fn kinds(rows: &mut Rows<'_>) {
    type Of = fn(&super::PlayerReport) -> crate::review::figures::ClassFigures;
    let kinds: [(&str, Of); 3] = [
        ("checker plays: error ?! ? ??", |p| p.figures.checker),
        ("doubling: error ?! ? ??", |p| p.figures.double),
        ("taking: error ?! ? ??", |p| p.figures.take),
    ];
    for (name, kind) in kinds {
        rows.row(name, &|p| {
            let k = kind(p);
            let (a, b, c) = (k.doubtful, k.errors, k.blunders);
            format!("{:.3}  {a} {b} {c}", k.error)
        });
    }
}

/// Adds the rows of what was rolled, with what a share or a mean is in the long run.
fn dice(report: &Report, rows: &mut Rows<'_>) {
    let all = DiceCounts::of(report);
    let mut add = |name: &str, of: &dyn Fn(&DiceCounts) -> String| {
        rows.both(name, all.each_ref().map(of));
    };
    add("rolls", &|dice| dice.rolls.to_string());
    add("  doubles (mean 17%)", &DiceCounts::doubles_text);
    add(&format!("  pips a roll ({MEAN_PIPS:.2})"), &|dice| {
        maybe(dice.mean_pips(), 2)
    });
    add("  unplayable", &|dice| dice.unplayable.to_string());
}

/// Adds the row of the interval of the luck-adjusted result.
fn interval(report: &Report, rows: &mut Rows<'_>) {
    rows.row("  95% interval", &|p| {
        let interval = p.luck_adjusted_ci95;
        interval.map_or_else(|| "–".to_owned(), |interval| report.interval_text(interval))
    });
}

/// Where equity is lost, the kind of position that cost most first: for each player the decisions, the points given
/// away and the rating.
pub(super) fn types(report: &Report, [first, second]: [&str; 2]) -> Grid {
    let mut grid = Grid::new(&[
        "kind of position",
        &format!("decisions {first}"),
        second,
        &format!("error {first}"),
        second,
        &format!("PR {first}"),
        second,
    ]);
    let find = |side: usize, kind: PositionType| {
        let all = &report.players[side].types;
        all.iter().find(|row| row.kind == kind)
    };
    let cost = |kind| -> f64 {
        let both = [find(0, kind), find(1, kind)];
        both.iter().flatten().map(|row| row.error).sum()
    };
    let mut kinds: Vec<PositionType> = PositionType::ALL
        .into_iter()
        .filter(|&kind| (0..2).any(|side| find(side, kind).is_some()))
        .collect();
    kinds.sort_by(|&a, &b| cost(b).total_cmp(&cost(a)));
    for kind in kinds {
        let sides = [0, 1].map(|side| find(side, kind));
        let none = || "–".to_owned();
        let count = sides.map(|row| row.map_or(0, |row| row.decisions).to_string());
        let error = sides.map(|row| row.map_or_else(none, |row| format!("{:.3}", row.error)));
        let rating = sides.map(|row| row.map_or_else(none, |row| maybe(row.pr, 1)));
        let mut cells = vec![kind.name().to_owned()];
        cells.extend([count, error, rating].into_iter().flatten());
        grid.row(cells);
    }
    grid
}

/// Returns the players' names, cut to fit the head of a column.
fn short_names(report: &Report) -> [String; 2] {
    report.names().map(|name| cut(name, 10))
}

/// Lists the annotations by place: the file's remarks, the user's notes, the variations.
pub(super) fn notes(report: &Report) -> Vec<(String, String)> {
    let line = |(game, one, text): (&super::GameReport, &super::MoveReport, String)| {
        let name = &report.players[one.player.index()].name;
        let what = one.spoken(one.played.as_deref().unwrap_or("–"));
        let dice = one.dice_text();
        let place = format!("{}.{} {name} {dice} {what}", game.number, one.number);
        (place.replace("  ", " "), text)
    };
    report.notes().map(line).collect()
}

/// A row for each game, the players called by these names.
pub(super) fn games(report: &Report, [first, second]: [&str; 2]) -> Grid {
    let mut grid = Grid::new(&[
        "game",
        "score",
        "result",
        &format!("PR {first}"),
        second,
        &format!("error {first}"),
        second,
        &format!("luck {first}"),
        second,
    ])
    .with_words(&["score", "result"]);
    for game in &report.games {
        let [a, b] = &game.players;
        let result = match (game.winner, game.points) {
            (Some(side), Some(points)) => {
                let name = if side == Player::Left { first } else { second };
                format!("{name} {points}")
            }
            _ => "–".to_owned(),
        };
        let crawford = if game.crawford { " Crawford" } else { "" };
        grid.row(vec![
            game.number.to_string(),
            format!("{}–{}{crawford}", game.score[0], game.score[1]),
            result,
            maybe(a.pr, 1),
            maybe(b.pr, 1),
            format!("{:.3}", a.error_total),
            format!("{:.3}", b.error_total),
            signed(a.luck, 3),
            signed(b.luck, 3),
        ]);
    }
    grid
}

/// `, 15 of 27 that cost 0.020 or more`, behind the head of a list that has no more than `most` of them; nothing where
/// all stand in it.
pub(super) fn of_how_many(report: &Report, whose: Option<Player>, most: usize) -> String {
    let least = report.least_listed();
    match report.worst(least, whose).len() {
        all if all > most => format!(", {most} of {all} that cost {least:.3} or more"),
        _ => String::new(),
    }
}

fn worst_places(
    report: &Report,
    whose: Option<Player>,
    most: usize,
) -> impl Iterator<Item = DecisionPlace> {
    let all = report.worst(report.least_listed(), whose);
    all.into_iter().take(most)
}

/// The identifiers of the worst decisions in the order of their table, each with its place: game and move.
pub(super) fn identifiers(
    report: &Report,
    whose: Option<Player>,
    most: usize,
) -> Vec<(String, String)> {
    let line = |place: DecisionPlace| {
        let (game, one) = report.at(&place);
        let name = format!("{}.{}", game.number, one.number);
        (name, report.identifier(&place))
    };
    worst_places(report, whose, most).map(line).collect()
}

/// The worst decisions, with the errors that analysis in the file gives them if there is any.
pub(super) fn worst(report: &Report, whose: Option<Player>, most: usize) -> Grid {
    let mut grid = Grid::new(&[
        "game.move",
        "player",
        "dice",
        "played",
        "best",
        "error",
        "",
        "by",
        "in the file",
    ])
    .with_words(&["player", "played", "best", "in the file"]);
    for place in worst_places(report, whose, most) {
        let (game, one) = report.at(&place);
        let [played, best] = one.played_and_best(place.silent);
        let mark = match place.silent {
            true => one.cube.as_ref().map(|cube| cube.mark),
            false => one.mark,
        };
        let roll = report.state_at(&place).roll;
        let said = one.other.as_ref().and_then(|o| {
            let error = if place.silent { o.cube_error } else { o.error };
            Some(format!("{} {:.3}", o.program, error?))
        });
        grid.row(vec![
            format!("{}.{}", game.number, one.number),
            report.players[one.player.index()].name.clone(),
            roll.map_or_else(|| "–".to_owned(), |roll| roll.to_string()),
            played.to_owned(),
            best.to_owned(),
            format!("{:.3}", place.error),
            mark.map_or("", crate::review::Mark::sign).to_owned(),
            one.source(place.silent),
            said.unwrap_or_default(),
        ]);
    }
    grid.without_empty_last()
}

/// The resignations that gave something away, a row each; nothing where none did.
pub(super) fn resignations(report: &Report) -> Option<Grid> {
    let headings = ["game.move", "resigns", "for", "worth", "by", "", "error"];
    let mut grid = Grid::new(&headings).with_words(&["resigns", "error"]);
    for game in &report.games {
        for one in &game.moves {
            let words = report.resignation_words(one);
            let Some((given_up, words)) = one.resignation.as_ref().zip(words) else {
                continue;
            };
            grid.row(vec![
                format!("{}.{}", game.number, one.number),
                report.players[one.player.index()].name.clone(),
                signed(given_up.conceded, 3),
                signed(given_up.cubeful_equity, 3),
                format!("{}-ply", one.ply),
                given_up.mark.sign().to_owned(),
                words,
            ]);
        }
    }
    (grid.rows().len() > 1).then_some(grid)
}

/// How a match without the Crawford rule is called.
const NO_CRAWFORD: &str = "no Crawford rule";

/// One line that says what was reviewed.
pub(super) fn subtitle(report: &Report) -> String {
    let mut words = vec![report.kind()];
    words.extend(report.date.clone());
    // Files of money play tend to name it so.
    let event = report.event.clone();
    words.extend(event.filter(|e| !e.eq_ignore_ascii_case(&words[0])));
    // The verdicts of a money session depend on it.
    words.extend(report.is_money().then(|| match report.rules.jacoby {
        true => "Jacoby rule".to_owned(),
        false => "no Jacoby rule".to_owned(),
    }));
    words.extend(report.has_beavers().then(|| "beavers".to_owned()));
    // A table without the rule says so itself.
    let is_told = report.is_money() || report.table.ends_with(NO_CRAWFORD);
    let no_crawford = report.rules.no_crawford && !is_told;
    words.extend(no_crawford.then(|| NO_CRAWFORD.to_owned()));
    let [a, b] = report.score;
    words.push(match (report.is_money(), report.complete) {
        (true, _) => format!("points {a}–{b}"),
        (false, true) => format!("final score {a}–{b}"),
        (false, false) => format!("unfinished at {a}–{b}"),
    });
    words.join(", ")
}

/// The name of the file, without the folders of the machine that made the report.
pub(super) fn file_name(report: &Report) -> Option<Cow<'_, str>> {
    let file = report.file.as_deref()?;
    file.rsplit(['/', '\\']).next().map(sanitize::clean)
}

/// How the match was analysed, in words.
pub(super) fn method(report: &Report) -> String {
    let table = if report.is_money() {
        String::new()
    } else {
        format!(", match equities {}", report.table)
    };
    let plies = depth_words(report.ply);
    format!("analysed by {}, {plies}{table}", report.engine)
}

/// Describes the rollouts after lookahead; `None` without any.
pub(super) fn rolled(report: &Report) -> Option<String> {
    match &report.rollouts {
        Some(all) => Some(rollouts(all)),
        None => one_by_one(report),
    }
}

/// Says how many decisions were rolled out each in its own way, as in the workstation.
fn one_by_one(report: &Report) -> Option<String> {
    let moves = report.games.iter().flat_map(|game| &game.moves);
    let trials = moves.flat_map(|one| [one.trials, one.cube.as_ref().and_then(|c| c.trials)]);
    let trials: Vec<u64> = trials.flatten().collect();
    let (least, most) = (trials.iter().min()?, trials.iter().max()?);
    let range = match least == most {
        true => format!("{most} trials a play"),
        false => format!("{least} to {most} trials a play, most where close"),
    };
    let count = counted(trials.len(), "decision");
    Some(format!("{count} rolled out, {range}"))
}

fn rollouts(r: &super::RolloutsReport) -> String {
    let all = r.decisions + r.left;
    let (none, done, which) = match r.errors_from {
        None => (
            "no decision is close enough for a rollout".to_owned(),
            counted(r.decisions, "closest decision"),
            "that were asked for".to_owned(),
        ),
        Some(from) => (
            format!("no error of {from:.3} points or more to roll out"),
            format!(
                "{} of {from:.3} points or more",
                counted(r.decisions, "error")
            ),
            "errors of that size".to_owned(),
        ),
    };
    if all == 0 {
        return none;
    }
    if let (0, Some(seconds)) = (r.decisions, r.seconds) {
        return format!("nothing rolled out: {seconds} s had no room for one of the {all} {which}");
    }
    let limit = match r.seconds {
        Some(seconds) if r.left > 0 => {
            format!(", as many as {seconds} s had room for on this machine of the {all} {which}")
        }
        Some(_) => format!(", all {which}"),
        None => String::new(),
    };
    format!(
        "{done} rolled out at {}-ply, luck subtracted: plays by {} trials of {} rolls, cube decisions by \
         {} to the end{limit}",
        r.ply, r.trials, r.horizon, r.cube_trials
    )
}

/// Writes the match's figures of both players without the decisions: the head of the review, and the rolls with
/// the most luck.
pub fn figures(report: &Report) -> String {
    let text = head(report) + &dice::greatest_text(report);
    sanitize::clean_lines(&text).into_owned()
}

/// Writes the players, the method of the analysis, and the tables of both players.
fn head(report: &Report) -> String {
    let [left, right] = &report.players;
    let mut out = String::new();
    let _ = writeln!(out, "{} – {}, {}", left.name, right.name, subtitle(report));
    let _ = writeln!(out, "{}", method(report));
    if let Some(rolled) = rolled(report) {
        let _ = writeln!(out, "{rolled}");
    }
    out.push('\n');
    let short = short_names(report);
    let short = short.each_ref().map(String::as_str);
    let _ = write!(
        out,
        "{}\n{}\n{}",
        players(report, report.names()),
        types(report, short),
        games(report, short)
    );
    out
}

/// The whole review, with the errors of one player if one is named.
pub fn write(report: &Report, whose: Option<Player>) -> String {
    let mut out = String::new();
    if let Some(file) = &report.file {
        let _ = writeln!(out, "{}", sanitize::clean(file));
    }
    out += &head(report);
    let list = worst(report, whose, WORST);
    if list.rows().len() > 1 {
        let shown = of_how_many(report, whose, WORST);
        let _ = writeln!(out, "\nworst decisions{shown}");
        let _ = write!(out, "{list}");
        let _ = writeln!(out, "\ntheir positions");
        for (place, id) in identifiers(report, whose, WORST) {
            let _ = writeln!(out, "{place:<5} {id}");
        }
    }
    out += &dice::greatest_text(report);
    if let Some(grid) = resignations(report) {
        let _ = write!(out, "\nresignations, not in the totals\n{grid}");
    }
    let notes = notes(report);
    if !notes.is_empty() {
        let _ = writeln!(out, "\nnotes");
    }
    for (place, text) in notes {
        let _ = writeln!(out, "{place}: {text}");
    }
    for warning in &report.warnings {
        let _ = writeln!(out, "warning: {}", warning.with_place());
    }
    sanitize::clean_lines(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::read_bytes;
    use crate::review::report::{RolloutsReport, testing};

    #[test]
    fn a_match_without_the_crawford_rule_says_so() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let mut record = read_bytes(text, "x.mat").unwrap();
        let told = |record: &_| subtitle(&testing::reviewed(record, 0)).contains(NO_CRAWFORD);
        assert!(!told(&record));
        record.crawford = false;
        assert!(told(&record));
    }

    #[test]
    fn a_list_that_is_cut_says_of_how_many_it_is() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let report = testing::reviewed(&read_bytes(text, "x.mat").unwrap(), 0);
        let all = report.worst(report.least_listed(), None).len();
        assert!(all > 1);
        assert_eq!(of_how_many(&report, None, all), "");
        let told = format!(", 1 of {all} that cost 0.020 or more");
        assert_eq!(of_how_many(&report, None, 1), told);
    }

    #[test]
    fn what_was_rolled_out_is_told_in_one_sentence() {
        let told = |decisions, left, seconds, errors_from| {
            rollouts(&RolloutsReport {
                decisions,
                left,
                trials: 360,
                cube_trials: 720,
                ply: 1,
                horizon: 10,
                seconds,
                errors_from,
            })
        };
        for seconds in [None, Some(5.0)] {
            let none = "no decision is close enough for a rollout";
            assert_eq!(told(0, 0, seconds, None), none);
            let none = "no error of 0.020 points or more to roll out";
            assert_eq!(told(0, 0, seconds, Some(0.02)), none);
        }
        let none = "nothing rolled out: 5 s had no room for one of the 4 that were asked for";
        assert_eq!(told(0, 4, Some(5.0), None), none);
        let (one, end) = (told(1, 0, None, None), "cube decisions by 720 to the end");
        assert!(one.starts_with("1 closest decision rolled out at 1-ply, "));
        assert!(one.ends_with(end), "{one}");
        let all = told(2, 0, Some(5.0), None);
        assert!(
            all.ends_with(&format!("{end}, all that were asked for")),
            "{all}"
        );
        let some = told(2, 3, Some(5.0), Some(0.02));
        assert!(some.starts_with("2 errors of 0.020 points or more rolled out"));
        assert!(
            some.ends_with("on this machine of the 5 errors of that size"),
            "{some}"
        );
    }

    /// An interval is said to say nothing for its width, and not for the number of games.
    #[test]
    fn an_interval_of_all_that_is_possible_says_nothing() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let mut report = testing::reviewed(&read_bytes(text, "x.mat").unwrap(), 0);
        for (interval, told) in [([-0.2, 1.1], "too wide"), ([0.25, 1.1], "25.0% … 100.0%")] {
            report.players[0].luck_adjusted_ci95 = Some(interval);
            let rows = players(&report, report.names());
            let row = rows.rows().iter().find(|row| row[0] == "  95% interval");
            assert_eq!(row.map(|row| &*row[1]), Some(told));
        }
    }
}
