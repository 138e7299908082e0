//! The decisions of a game as tables of HTML.

use std::fmt::Write as _;

use super::html::{class, said};
use super::{CubeReport, DecisionPlace, GameReport, MoveReport, Report, chart, signed};
use crate::review::Mark;
use crate::sanitize::escape_markup as escape;

/// A game: a row for everything that was decided, with the plays behind it.
pub(super) fn game(out: &mut String, report: &Report, index: usize, game: &GameReport) {
    let crawford = if game.crawford { ", Crawford" } else { "" };
    let result = match (game.winner, game.points) {
        (Some(side), Some(points)) => {
            format!(
                "{} wins {points}",
                escape(&report.players[side.index()].name)
            )
        }
        _ => "not played to its end".to_owned(),
    };
    let _ = writeln!(
        out,
        "<h2>Game {} <span class=\"soft\">{}–{}{crawford}; {result}</span></h2>\
         <div class=\"wide\"><table><tr><th>no</th><th class=\"text\">player</th><th>roll</th>\
         <th class=\"text\">played</th><th>error</th><th class=\"text\">best</th><th>luck</th><th>{}</th></tr>",
        game.number,
        game.score[0],
        game.score[1],
        if report.is_money() {
            "equity"
        } else {
            "chance"
        },
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
    out.push_str("</table></div>\n");
}

fn row(out: &mut String, report: &Report, one: &MoveReport, anchor: &str) {
    let silent = one
        .cube
        .as_ref()
        .filter(|cube| one.dice.is_some() && (cube.error >= 0.001 || cube.mark != Mark::Fine));
    let played = one.spoken(one.played.as_deref().unwrap_or("–"));
    let best = one.best.as_deref().map(|best| one.spoken(best));
    let best = best.filter(|best| *best != played);
    let _ = write!(
        out,
        "<tr id=\"{anchor}\"><td>{}</td><td class=\"text\">{}</td><td>{}</td><td class=\"text\">",
        one.number,
        escape(&report.players[one.player.index()].name),
        one.dice.as_deref().unwrap_or(""),
    );
    details(out, one, played);
    if let Some(comment) = &one.comment {
        let _ = write!(out, "<div class=\"note\">{}</div>", escape(comment));
    }
    if let Some(note) = one.kept() {
        let _ = write!(out, "<div class=\"own\">{}</div>", escape(&note));
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

/// The play, and behind it what else there was.
fn details(out: &mut String, one: &MoveReport, played: &str) {
    let spoken = one.cube.as_ref().filter(|_| one.dice.is_none());
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
        escape(&one.position)
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
        "<span class=\"{}\">{} {sign}</span>",
        class(mark),
        signed(-error, 3)
    );
}

/// The plays of a decision, by rank: the play that was made is looked at as deeply as the best, and yet stands
/// behind shallower ones that are better.
pub(super) fn candidates(out: &mut String, one: &MoveReport) {
    let mut ranked: Vec<_> = one.candidates.iter().collect();
    ranked.sort_by_key(|candidate| candidate.rank.unwrap_or(u32::MAX));
    let Some(best) = ranked.first().copied() else {
        return;
    };
    out.push_str("<table>");
    for (i, candidate) in ranked.into_iter().enumerate() {
        let rank = candidate.rank.map(|rank| format!("{rank}. "));
        let class = if candidate.made {
            " class=\"made\""
        } else {
            ""
        };
        let _ = write!(
            out,
            "<tr{class}><td>{}{}</td><td>{}</td><td>{}</td><td>{:.1}%</td><td>{}</td></tr>",
            rank.unwrap_or_default(),
            escape(&candidate.play),
            signed(candidate.cubeful_equity, 3),
            if i == 0 {
                String::new()
            } else {
                signed(candidate.cubeful_equity - best.cubeful_equity, 3)
            },
            100.0 * candidate.chances.win,
            source(candidate.ply, candidate.trials, candidate.half_width),
        );
    }
    out.push_str("</table>");
}

/// What each cube action of the decision is worth.
pub(super) fn cube(out: &mut String, one: &MoveReport, cube: &CubeReport) {
    let decision = &cube.decision;
    let rows = [
        ("no double", Some(decision.no_double)),
        ("double/take", decision.double_take),
        ("double/pass", decision.double_pass),
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

/// `2-ply`, or the half-width of a rollout's fixed-sample 95% interval, if that is known.
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
    use crate::cube::Model;
    use crate::eval::Engine;
    use crate::match_file::read_bytes;
    use crate::review::report::build::{ReportContext, build};
    use crate::review::{Thresholds, analyse_match};

    fn report_of(text: &[u8]) -> Report {
        let record = read_bytes(text, "x.mat").unwrap();
        let model = Model::standard();
        let analysed = analyse_match(&Engine::embedded(), model, &record, 0, &|| false).unwrap();
        let context = ReportContext {
            engine: "e",
            model,
            ply: 0,
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        build(&record, &analysed, &context)
    }

    #[test]
    fn behind_a_rollout_stands_half_the_width_of_its_interval() {
        assert_eq!(source(2, Some(36), Some(0.0214)), "R ±0.021");
        assert_eq!(source(2, Some(36), None), "R");
        assert_eq!(source(2, None, None), "2-ply");
    }

    #[test]
    fn a_play_without_a_rank_has_no_number() {
        let text = b" 3 point match\n Game 1\n Ann : 0   Ben : 0\n  1) 43: 6/3 6/2\n";
        let report = report_of(text);
        let (one, mut out) = (&report.games[0].moves[0], String::new());
        candidates(&mut out, one);
        let [best, .., made] = &one.candidates[..] else {
            panic!("too few plays");
        };
        assert!(
            out.contains(&format!("<tr><td>1. {}</td>", best.play)),
            "{out}"
        );
        let row = format!("<tr class=\"made\"><td>{}</td>", made.play);
        assert!(made.made && out.contains(&row), "{out}");
        // One that stands behind a shallower play is listed behind it.
        let mut one = one.clone();
        one.candidates.truncate(2);
        (one.candidates[0].rank, one.candidates[1].rank) = (Some(2), Some(1));
        out.clear();
        candidates(&mut out, &one);
        let first = out.find("<td>1. ").unwrap();
        assert!(out.find("<td>2. ").unwrap() > first, "{out}");
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
        assert!(out.contains("<td>redouble/take</td>"), "{out}");
    }
}
