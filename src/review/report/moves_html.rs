//! The decisions of a game as tables of HTML.

use std::fmt::Write as _;

use super::said_html::{class, isolated, said};
use super::{
    CandidateReport, CubeReport, DecisionPlace, GameReport, MoveReport, Report, chart, signed,
};
use crate::cube::CubeChoice;
use crate::notation::xgid_text;
use crate::review::Mark;
use crate::sanitize::escape_markup as escape;
use crate::words::verb;

/// Writes a game: a row for everything that was decided, with the plays behind it.
pub(super) fn game(out: &mut String, report: &Report, index: usize, game: &GameReport) {
    let crawford = if game.crawford { ", Crawford" } else { "" };
    let result = match (game.winner, game.points) {
        (Some(side), Some(points)) => {
            let name = &report.players[side.index()].name;
            let wins = verb(name, ["wins", "win"]);
            format!("{} {wins} {points}", isolated(name))
        }
        _ => "not played to its end".to_owned(),
    };
    let _ = writeln!(
        out,
        "<details><summary><h2>Game {} <span class=\"soft\">{}–{}{crawford}; {result}</span></h2></summary>\
         <div class=\"wide\"><table class=\"moves\"><tr><th>no</th><th class=\"text\">player</th><th>roll</th>\
         <th class=\"text\">played</th><th>error</th><th class=\"text\">best</th><th>luck</th><th>{}</th></tr>",
        game.number,
        game.score[0],
        game.score[1],
        if report.is_money() { "equity" } else { "MWC" },
    );
    for (i, one) in game.moves.iter().enumerate() {
        let place = DecisionPlace {
            game: index,
            index: i,
            silent: false,
            error: 0.0,
        };
        row(out, report, one, &chart::anchor(&place));
    }
    out.push_str("</table></div></details>\n");
}

fn row(out: &mut String, report: &Report, one: &MoveReport, anchor: &str) {
    let silent = (one.cube_at(true)).filter(|cube| cube.error >= 0.001 || cube.mark != Mark::Fine);
    let played = one.spoken(one.played.as_deref().unwrap_or("–"));
    let best = one.best.as_deref().map(|best| one.spoken(best));
    let best = best.filter(|best| *best != played);
    let _ = write!(
        out,
        "<tr id=\"{anchor}\"><td>{}</td><td class=\"text\">{}</td><td>{}</td><td class=\"text\">",
        one.number,
        escape(&report.players[one.player.index()].name),
        one.dice_text(),
    );
    details(out, one, played);
    if let Some(comment) = one.remark() {
        let _ = write!(out, "<div class=\"note\">{}</div>", escape(&comment));
    }
    let kept = one.kept();
    if !kept.is_empty() {
        let _ = write!(out, "<div class=\"own\">{}</div>", escape(&kept.join("\n")));
    }
    if let Some(words) = report.resignation_words(one) {
        let _ = write!(out, "<div class=\"note\">{}.</div>", escape(&words));
    }
    out.push_str("</td><td>");
    error(out, one.error, one.mark);
    if let Some(cube) = silent {
        out.push_str("<br>");
        error(out, Some(cube.error), Some(cube.mark));
    }
    let _ = write!(
        out,
        "</td><td class=\"text\">{}",
        escape(best.unwrap_or(""))
    );
    if let Some(cube) = silent {
        let best = escape(one.spoken(&cube.best));
        let _ = write!(out, "<br>before the roll: {best}");
    }
    let luck = one.luck.map_or_else(String::new, |l| signed(l, 3));
    let value = one.value.map_or_else(String::new, |v| report.value_text(v));
    let _ = writeln!(out, "</td><td>{luck}</td><td>{value}</td></tr>");
}

/// Writes the play, and behind it what else there was, and the identifier of the position.
fn details(out: &mut String, one: &MoveReport, played: &str) {
    let spoken = one.cube_at(false);
    let said = said(one, false);
    if one.candidates.len() < 2 && spoken.is_none() && said.is_none() {
        out.push_str(&escape(played));
        return;
    }
    let _ = write!(out, "<details><summary>{}</summary>", escape(played));
    match spoken {
        Some(decision) => cube(out, one, decision),
        None => candidates(out, one),
    }
    if let Some(said) = said {
        let _ = write!(out, "<div class=\"note\">{}</div>", escape(&said));
    }
    let _ = write!(
        out,
        "<div class=\"note\">{}</div></details>",
        escape(&xgid_text(&one.state))
    );
}

