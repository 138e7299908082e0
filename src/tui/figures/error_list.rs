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

/// An error and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorRow {
    /// Where.
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

    /// Whether not all errors from the threshold up are wanted.
    #[must_use]
    pub fn has_error_filter(&self) -> bool {
        self.options.class.is_some() || self.options.whose.is_some()
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
#[must_use]
pub fn row_to_begin_with(app: &App) -> usize {
    let Some(last) = app.document.gone_to else {
        return 0;
    };
    let rows = rows(app);
    let at = |decision: MatchDecision| rows.iter().position(|row| row.decision == decision);
    let in_view = at(MatchDecision::done(app.at)).or_else(|| at(MatchDecision::silent(app.at)));
    let in_view = in_view.filter(|_| last.turn != app.at);
    in_view.or_else(|| at(last)).unwrap_or(0)
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
#[must_use]
pub fn wanted(app: &App) -> ErrorFilter {
    ErrorFilter {
        from: app.least_error(),
        player: app.options.whose,
        class: app.options.class,
    }
}

/// How many errors of the match by lookahead that `filter` admits are no such errors by rollout; the match is meant
/// also while a variation of it is in view.
#[must_use]
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
#[must_use]
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
#[must_use]
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
#[must_use]
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
#[must_use]
pub fn sum_text(app: &App, sum: f64) -> String {
    match app.is_in_chances() {
        true => format!("{sum:.2}%"),
        false => format!("{sum:.3}"),
    }
}

/// All that a player lost, in the units that are shown.
#[must_use]
pub fn lost(app: &App, figures: &Figures) -> f64 {
    match app.options.units {
        Units::Cube => figures.error_total,
        Units::Whole if app.is_in_chances() => 100.0 * figures.error_unnormalised,
        Units::Whole => figures.error_unnormalised,
    }
}

/// Whether an error was made by a player whose errors are wanted.
#[must_use]
pub fn is_wanted(app: &App, row: &ErrorRow) -> bool {
    let player = app.document.turns[row.decision.turn].before.player;
    app.options.whose.is_none_or(|whose| whose == player)
}

/// How many errors a player made.
#[must_use]
pub fn count(app: &App, player: Player) -> usize {
    all(app)
        .filter(|row| app.document.turns[row.decision.turn].before.player == player)
        .count()
}

/// `doubtful or worse (from 0.020 points)`, and of which class and by whom, if not all.
#[must_use]
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
#[must_use]
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
#[must_use]
pub fn summary(app: &App) -> String {
    let errors = rows(app).len();
    let turns = app.errors().count();
    match errors == turns {
        true => counted(errors, "error"),
        false => format!("{} in {}", counted(errors, "error"), counted(turns, "turn")),
    }
}

/// How many of a player's errors are wanted, and the sum of what they gave away, in points.
#[must_use]
pub fn listed(app: &App, player: Player) -> (usize, f64) {
    let own = |row: &ErrorRow| app.document.turns[row.decision.turn].before.player == player;
    all(app)
        .filter(|row| is_wanted(app, row) && own(row))
        .fold((0, 0.0), |(n, sum), row| (n + 1, sum + cost(app, &row)))
}

/// The figures of a player: of the decisions of the class that is wanted, and of the rolls.
#[must_use]
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
#[must_use]
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
mod tests {
    use super::*;
    use crate::cube::CubeDecision;
    use crate::review::ClassFilter;
    use crate::tui::testing::{TestApp, text};
    use crate::tui::theme::Depth;
    use crate::tui::windows::overlay::Overlay;

    /// A point weighs more or less by the score and the cube, and so the errors have another order.
    #[test]
    fn errors_are_listed_by_what_they_cost_of_the_match() {
        let mut bench = TestApp::new(Depth::True);
        let of_points = rows(&bench.app);
        bench.keys("E j u");
        let of_chances = rows(&bench.app);
        assert_ne!(of_chances, of_points);
        let costs: Vec<f64> = of_chances.iter().map(|row| cost(&bench.app, row)).collect();
        assert!(costs.is_sorted_by(|a, b| a >= b), "{costs:?}");
        let selected = of_chances.iter().position(|row| *row == of_points[1]);
        let Some(Overlay::Errors { row }) = bench.app.overlay else {
            panic!("the list is open");
        };
        assert_eq!(selected, Some(row), "the selected one stays");
        let screen = text(&bench.draw(80, 24));
        let cost = format!("{:.2}% ??", costs[0]);
        assert!(
            screen.contains(&cost) && screen.contains("MWC   ply"),
            "{screen}"
        );
        bench.keys("u");
        assert_eq!(rows(&bench.app), of_points);
    }

    #[test]
    fn errors_are_listed_by_cost_and_lead_to_their_place() {
        let mut bench = TestApp::new(Depth::True);
        let all = rows(&bench.app);
        assert!(all.len() > 2);
        assert!(all.is_sorted_by(|a, b| a.error >= b.error));
        bench.keys("E");
        for (width, height) in [(80, 24), (120, 40), (200, 60)] {
            insta::assert_snapshot!(
                format!("errors_{width}x{height}"),
                text(&bench.draw(width, height))
            );
        }
        // On a narrow screen too it stands there what is right.
        let narrow = text(&bench.draw(60, 20));
        assert!(narrow.contains("no double"), "{narrow}");
        // What is best stands below its head.
        let column = |words| {
            let before = |line: &str| Some(line.split_once(words)?.0.chars().count());
            narrow.lines().find_map(before)
        };
        assert_eq!(column(" best"), column(" no double"), "{narrow}");
        bench.keys("down enter");
        assert!(bench.app.overlay.is_none());
        assert_eq!(bench.app.at, all[1].decision.turn);
        // Only one player's, only the cube, only blunders: what the key stops at and what the list of
        // moves counts goes along.
        let agree = |bench: &TestApp| {
            let listed = rows(&bench.app);
            let mut turns: Vec<usize> = listed.iter().map(|r| r.decision.turn).collect();
            turns.sort_unstable();
            turns.dedup();
            assert_eq!(bench.app.errors().collect::<Vec<_>>(), turns);
            let counted: usize = [Player::Left, Player::Right]
                .into_iter()
                .filter(|&p| bench.app.options.whose.is_none_or(|w| w == p))
                .map(|p| count(&bench.app, p))
                .sum();
            assert_eq!(counted, listed.len());
            listed.len()
        };
        assert_eq!(agree(&bench), all.len());
        bench.keys("E t");
        let larger = agree(&bench);
        bench.keys("c");
        let note = bench.app.status.as_ref().unwrap().text.clone();
        assert!(note.contains("checker play only"), "{note}");
        let plays = agree(&bench);
        // Plays and all about the cube are all that there is, and of the cube each error is of one class.
        bench.keys("c");
        let note = bench.app.status.as_ref().unwrap().text.clone();
        assert!(note.contains("cube decisions only"), "{note}");
        let cube = agree(&bench);
        assert_eq!(plays + cube, larger);
        bench.keys("c");
        let doubles = agree(&bench);
        bench.keys("c");
        assert_eq!(bench.app.options.class, Some(ClassFilter::Take));
        assert_eq!(doubles + agree(&bench), cube);
        bench.keys("c t t esc");
        assert!(bench.app.overlay.is_none());
        assert!(plays < agree(&bench));
        bench.keys("w");
        let whose = bench.app.options.whose.unwrap();
        let turns = &bench.app.document.turns;
        let own = rows(&bench.app);
        assert!(
            own.iter()
                .all(|r| turns[r.decision.turn].before.player == whose)
        );
        assert!(!own.is_empty() && own.len() < all.len());
    }

    /// Where a take gave something away because a beaver was right, that is what is named.
    #[test]
    fn a_beaver_is_named_as_the_right_answer() {
        let mut bench = TestApp::new(Depth::True);
        let is_take = |turn: &MatchTurn| matches!(turn.action, Some(Action::Take));
        let turn = bench.app.document.turns.iter().position(is_take);
        let turn = turn.expect("a double is taken");
        let known = bench.app.document.reviews[turn].as_ref().expect("analysed");
        let mut review = TurnReview::clone(known);
        review.error = Some(0.3);
        let cube = review.cube.as_mut().expect("of the cube");
        cube.error = Some(0.3);
        cube.decision = CubeDecision::in_points(0.1, -0.3, true);
        bench.app.document.reviews[turn] = Some(review.into());
        bench.app.options.class = Some(ClassFilter::Take);
        bench.keys("E");
        let screen = text(&bench.draw(120, 40));
        let row = screen
            .lines()
            .find(|line| line.contains("take  ") && line.contains("0.300"));
        assert!(row.is_some_and(|row| row.contains("  beaver ")), "{screen}");
    }

    /// The size that is wanted means the same points everywhere.
    #[test]
    fn each_size_begins_at_one_threshold() {
        let mut bench = TestApp::new(Depth::True);
        let lines = bench.app.thresholds();
        for (mark, points) in [
            (Mark::Fine, 0.0),
            (Mark::Doubtful, lines.doubtful),
            (Mark::Error, lines.error),
            (Mark::Blunder, lines.blunder),
        ] {
            bench.app.options.threshold = mark;
            assert_eq!(wanted(&bench.app).from, points);
            assert!(filter(&bench.app).contains(&format!("from {points:.3} points")));
            assert!(all(&bench.app).all(|row| crate::review::marks::reaches(row.error, points)));
        }
    }

    /// It opens at the error that it led to, or at the one in view.
    #[test]
    fn the_window_knows_where_it_led_to() {
        use crate::tui::windows::overlay::Overlay;
        let mut bench = TestApp::new(Depth::True);
        let row = |bench: &TestApp| match bench.app.overlay {
            Some(Overlay::Errors { row }) => row,
            _ => panic!("the window is open"),
        };
        bench.keys("E");
        assert_eq!(row(&bench), 0);
        bench.keys("j j enter E");
        assert_eq!(row(&bench), 2);
        bench.keys("enter n E");
        assert_eq!(rows(&bench.app)[row(&bench)].decision.turn, bench.app.at);
        // A turn without an error leads back to the one that was gone to.
        bench.keys("esc");
        let quiet = (0..bench.app.document.turns.len()).find(|turn| {
            rows(&bench.app)
                .iter()
                .all(|row| row.decision.turn != *turn)
        });
        bench.app.at = quiet.expect("a turn without an error");
        bench.keys("E");
        assert_eq!(row(&bench), 2);
    }

    /// In few columns the filter is told in few words.
    #[test]
    fn the_title_tells_the_filter() {
        let mut bench = TestApp::new(Depth::True);
        bench.keys("E w c");
        bench.app.status = None;
        let [small, wide] = [(80, 24), (120, 40)].map(|(w, h)| text(&bench.draw(w, h)));
        let name = &bench.app.document.record.players[0];
        assert!(
            small.contains(&format!("checker play, {name} ─")),
            "{small}"
        );
        assert!(wide.contains("checker play only, by"), "{wide}");
    }

    #[test]
    fn the_window_is_walked_along_the_match_and_clicked() {
        use ratatui::crossterm::event::{
            Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
        };
        let mut bench = TestApp::new(Depth::True);
        let mut by_turn = rows(&bench.app);
        by_turn.sort_by_key(|r| (r.decision.turn, !r.decision.is_silent));
        bench.keys("E l");
        let selected = |bench: &TestApp| match bench.app.overlay {
            Some(crate::tui::windows::overlay::Overlay::Errors { row }) => rows(&bench.app)[row],
            _ => panic!("the window is closed"),
        };
        let first = selected(&bench);
        bench.keys("l");
        let place = |row: &ErrorRow| by_turn.iter().position(|r| r == row).unwrap();
        assert_eq!(place(&selected(&bench)), place(&first) + 1);
        bench.keys("h");
        assert_eq!(selected(&bench), first);
        let click = |column, row| {
            crate::tui::message::Message::Input(Event::Mouse(MouseEvent {
                kind: MouseEventKind::Down(MouseButton::Left),
                column,
                row,
                modifiers: KeyModifiers::NONE,
            }))
        };
        // The right end of the graph is the end of the match.
        bench.draw(120, 40);
        let graph = bench.app.areas.graph;
        assert!(graph.width > 40 && graph.height > 2);
        bench.tell(click(graph.right() - 1, graph.y + 1));
        assert!(bench.app.overlay.is_none());
        let last = bench.app.document.turns.len() - 1;
        assert!(last - bench.app.at < 4, "{}", bench.app.at);
        // A line of the list is its place.
        bench.keys("E home");
        bench.draw(120, 40);
        let list = bench.app.areas.errors;
        bench.tell(click(list.x + 3, list.y + 2));
        assert_eq!(bench.app.at, rows(&bench.app)[2].decision.turn);
        assert!(bench.app.overlay.is_none());
    }

    /// A double that was not given is looked at, and rolled out, before the roll.
    #[test]
    fn the_cube_is_looked_at_before_the_roll() {
        let mut bench = TestApp::new(Depth::True);
        let silent = |r: &Option<std::sync::Arc<TurnReview>>| {
            let review = r.as_ref().unwrap();
            review.cube.is_some() && !review.candidates.is_empty()
        };
        let turn = bench.app.document.reviews.iter().position(silent);
        let turn = turn.expect("a double was possible");
        bench.keys(&format!("{}b", "l ".repeat(turn)));
        assert_eq!(bench.app.at, turn);
        assert!(
            bench
                .app
                .before
                .is_some_and(|t| t.before.state.roll.is_none())
        );
        let screen = text(&bench.draw(160, 45));
        assert!(screen.contains("rolls without a double"), "{screen}");
        assert!(screen.contains("double/take"), "{screen}");
        bench.keys("r");
        let job = bench.app.jobs.current().unwrap();
        assert!(job.decision.state().roll.is_none() && job.plays.len() == 2);
        // Back to the roll, and there again; the next turn shows its roll.
        bench.keys("b");
        assert!(bench.app.before.is_none() && bench.app.at == turn);
        bench.keys("b");
        assert!(bench.app.before.is_some());
        bench.keys("esc b l");
        assert!(bench.app.before.is_none() && bench.app.at == turn + 1);
    }

    #[test]
    fn figures_and_course_cover_the_match() {
        let bench = TestApp::new(Depth::True);
        let decided: u32 = [Player::Left, Player::Right]
            .iter()
            .map(|&p| figures(&bench.app, p).decisions)
            .sum();
        let analysed = |r: &std::sync::Arc<TurnReview>| r.decision_costs().count() as u32;
        let all: u32 = bench
            .app
            .document
            .reviews
            .iter()
            .flatten()
            .map(analysed)
            .sum();
        assert_eq!(decided, all);
        let values = values_by_turn(&bench.app);
        assert!(values.len() > 10);
        let money = bench.app.document.record.length == 0;
        assert!(money || values.iter().all(|(_, v)| (-0.01..=1.01).contains(v)));
    }
}
