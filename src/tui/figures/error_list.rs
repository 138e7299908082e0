//! What the match came to: its errors by cost, each player's figures, and its course. Read from the
//! standard review as far as it has come, and from rollouts where there are any.
//!
//! What an error is, and which are wanted, is said here alone: the key to the next error, the list of
//! moves and the window of errors all count the same.

use super::candidate_rows::FigureSource;
use super::rolled_turns;
use crate::cube::Cube;
use crate::game::Player;
use crate::match_file::Action;
use crate::review::{Class, DecisionCost, ErrorFilter, Figures, Mark, MatchTurn, TurnReview};
use crate::tui::documents::document::Document;
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::screen::units::Units;
use crate::tui::state::App;
use crate::tui::text;
use crate::words::counted;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorRow {
    pub decision: MatchDecision,
    /// Points given away.
    pub error: f32,
    /// What says so.
    pub level: FigureSource,
    /// What the decision was about.
    pub class: Class,
}

impl App {
    /// The turns with errors that are wanted, in order, each once.
    pub fn errors(&self) -> impl Iterator<Item = usize> + '_ {
        let mut last = None;
        self.wrong_decisions()
            .map(|decision| decision.turn)
            .filter(move |&turn| last.replace(turn) != Some(turn))
    }

    /// The decisions whose errors are wanted, in order: a double that was missed before the play of its turn.
    pub fn wrong_decisions(&self) -> impl Iterator<Item = MatchDecision> + '_ {
        all(self)
            .filter(|row| is_wanted(self, row))
            .map(|row| row.decision)
    }

    /// What is said where an analysed match has no error that is wanted, with the names of keys.
    pub fn no_error(&self) -> &'static str {
        match self.options.class.is_some() || self.options.whose.is_some() {
            true => "no such error: {threshold}, {whose} and {class} change the filter",
            false => "no error at this threshold ({threshold} changes it)",
        }
    }
}

/// Every error at the present threshold and of the class wanted, by either player, in the order of
/// the match.
pub fn all(app: &App) -> impl Iterator<Item = ErrorRow> + '_ {
    let lines = app.thresholds();
    let (threshold, wanted) = (app.options.threshold, app.options.class);
    (0..app.document.turns.len())
        .flat_map(move |turn| decisions(app, &app.document, turn))
        .filter(move |row| {
            row.error > 0.0
                && Mark::of(row.error, &lines) >= threshold
                && wanted.is_none_or(|wanted| wanted.admits(row.class))
        })
}

/// Row of the list that is selected when it opens: the error in view or else the one that was gone to last, once one
/// was; the most expensive one before that.
pub fn row_to_begin_with(app: &App) -> usize {
    let Some(last) = app.document.gone_to else {
        return 0;
    };
    let rows = rows(app);
    let at = |decision: MatchDecision| rows.iter().position(|row| row.decision == decision);
    let here = MatchDecision {
        turn: app.at,
        is_silent: app.before.is_some(),
    };
    let of_turn = [MatchDecision::done(app.at), MatchDecision::silent(app.at)];
    let of_turn = of_turn.into_iter().filter(|_| last.turn != app.at);
    let wanted = std::iter::once(here).chain(of_turn).chain([last]);
    wanted.filter_map(at).next().unwrap_or(0)
}

/// The decisions of a turn as they are analysed now: first the one not to double.
fn decisions(
    app: &App,
    document: &Document,
    turn: usize,
) -> impl Iterator<Item = ErrorRow> + use<> {
    let silent = app.silent_error_in(document, turn);
    let silent = silent.map(|(error, level)| ErrorRow {
        decision: MatchDecision::silent(turn),
        error,
        level,
        class: Class::Double,
    });
    let class = match document.turns[turn].action {
        Some(Action::Double { .. }) => Class::Double,
        Some(Action::Take | Action::Pass | Action::Beaver { .. }) => Class::Take,
        _ => Class::Checker,
    };
    let done = app.error_in(document, turn).map(|(error, level)| ErrorRow {
        decision: MatchDecision::done(turn),
        error,
        level,
        class,
    });
    silent.into_iter().chain(done)
}

/// What the filter lets through, as rollouts are asked for.
pub fn wanted(app: &App) -> ErrorFilter {
    ErrorFilter {
        from: app.least_error(),
        player: app.options.whose,
        class: app.options.class,
    }
}