fn error(out: &mut String, error: Option<f64>, mark: Option<Mark>) {
    let Some(error) = error.filter(|&e| e >= 0.0005) else {
        return;
    };
    let mark = mark.unwrap_or(Mark::Fine);
    let sign = if mark == Mark::Fine { "" } else { mark.sign() };
    let _ = write!(
        out,
        "<span class=\"{}\">{error:.3} {sign}</span>",
        class(mark)
    );
}

/// How deeply a play was looked at: a rollout, whatever the ply of the lookahead before it, stands above all else.
fn level(play: &CandidateReport) -> (bool, u8) {
    match play.trials {
        Some(_) => (true, 0),
        None => (false, play.ply),
    }
}

/// Writes the plays of a decision, the deepest figures first, as the workstation lists them. They are ranked
/// within one depth only, so none has a number: `★` is the best of the first depth, and `~` marks differences
/// that cross depths.
pub(super) fn candidates(out: &mut String, one: &MoveReport) {
    let mut plays: Vec<_> = one.candidates.iter().collect();
    // Stable: of one depth the review has them in order.
    plays.sort_by_key(|play| std::cmp::Reverse(level(play)));
    let Some(best) = plays.first().copied() else {
        return;
    };
    out.push_str(
        "<table><tr><th class=\"text\">play</th><th>equity</th><th>diff</th><th>win</th>\
         <th>depth</th></tr>",
    );
    let mut above = level(best);
    for (i, play) in plays.into_iter().enumerate() {
        let starts_level = std::mem::replace(&mut above, level(play)) != level(play);
        let _ = write!(
            out,
            "<tr{}><td>{}{}</td><td>{}</td><td>{}</td><td>{:.1}%</td><td>{}</td></tr>",
            row_class(play, starts_level),
            if i == 0 { "★ " } else { "" },
            escape(&play.play),
            signed(play.cubeful_equity, 3),
            if i == 0 {
                String::new()
            } else {
                difference(play, best)
            },
            100.0 * play.chances.win,
            source(play.ply, play.trials, play.half_width),
        );
    }
    out.push_str("</table>");
}

/// The classes of a play's row: whether it was made, and whether a rule parts it from a deeper one above.
fn row_class(play: &CandidateReport, starts_level: bool) -> &'static str {
    match (play.made, starts_level) {
        (true, true) => " class=\"made level\"",
        (true, false) => " class=\"made\"",
        (false, true) => " class=\"level\"",
        (false, false) => "",
    }
}

/// Equity of a play less that of the best one, in points, as text: a hint, with `~`, where the two were
/// analysed at different depths.
fn difference(play: &CandidateReport, best: &CandidateReport) -> String {
    let difference = play.cubeful_equity - best.cubeful_equity;
    match level(play) == level(best) {
        // Of one depth no play is ahead of the best, not even by nothing.
        true => format!("-{:.3}", difference.abs()),
        false => format!("~{}", signed(difference, 3)),
    }
}

/// Writes what each cube action of the decision is worth.
pub(super) fn cube(out: &mut String, one: &MoveReport, cube: &CubeReport) {
    let decision = &cube.decision;
    // A beaver that is right, or that was made, is worth twice the take.
    let is_named = cube.choice == CubeChoice::Beaver || decision.is_beavered();
    let beaver = decision.double_take.filter(|_| is_named);
    let rows = [
        ("no double", Some(decision.no_double)),
        ("double/take", decision.double_take),
        ("double/pass", decision.double_pass),
        ("double/beaver", beaver.map(|take| 2.0 * take)),
    ];
    out.push_str("<table>");
    for (i, (name, value)) in rows.into_iter().enumerate() {
        if let Some(value) = value {
            let half = cube.half_widths.and_then(|both| both.get(i).copied());
            let name = one.spoken(name);
            let _ = write!(
                out,
                "<tr><td>{name}</td><td>{}</td><td>{}</td></tr>",
                signed(f64::from(value), 3),
                if i < 2 {
                    source(cube.ply, cube.trials, half)
                } else {
                    String::new()
                }
            );
        }
    }
    out.push_str("</table>");
}

