//! GNU Backgammon's second opinion of the decision in view: asked for, taken in.

use crate::cube::{Cube, Model};
use crate::game::{GameState, Play};
use crate::match_file::{Analysis, Chances, PlayVerdict};
use crate::tui::figures::candidate_rows;
use crate::tui::rollouts::jobs::DecisionKey;
use crate::tui::rollouts::second_opinion::{SecondFigures, SecondQuestion};
use crate::tui::screen::units::{Scale, Units};
use crate::tui::state::{App, Effect};

/// Most plays asked about, besides the one that was made.
const MOST: usize = 8;
/// Decisions whose opinions are held.
const HELD: usize = 500;

/// Asks about the best plays and the one that was made; again: takes the answer away.
pub(crate) fn ask(app: &mut App) {
    let (Some(turn), Some(decision)) = (app.turn().copied(), app.decision()) else {
        return;
    };
    if app.second.remove(&decision).is_some() {
        return app.say("the second opinion is taken away");
    }
    let rows = candidate_rows::ranked(app);
    let is_asked = |(i, row): &(usize, &candidate_rows::CandidateRow)| *i < MOST || row.is_played;
    let asked = rows.iter().enumerate().filter(is_asked);
    let plays: Vec<Play> = asked.map(|(_, row)| row.candidate.play).collect();
    if plays.is_empty() {
        return app.say("the plays are still being analysed");
    }
    let address = app.settings.gnubg.clone();
    if address.is_empty() {
        return app.say_keys("no address of gnubg: {settings} has it, such as 127.0.0.1:1984");
    }
    app.say(format!("gnubg at {address} is asked …"));
    app.effects.push(Effect::AskGnubg(Box::new(SecondQuestion {
        address,
        state: turn.before.state,
        plays,
        ply: app.settings.ply.min(2),
    })));
}

/// Takes in the answer.
pub(crate) fn came(
    app: &mut App,
    question: &SecondQuestion,
    figures: Result<Vec<Option<SecondFigures>>, String>,
) {
    let figures = match figures {
        Ok(figures) => figures,
        Err(why) => return app.warn(why),
    };
    let whole = Scale::new(Units::Whole, &question.state, &app.model);
    let is_money = question.state.score.is_money();
    let equity = |worth| match is_money {
        true => worth,
        false => whole.of_chance(worth),
    };
    let verdict = |(play, figures): (&Play, Option<SecondFigures>)| {
        let (chances, equity) = match figures {
            Some(figures) => (figures.chances, equity(figures.worth)),
            None => ended(&question.state, play, &app.model)?,
        };
        Some(PlayVerdict {
            play: *play,
            level: format!("{}-ply", question.ply),
            equity,
            chances: Some(chances),
        })
    };
    let figures = question.plays.iter().zip(figures);
    let mut plays: Vec<PlayVerdict> = figures.filter_map(verdict).collect();
    plays.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    let decision = DecisionKey::of(&question.state);
    let key = app.keymap.named("{analysis of the file}");
    let best = plays.first().map_or_else(String::new, |best| {
        crate::tui::text::play(&best.play, &question.state.position)
    });
    if app.second.len() >= HELD {
        app.second.clear();
    }
    let analysis = Analysis::of("GNU Backgammon", plays);
    app.second.insert(decision, analysis);
    app.say(match app.options.hidden {
        true => "gnubg has answered; its answer is hidden like the others".to_owned(),
        false => format!("gnubg: {best}; {key} shows all that it says"),
    });
}

/// Chances and equity (EMG) of a play that ends the game, which the rules alone tell.
fn ended(state: &GameState, play: &Play, model: &Model) -> Option<(Chances, f64)> {
    let points = -play.apply(&state.position).points()?;
    let won = |size| if points >= size { 1.0 } else { 0.0 };
    let (context, cube) = (model.context(state), Cube::of(state));
    let equity = context.to_points(cube.level, context.result(cube, points));
    let chances = Chances::new([won(1), won(2), won(3), 0.0, 0.0])?;
    Some((chances, f64::from(equity)))
}
