//! What is written to files for others: names proposed for them, and what goes in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cube::cube_words;
use crate::diagram::Diagram;
use crate::eval::Probabilities;
use crate::game::{GameState, Play, Position};
use crate::grid::Grid;
use crate::notation::play_text;
use crate::review::report::position_card::{self, CardBody};
use crate::review::xg_text::{
    USUAL_PLAYS, XgAnalysis, XgLevel, XgPlay, XgRolledCube, XgRollout, XgText,
};
use crate::review::{MatchTurn, StandardReview};
use crate::stats::interval::half_width;
use crate::store::file::expand_home;
use crate::tui::board::palette;
use crate::tui::figures::candidate_rows::{self, CandidateRow, FigureSource};
use crate::tui::figures::imported;
use crate::tui::figures::rolled_turns;
use crate::tui::figures::study_decisions;
use crate::tui::screen::layout::Areas;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::windows::exported::{
    CardsToWrite, Exported, ListedPosition, PendingExport, RecordToWrite, ReviewedMatch, Written,
    WrittenFile,
};
use crate::tui::windows::overlay::{Overlay, Prompt};

/// Numbers that a proposed name may have.
const MOST_NUMBERED: u32 = 99;

/// Plays of a card, besides the one that was made.
const CARD_PLAYS: usize = 10;

/// The name proposed for a file with the match and its variations, another one than its own.
pub(crate) fn match_file(app: &App) -> String {
    let is_position = app.home().record.games.is_empty();
    let nameless = if is_position { "position" } else { "match" };
    if app.home().has_variations() {
        return beside(app, nameless, "-variations.sgf");
    }
    if is_position {
        return beside(app, nameless, ".sgf");
    }
    let own = app.home().record.path.as_deref();
    let is_mat = own
        .and_then(Path::extension)
        .is_some_and(|extension| extension.eq_ignore_ascii_case("mat"));
    // What most programs read, unless that is there already or would leave out the notes.
    let end = match is_mat || !app.home().notes.is_empty() {
        true => ".sgf",
        false => ".mat",
    };
    let name = beside(app, "match", end);
    // Some file systems do not tell capitals from small letters.
    let is_own = own.is_some_and(|own| own.as_os_str().eq_ignore_ascii_case(&*name));
    match is_own {
        true => beside(app, "match", &format!("-copy{end}")),
        false => name,
    }
}

/// The name proposed for a picture of the position in view.
pub(crate) fn picture_file(app: &App) -> String {
    position_file(app, "svg")
}

/// The name proposed for a card of it.
pub(crate) fn card_file(app: &App) -> String {
    position_file(app, "html")
}

/// The name proposed for a list of positions: that of the last one, or one beside the match.
pub(crate) fn list_file(app: &App) -> String {
    let usual = || folder(app).join("positions.txt");
    let path = app.position_list.clone().unwrap_or_else(usual);
    path.display().to_string()
}

/// The name proposed for the review of the match.
pub(crate) fn report_file(app: &App) -> String {
    beside(app, "match", ".html")
}

/// The name proposed for cards for Anki.
pub(crate) fn anki_file(app: &App) -> String {
    beside(app, "positions", ".apkg")
}

fn position_file(app: &App, kind: &str) -> String {
    let turn = app.turn().filter(|turn| turn.action.is_some());
    match turn {
        None => beside(app, "position", &format!(".{kind}")),
        Some(turn) => {
            let place = format!("-{}-{}.{kind}", turn.game + 1, turn.number);
            beside(app, "match", &place)
        }
    }
}

/// The folder that names are proposed in: the one of the settings, or that of the match that is open.
fn folder(app: &App) -> PathBuf {
    let own = app.home().record.path.as_deref().and_then(Path::parent);
    match app.settings.export_folder.trim() {
        "" => own.unwrap_or(Path::new("")).to_owned(),
        chosen => expand_home(chosen).into(),
    }
}