/// Returns the source of figures: `2-ply`, or `R` for a rollout.
/// `R` has the half-width of its fixed-sample 95% interval, if known.
fn source(ply: u8, trials: Option<u64>, half_width: Option<f64>) -> String {
    match (trials, half_width) {
        (Some(_), Some(half)) => format!("R ±{half:.3}"),
        (Some(_), None) => "R".to_owned(),
        (None, _) => format!("{ply}-ply"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::read_bytes;
    use crate::review::report::testing;

    fn report_of(text: &[u8]) -> Report {
        testing::reviewed(&read_bytes(text, "x.mat").unwrap(), 0)
    }

    #[test]
    fn behind_a_rollout_stands_half_the_width_of_its_interval() {
        assert_eq!(source(2, Some(36), Some(0.0214)), "R ±0.021");
        assert_eq!(source(2, Some(36), None), "R");
        assert_eq!(source(2, None, None), "2-ply");
    }

    /// A turn with four plays, of which the last was made: two by two plies, two by one.
    fn of_two_depths() -> MoveReport {
        let text = b" 3 point match\n Game 1\n Ann : 0   Ben : 0\n  1) 43: 6/3 6/2\n";
        let mut one = report_of(text).games[0].moves[0].clone();
        let made = one.candidates.pop().expect("the play that was made");
        assert!(made.made);
        one.candidates.truncate(3);
        one.candidates.push(made);
        for (i, play) in one.candidates.iter_mut().enumerate() {
            play.ply = [2, 1, 1, 2][i];
            play.cubeful_equity = [0.1, 0.15, 0.05, -0.2][i];
        }
        one
    }

    /// The play that was made is looked at as deeply as the best, and stands above shallower ones.
    #[test]
    fn plays_are_ranked_within_one_depth_only() {
        let (mut one, mut out) = (of_two_depths(), String::new());
        candidates(&mut out, &one);
        let names: Vec<String> = one.candidates.iter().map(|one| one.play.clone()).collect();
        let rows: Vec<&str> = out.split("<tr").skip(2).collect();
        let begins = [
            format!("><td>★ {}</td><td>+0.100</td><td></td>", names[0]),
            format!(
                " class=\"made\"><td>{}</td><td>-0.200</td><td>-0.300</td>",
                names[3]
            ),
            format!(
                " class=\"level\"><td>{}</td><td>+0.150</td><td>~+0.050</td>",
                names[1]
            ),
            format!("><td>{}</td><td>+0.050</td><td>~-0.050</td>", names[2]),
        ];
        assert_eq!(rows.len(), begins.len(), "{out}");
        for (row, begin) in rows.iter().zip(&begins) {
            assert!(row.starts_with(begin), "{row}\n{begin}");
        }
        // No play is ahead of the best, and none looks so.
        let hair = CandidateReport {
            cubeful_equity: 0.0999,
            ..one.candidates[0].clone()
        };
        assert_eq!(difference(&hair, &one.candidates[0]), "-0.000");
        // A rollout is deeper than any lookahead.
        one.candidates[2].trials = Some(360);
        out.clear();
        candidates(&mut out, &one);
        let first = format!("</th></tr><tr><td>★ {}</td>", names[2]);
        assert_has!(out, &first);
    }

    #[test]
    fn a_cube_of_ones_own_is_redoubled() {
        let text = b" 7 point match\n Game 1\n Ann : 0   Ben : 0\n  \
            1) 31: 8/5 6/5                  62: 24/18 13/11\n  \
            2) Doubles => 2                  Takes\n  \
            3) 64: 24/14                     Doubles => 4\n  4)  Takes\n";
        let report = report_of(text);
        let spoken: Vec<&str> = (report.games[0].moves.iter())
            .filter_map(|one| Some(one.spoken(one.played.as_deref()?)))
            .filter(|played| played.ends_with("double"))
            .collect();
        assert_eq!(spoken, ["double", "redouble"]);
        let is_double = |one: &&MoveReport| one.played.as_deref() == Some("double");
        let one = report.games[0].moves.iter().rfind(is_double).unwrap();
        let mut out = String::new();
        cube(&mut out, one, one.cube.as_ref().unwrap());
        assert_has!(out, "<td>redouble/take</td>");
    }
}