/// How many errors of the match by lookahead that `filter` admits are no such errors by rollout; the match is meant
/// also while a variation of it is in view.
pub fn overturned(app: &App, filter: ErrorFilter) -> usize {
    overturned_in(app, app.home(), filter)
}

/// How many errors of this document by lookahead that `filter` admits are no such errors by rollout.
fn overturned_in(app: &App, document: &Document, filter: ErrorFilter) -> usize {
    let reviews = document.reviews.iter().enumerate();
    let costs = reviews.flat_map(|(turn, review)| {
        let costs = review.iter().flat_map(|review| review.decision_costs());
        costs.map(move |cost| (turn, cost))
    });
    let is_overturned = |(turn, cost): &(usize, DecisionCost)| {
        let player = document.turns[*turn].before.player;
        let admits = |error| filter.admits(player, cost.class, error);
        let mut now = decisions(app, document, *turn).filter(|row| row.class == cost.class);
        admits(cost.error)
            && now.any(|row| row.level == FigureSource::Rollout && !admits(row.error))
    };
    costs.filter(is_overturned).count()
}

/// The number of [`overturned`] errors in words.
pub fn overturned_words(app: &App, filter: ErrorFilter) -> String {
    overturned_count(app, overturned(app, filter), filter)
}

fn overturned_count(app: &App, count: usize, filter: ErrorFilter) -> String {
    if filter.from <= app.thresholds().doubtful {
        return match count {
            0 => "each is an error still".to_owned(),
            1 => "1 is no error any more".to_owned(),
            n => format!("{n} are no errors any more"),
        };
    }
    let size = format!("less than {:.3} points by rollout", filter.from);
    match count {
        0 => format!("none is {size}"),
        1 => format!("1 is {size}"),
        n => format!("{n} are {size}"),
    }
}

/// How many of the errors that are or were listed are rolled out; none where none is.
pub fn rolled_words(app: &App, rows: &[ErrorRow]) -> Option<String> {
    let filter = wanted(app);
    let gone = overturned_in(app, &app.document, filter);
    let rolled = rows.iter().filter(|row| row.level == FigureSource::Rollout);
    let rolled = rolled.count() + gone;
    let of = rows.len() + gone;
    (rolled > 0).then(|| {
        let overturned = overturned_count(app, gone, filter);
        format!("{rolled} of {of} rolled out; {overturned}")
    })
}

/// The errors that the filter lets through, the costliest first, in the units that are shown.
pub fn rows(app: &App) -> Vec<ErrorRow> {
    let rows = all(app).filter(|row| is_wanted(app, row));
    let mut rows: Vec<(f64, ErrorRow)> = rows.map(|row| (cost(app, &row), row)).collect();
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    rows.into_iter().map(|(_, row)| row).collect()
}

/// What an error cost in the units that are shown: points, or per cent of a chance.
fn cost(app: &App, row: &ErrorRow) -> f64 {
    app.scale_at(row.decision.turn)
        .stretch(f64::from(row.error))
}

/// A sum of costs, with its unit where that is per cent.
pub fn sum_text(app: &App, sum: f64) -> String {
    match app.is_in_chances() {
        true => format!("{sum:.2}%"),
        false => format!("{sum:.3}"),
    }
}

/// All that a player lost, in the units that are shown.
pub fn lost(app: &App, figures: &Figures) -> f64 {
    match app.options.units {
        Units::Cube => figures.error_total,
        Units::Whole if app.is_in_chances() => 100.0 * figures.error_unnormalised,
        Units::Whole => figures.error_unnormalised,
    }
}

/// Whether an error was made by a player whose errors are wanted.
pub fn is_wanted(app: &App, row: &ErrorRow) -> bool {
    let player = app.document.turns[row.decision.turn].before.player;
    app.options.whose.is_none_or(|whose| whose == player)
}

/// How many errors a player made.
pub fn count(app: &App, player: Player) -> usize {
    all(app)
        .filter(|row| app.document.turns[row.decision.turn].before.player == player)
        .count()
}