/// The name of the match that is open, or this one, with another end, in the folder of exports; with a number where
/// there is such a file already.
fn beside(app: &App, nameless: &str, end: &str) -> String {
    let path = app.home().record.path.as_deref();
    let stem = path.and_then(Path::file_stem);
    let stem = stem.map_or(nameless.into(), |stem| stem.to_string_lossy());
    let folder = folder(app);
    let (rest, extension) = end.rsplit_once('.').unwrap_or((end, ""));
    let numbered = |number: u32| match number {
        1 => folder.join(format!("{stem}{end}")),
        _ => folder.join(format!("{stem}{rest}-{number}.{extension}")),
    };
    let free = (1..=MOST_NUMBERED)
        .map(numbered)
        .find(|path| !path.exists());
    let path = free.unwrap_or_else(|| numbered(1));
    path.display().to_string()
}

/// What is to be written to a file.
pub(crate) fn written(app: &App, what: Exported) -> Written {
    match (what, app.turn()) {
        (Exported::Picture, Some(turn)) => {
            let colours = palette::of_diagram(app.theme());
            let diagram = Diagram {
                identified: true,
                ..diagram(app, turn)
            };
            Written::Picture(Box::new((diagram, colours)))
        }
        (Exported::Card, Some(turn)) => Written::Card(card(app, turn)),
        (Exported::Anki, _) => Written::Anki(Box::new(CardsToWrite {
            decisions: study_decisions::card_decisions(app),
            model: app.model.clone(),
            ply: app.review_ply(app.home()),
        })),
        (Exported::Report, _) => Written::Report(Box::new(reviewed_match(app))),
        (Exported::List, Some(turn)) => {
            // That of the move which a variation hangs on is about another position.
            let note = app.written(app.at).map(Into::into);
            let state = turn.before.state;
            Written::Listed(Box::new(ListedPosition { state, note }))
        }
        _ => Written::Match(RecordToWrite(Arc::new(app.home().record_to_write()))),
    }
}

/// Something was written: says where, and what of it is not in the file. What could not be written can be put right,
/// unless another window is open or something else came into view.
pub(crate) fn done(app: &mut App, number: u64, done: Result<WrittenFile, String>) {
    let place = app.unwritten.iter().position(|one| one.number == number);
    let wanted = place.map(|place| app.unwritten.remove(place));
    let WrittenFile { path, left_out } = match done {
        Ok(file) => file,
        Err(why) => {
            app.warn(why);
            let state = app.turn().map(|turn| turn.before.state);
            let is_in_view = |one: &PendingExport| {
                !one.is_of_earlier && (!one.what.is_of_position() || one.state == state)
            };
            if let (None, Some(wanted)) = (&app.overlay, wanted.filter(is_in_view)) {
                app.overlay = Some(Overlay::Prompt {
                    what: Prompt::Export(wanted.what),
                    input: wanted.input,
                    is_proposed: false,
                });
            }
            return;
        }
    };
    if wanted.is_some_and(|one| one.what == Exported::List) {
        let said = format!("added to {}", path.display());
        app.position_list = Some(path);
        return app.say(said);
    }
    let without = match left_out.is_empty() {
        true => String::new(),
        false => app
            .keymap
            .named(", but its format does not hold all ({warnings} says what)"),
    };
    for line in left_out {
        app.report(line);
    }
    app.say(format!("written{without}: {}", path.display()));
}

/// The match that is open, with its review and what is kept beside it.
pub(crate) fn reviewed_match(app: &App) -> ReviewedMatch {
    let match_in_view = app.match_in_review();
    let (turns, reviews) = match_in_view.analysed_turns();
    let with_rollouts = |(turn, standard): (&MatchTurn, StandardReview)| match rolled_turns::rolled(
        &app.jobs,
        turn,
        &standard.review,
    ) {
        Some((own, rollouts)) => (StandardReview::from((own, standard.shift)), Some(rollouts)),
        None => (standard, None),
    };
    let (reviews, rolled) = turns.iter().zip(reviews).map(with_rollouts).unzip();
    ReviewedMatch {
        record: Arc::clone(&match_in_view.record),
        turns,
        reviews,
        ply: app.review_ply(match_in_view),
        rolled,
        notes: match_in_view.notes.clone(),
        variations: match_in_view.variations.clone(),
        model: Arc::clone(&app.model),
        thresholds: app.thresholds(),
        // Without the sides of the window.
        columns: usize::from(Areas::window_columns(app.areas.screen)),
    }
}

/// The position with the selected play as arrows.
fn diagram(app: &App, turn: &MatchTurn) -> Diagram {
    let state = turn.before.state;
    let play = app.selection.play.zip(state.roll);
    Diagram {
        player: turn.before.player,
        play: play.and_then(|(after, roll)| Play::to(&state.position, roll, &after)),
        mirrored: app.options.mirrored,
        ..Diagram::new(state)
    }
}

/// Who is to do what, and where: `Anna to play 31, 7-point match, 2-away 4-away, cube 1`.
pub(crate) fn heading(app: &App, turn: &MatchTurn) -> String {
    let state = &turn.before.state;
    let what = match state.roll {
        Some(roll) => format!("to play {roll}"),
        None if state.doubled => "to answer a double".to_owned(),
        None => "on roll".to_owned(),
    };
    let name = app.name(turn.before.player);
    format!("{name} {what}, {}", position_card::situation(state))
}

/// The position with its analysis as a page of HTML.
fn card(app: &App, turn: &MatchTurn) -> String {
    let state = &turn.before.state;
    let head = heading(app, turn);
    let table = match state.roll {
        Some(_) => plays_table(app, &state.position),
        None => cube_table(app, state),
    };
    let note = app.written(app.at);
    position_card::write(&head, &diagram(app, turn), &CardBody::Table(table), note)
}

/// The best plays, and the one that was made.
fn plays_table(app: &App, position: &Position) -> Grid {
    let scale = app.scale();
    let mut table = Grid::new(&[
        "",
        "play",
        "",
        "by",
        scale.name(),
        scale.head(),
        "win",
        "gammon",
        "bg",
        "lose g",
        "lose bg",
    ])
    .with_words(&["play", "by"]);
    for (place, row) in candidate_rows::rows(app).iter().enumerate() {
        if place >= CARD_PLAYS && !row.is_played {
            continue;
        }
        let by = match (row.level, &row.rolled) {
            (FigureSource::Ply(ply), _) => format!("{ply}-ply"),
            (FigureSource::Rollout, Some(rolled)) => {
                format!("{} trials {}", rolled.trials, scale.interval_of(rolled))
            }
            (FigureSource::Rollout, None) => "rollout".to_owned(),
        };
        let made = if row.is_played { "made" } else { "" };
        let mut cells = vec![
            (place + 1).to_string(),
            play_text(position, &row.candidate.play),
            made.to_owned(),
            by,
            scale.value(row.equity),
            row.difference_text(&scale),
        ];
        cells.extend(row.chances.map(text::percent));
        table.row(cells);
    }
    table
}

/// The equities of the cube actions, in points on the present cube.
pub(crate) fn cube_table(app: &App, state: &GameState) -> Grid {
    // All figures are those of the player who doubles, as in the panes.
    let of = if state.doubled {
        "equity of the doubler"
    } else {
        "equity"
    };
    let mut table = Grid::new(&["cube", of]);
    let Some((decision, source)) = imported::our_cube(app, state) else {
        return table;
    };
    for (name, value) in decision.named_equities() {
        let value = format!("{value:+.3}");
        table.row(vec![cube_words(name, state).to_owned(), value]);
    }
    // To a double on offer there is an answer, whatever it gains.
    let best = match decision.answer() {
        Some(answer) if state.doubled => answer.name(),
        _ => cube_words(decision.action.name(), state),
    };
    let by = match source {
        FigureSource::Ply(ply) => format!("{ply}-ply"),
        FigureSource::Rollout => "rollout".to_owned(),
    };
    table.row(vec![best.to_owned(), format!("best, {by}")]);
    table
}