/// `doubtful or worse (from 0.020 points)`, and of which class and by whom, if not all.
pub fn filter(app: &App) -> String {
    let what = match app.options.threshold {
        Mark::Blunder => "blunders",
        Mark::Error => "errors",
        Mark::Doubtful => "doubtful or worse",
        Mark::Fine => "all",
    };
    let mut text = format!("{what} (from {:.3} points)", app.least_error());
    if let Some(class) = app.options.class {
        text += &format!(", {} only", class.name());
    }
    if let Some(player) = app.options.whose {
        let name = &app.document.record.players[player.index()];
        text += &format!(", by {}", text::cut(name, 16));
    }
    text
}

/// The filter of errors in few words: `from 0.020, checker play, Anna`.
pub fn short_filter(app: &App) -> String {
    let class = app.options.class.map(|class| class.name().to_owned());
    let player = app.options.whose.map(|player| {
        let name = &app.document.record.players[player.index()];
        text::cut(name, 16)
    });
    let from = format!("from {:.3}", app.least_error());
    let words: Vec<String> = [Some(from), class, player].into_iter().flatten().collect();
    words.join(", ")
}

/// The number of errors wanted, and of the turns they are in where that is another: `7 errors in 6 turns`.
pub fn summary(app: &App) -> String {
    let errors = rows(app).len();
    let turns = app.errors().count();
    match errors == turns {
        true => counted(errors, "error"),
        false => format!("{} in {}", counted(errors, "error"), counted(turns, "turn")),
    }
}

/// How many of a player's errors are wanted, and the sum of what they gave away, in points.
pub fn listed(app: &App, player: Player) -> (usize, f64) {
    let own = |row: &ErrorRow| app.document.turns[row.decision.turn].before.player == player;
    all(app)
        .filter(|row| is_wanted(app, row) && own(row))
        .fold((0, 0.0), |(n, sum), row| (n + 1, sum + cost(app, &row)))
}

/// Returns the number of decisions whose figures come from a rollout, as `7 rollouts`, or `None` without any.
pub fn rollouts_in_figures(app: &App) -> Option<String> {
    let rows = (0..app.document.turns.len()).flat_map(|turn| decisions(app, &app.document, turn));
    let wanted = app.options.class;
    let counts = |row: &ErrorRow| {
        row.level == FigureSource::Rollout && wanted.is_none_or(|wanted| wanted.admits(row.class))
    };
    let number = rows.filter(counts).count();
    (number > 0).then(|| counted(number, "rollout"))
}

/// The figures of a player: of the decisions of the class that is wanted, and of the rolls.
pub fn figures(app: &App, player: Player) -> Figures {
    let mut figures = Figures::default();
    let lines = app.thresholds();
    let reviews = app.document.turns.iter().zip(&app.document.reviews);
    for (turn, review) in reviews.filter(|(turn, _)| turn.before.player == player) {
        let Some(review) = review else { continue };
        let rolled = rolled_turns::rolled(&app.jobs, turn, review);
        let review = rolled.as_ref().map_or(&**review, |(review, _)| review);
        let cube = f64::from(turn.before.state.cube);
        let point = review.point.map_or(cube, f64::from);
        let wanted = |cost: &DecisionCost| {
            app.options
                .class
                .is_none_or(|wanted| wanted.admits(cost.class))
        };
        for verdict in review.decision_costs().filter(wanted) {
            figures.add(&verdict, point, app.document.record.length, &lines);
        }
        if let Some(luck) = review.luck {
            figures.rolls += 1;
            figures.luck += f64::from(luck);
            figures.luck_unnormalised += f64::from(luck) * point;
        }
    }
    figures
}

/// The left player's chance to win the match after the best play of each turn, or in money play the
/// equity with the cube counted: turn and value.
pub fn values_by_turn(app: &App) -> Vec<(usize, f64)> {
    let reviews = app.document.turns.iter().zip(&app.document.reviews);
    reviews
        .enumerate()
        .filter_map(|(i, (turn, review))| Some((i, value(app, turn, review.as_ref()?)?)))
        .collect()
}

fn value(app: &App, turn: &MatchTurn, review: &TurnReview) -> Option<f64> {
    let state = &turn.before.state;
    let best = review.candidates.first()?;
    let context = app.model.context(state);
    let value = f64::from(context.from_points(Cube::of(state).level, best.equity));
    Some(turn.before.player.value_for_left(value, context.is_money()))
}

#[cfg(test)]
mod tests;