/// The position in view and what is known of it, as XG writes it for forums.
pub(crate) fn xg_text(app: &App) -> String {
    let Some(turn) = app.turn() else {
        return String::new();
    };
    let (state, player) = (&turn.before.state, turn.before.player);
    let analysis = match state.roll {
        Some(_) => xg_plays(app, &state.position),
        None => xg_cube(app).unwrap_or(XgAnalysis::None),
    };
    let are_known = app.document.players().is_some();
    let names = are_known.then(|| [player, player.other()].map(|player| app.name(player)));
    let text = XgText {
        state,
        names,
        analysis,
        table: &app.model.table,
    };
    text.write()
}

/// The plays as the list ranks them, a few of them, and the one that was made.
fn xg_plays(app: &App, position: &Position) -> XgAnalysis {
    let rows = candidate_rows::ordered(app);
    let first = rows.iter().take(USUAL_PLAYS);
    let first = first.map(|row| xg_play(app, position, row)).collect();
    let mut others = rows.iter().zip(1..).skip(USUAL_PLAYS);
    match others.find(|(row, _)| row.is_played) {
        None => XgAnalysis::Plays(first),
        Some((row, rank)) => XgAnalysis::PlaysAndMade {
            first,
            rank,
            made: xg_play(app, position, row),
        },
    }
}

fn xg_play(app: &App, position: &Position, row: &CandidateRow) -> XgPlay {
    let rollout = match row.level {
        FigureSource::Rollout => app.decision(),
        FigureSource::Ply(_) => None,
    };
    let rollout = rollout.and_then(|view| app.jobs.rollout_of(view, &row.candidate.result));
    XgPlay {
        play: play_text(position, &row.candidate.play),
        level: match row.level {
            FigureSource::Ply(ply) => XgLevel::Ply(ply),
            FigureSource::Rollout => XgLevel::Rollout,
        },
        equity: row.equity,
        chances: Probabilities::from_array(row.chances.map(|chance| chance as f32)),
        half_width: match (row.level, &row.rolled) {
            (FigureSource::Rollout, Some(rolled)) => Some(half_width(rolled.equity.ci95)),
            _ => None,
        },
        p_best: rollout.and_then(|(job, figures)| (job.plays.len() > 1).then_some(figures.p_best)),
        rollout: rollout.map(|(job, figures)| XgRollout::new(&job.settings, figures.trials)),
    }
}

/// The cube decision of the turn in view, by its rollout if there is one.
fn xg_cube(app: &App) -> Option<XgAnalysis> {
    let (review, state) = (app.review()?, app.turn()?.before.state);
    let cube = review.cube.as_ref()?;
    let rolled = app.decision().and_then(|view| app.jobs.cube_rollout(view));
    if let Some((job, values)) = rolled {
        let [chances, doubled_chances] = job.cube_chances()?;
        let candidates = &job.result()?.candidates;
        let games = candidates.iter().map(|c| c.trials).min()?;
        return Some(XgAnalysis::Cube {
            level: XgLevel::Rollout,
            chances,
            decision: job.cube_decision(&state)?,
            rolled: Some(XgRolledCube {
                doubled_chances,
                half_widths: values.map(|value| half_width(value.ci95)),
                rollout: XgRollout::new(&job.settings, games),
            }),
        });
    }
    let chances = review.chances?;
    Some(XgAnalysis::Cube {
        level: XgLevel::Ply(cube.ply),
        chances: match state.doubled {
            true => chances.flipped(),
            false => chances,
        },
        decision: cube.decision,
        rolled: None,
    })
}
