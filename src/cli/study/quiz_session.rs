//! A quiz on the command line: a question, a line that is typed, what it costs.

use std::collections::VecDeque;
use std::io::{self, Write as _};

use anyhow::Result;

use crate::cli::common::output;
use crate::cli::common::typed::{board, position_words, score_and_cube, typed_line};
use crate::cli::positions::{why, why_cube};
use crate::cube::{CubeChoice, Model};
use crate::eval::Evaluator;
use crate::game::Play;
use crate::grid::Grid;
use crate::notation::{parse_play, xgid_text};
use crate::review::TurnReview;
use crate::sanitize;
use crate::store::{StudyChange, StudyStore, date};
use crate::study::{
    Choice, Grade, Question, Scheduler, StudyAction, StudyAnswer, StudyCard, StudyDecision, day,
    examine, newest_answer, question, sitting,
};
use crate::words::counted;

const HELP: &str = "\
Type the number of a play, or a play such as 8/5 6/5; of a cube action n, d, t, p or b.
w: the position in words   i: its XGID
s: another one, this one at the end   u: take the last answer back   q: leave
";

/// A sitting.
pub(crate) struct Session<'a> {
    pub(crate) evaluator: &'a dyn Evaluator,
    pub(crate) model: &'a Model,
    pub(crate) ply: u8,
    pub(crate) seed: u64,
    /// Points from which on a decision is an error.
    pub(crate) least: f32,
    /// Microseconds since 1970.
    pub(crate) clock: &'a (dyn Fn() -> i64 + Sync),
    pub(crate) store: StudyStore,
    /// The cards with their answers.
    pub(crate) cards: Vec<StudyCard>,
}

/// A question that was answered.
struct Done {
    decision: StudyDecision,
    change: StudyChange,
    /// Moved to the end, to be shown again.
    is_again: bool,
}

/// Meaning of a typed line.
enum Reply {
    /// The choice at this place.
    This(usize),
    Skip,
    Undo,
    Leave,
}

/// Next step after an answer.
enum Next {
    Go,
    Undo,
    Leave,
}

impl Session<'_> {
    /// Asks until nothing is left or the user leaves.
    pub(crate) fn run(mut self, wanted: Vec<StudyDecision>) -> Result<()> {
        let mut left: VecDeque<StudyDecision> = wanted.into();
        let mut done: Vec<Done> = Vec::new();
        while let Some(decision) = left.pop_front() {
            let Some(mut asked) = self.question(&decision) else {
                continue;
            };
            let number = done.len() + 1;
            show(&decision, &asked, number, number + left.len())?;
            let place = match self.reply(&decision, &mut asked)? {
                Reply::This(place) => place,
                Reply::Skip => {
                    // The only one left comes at once.
                    left.push_back(decision);
                    continue;
                }
                Reply::Undo => {
                    self.undo(&mut left, &mut done, Some(decision))?;
                    continue;
                }
                Reply::Leave => break,
            };
            let (mut answered, next) = self.answered(decision, &asked, place)?;
            let grade = grade_of(&answered.change).unwrap_or(Grade::Again);
            answered.is_again = sitting::repeat(&mut left, &answered.decision, grade);
            done.push(answered);
            match next {
                Next::Go => {}
                Next::Undo => self.undo(&mut left, &mut done, None)?,
                Next::Leave => break,
            }
        }
        output::text(&summary(&done))
    }

    /// Returns the question about a decision, or `None` if it has none.
    fn question(&self, decision: &StudyDecision) -> Option<Question> {
        let review = self.examined(decision, decision.play)?;
        let asked = Question::about(decision, &review, self.seed)?;
        let is_of_use = asked.is_of_use(decision, self.least);
        // What is due would otherwise stay due for ever.
        (is_of_use || self.is_due(decision)).then_some(asked)
    }

    /// Returns whether the decision has a card that is due.
    fn is_due(&self, decision: &StudyDecision) -> bool {
        let (key, today) = (decision.key(), day((self.clock)().div_euclid(1_000_000)));
        let mut cards = self.cards.iter();
        let card = cards.find(|card| card.position == key);
        card.is_some_and(|card| card.standing(&Scheduler::default(), today).is_due(today))
    }

    fn examined(&self, decision: &StudyDecision, play: Option<Play>) -> Option<TurnReview> {
        let turn = question::turn(decision.state, play);
        examine(self.evaluator, self.model, &turn, self.ply, &|| false)
    }

    /// Asks until there is an answer.
    fn reply(&self, decision: &StudyDecision, asked: &mut Question) -> Result<Reply> {
        loop {
            let Some(line) = line("answer (? explains): ")? else {
                return Ok(Reply::Leave);
            };
            match line.trim() {
                "q" => return Ok(Reply::Leave),
                "u" => return Ok(Reply::Undo),
                "s" => return Ok(Reply::Skip),
                "" => {}
                "?" => output::text(HELP)?,
                // Neither says more than the question does.
                "w" => output::text(&format!("{}\n", position_words(&decision.state)))?,
                "i" => output::text(&format!("{}\n", xgid_text(&decision.state)))?,
                text => match self.chosen(text, decision, asked) {
                    Ok(place) => return Ok(Reply::This(place)),
                    Err(why) => output::text(&format!("{why}\n"))?,
                },
            }
        }
    }

    /// The place of the choice that a line names, or why it names none.
    fn chosen(
        &self,
        text: &str,
        decision: &StudyDecision,
        asked: &mut Question,
    ) -> Result<usize, String> {
        let number = text.parse::<usize>().ok();
        let place = number.and_then(|number| number.checked_sub(1));
        if let Some(place) = place.filter(|place| *place < asked.choices.len()) {
            return Ok(place);
        }
        let action = meaning(text, asked, decision)?;
        let place = self.place(decision, asked, action);
        place.ok_or_else(|| "that play cannot be analysed".to_owned())
    }

    /// The place of an action among the choices. A play that is not shown is analysed and added.
    fn place(
        &self,
        decision: &StudyDecision,
        asked: &mut Question,
        action: StudyAction,
    ) -> Option<usize> {
        asked.find(action).or_else(|| match action {
            StudyAction::Play(play) => asked.add(&self.examined(decision, Some(play))?),
            StudyAction::Cube(_) => None,
        })
    }

    /// Keeps an answer, tells what it cost, and asks how well it was known.
    fn answered(
        &mut self,
        decision: StudyDecision,
        asked: &Question,
        place: usize,
    ) -> Result<(Done, Next)> {
        let mut change = self.graded(&decision, &asked.choices[place]);
        self.keep(&change)?;
        output::text(&verdict(&decision, asked, place))?;
        let next = self.after(&decision, asked, place, &mut change)?;
        let done = Done {
            decision,
            change,
            is_again: false,
        };
        Ok((done, next))
    }

    /// A new answer, graded by what it cost.
    fn graded(&self, decision: &StudyDecision, given: &Choice) -> StudyChange {
        let now = (self.clock)();
        let id = now.max(newest_answer(&self.cards, now) + 1);
        let answer = StudyAnswer {
            id,
            grade: question::grade(given.cost),
            given: given.text.clone(),
            cost: given.cost,
        };
        StudyChange::new(decision.card(self.least), &self.cards, answer)
    }

    /// Asks what to do after an answer, and takes another grade for it.
    fn after(
        &mut self,
        decision: &StudyDecision,
        asked: &Question,
        place: usize,
        change: &mut StudyChange,
    ) -> Result<Next> {
        loop {
            let due = self.due(change);
            let grade = grade_of(change).unwrap_or(Grade::Again).name();
            let prompt = format!("{grade}: {due}\nEnter goes on (? explains): ");
            let Some(line) = line(&prompt)? else {
                return Ok(Next::Leave);
            };
            match line.trim() {
                "" => return Ok(Next::Go),
                "q" => return Ok(Next::Leave),
                "u" => return Ok(Next::Undo),
                "w" => output::text(&self.why(decision, asked, place))?,
                text => match text.parse().ok().and_then(Grade::of_number) {
                    Some(grade) => {
                        if let Some(answer) = &mut change.answer {
                            answer.grade = grade;
                        }
                        self.keep(change)?;
                    }
                    None => output::text(
                        "1 again, 2 hard, 3 good, 4 easy: how well you knew it\n\
                         w: why   u: take the answer back   q: leave\n",
                    )?,
                },
            }
        }
    }

    /// Keeps an answer, and knows it from now on.
    fn keep(&mut self, change: &StudyChange) -> Result<()> {
        self.store.change(change)?;
        let _ = change.apply(&mut self.cards);
        Ok(())
    }

    /// Takes the last answer back and asks it again, then `open`, a question without an answer.
    fn undo(
        &mut self,
        left: &mut VecDeque<StudyDecision>,
        done: &mut Vec<Done>,
        open: Option<StudyDecision>,
    ) -> Result<()> {
        let Some(mut last) = done.pop() else {
            open.into_iter().for_each(|open| left.push_front(open));
            return output::text("no answer to take back\n");
        };
        last.change.answer = None;
        self.keep(&last.change)?;
        sitting::undo(left, last.decision, last.is_again, open);
        output::text("taken back\n")
    }

    /// When the decision comes back.
    fn due(&self, change: &StudyChange) -> String {
        let mut cards = self.cards.iter();
        let card = cards.find(|card| card.position == change.card.position);
        let today = day((self.clock)().div_euclid(1_000_000));
        let standing = card.map(|card| card.standing(&Scheduler::default(), today));
        match standing.and_then(|standing| Some((standing.due?, standing.last?))) {
            None => "it does not come back".to_owned(),
            Some((due, last)) if due <= last => "it comes back in this sitting".to_owned(),
            Some((due, last)) => match due - last {
                1 => "it comes back tomorrow".to_owned(),
                days => format!("it comes back in {days} days, on {}", date(due)),
            },
        }
    }

    fn why(&self, decision: &StudyDecision, asked: &Question, place: usize) -> String {
        let state = decision.state;
        let (evaluator, model) = (self.evaluator, self.model);
        let plays = asked.best().map(|best| (best, &asked.choices[place]));
        match plays.map(|(best, given)| (best.action, given.action)) {
            Some((StudyAction::Play(best), StudyAction::Play(given))) if best != given => {
                let is_of_match = !decision.made.is_empty();
                why::of_plays(evaluator, model, &state, [best, given], is_of_match)
            }
            Some((StudyAction::Play(_), _)) => {
                Some("that was the best play: there is nothing to compare\n".to_owned())
            }
            // At the plies of the answer, whose figures it explains.
            _ => why_cube::of_decision(evaluator, model, &state, asked.ply),
        }
        .unwrap_or_default()
    }
}

fn grade_of(change: &StudyChange) -> Option<Grade> {
    change.answer.as_ref().map(|answer| answer.grade)
}

/// Parses a typed answer, or returns the reason why it has no meaning.
fn meaning(text: &str, asked: &Question, decision: &StudyDecision) -> Result<StudyAction, String> {
    let state = &decision.state;
    let unknown = || format!("'{}' is no answer here; ? explains", sanitize::clean(text));
    if let Some(roll) = state.roll {
        // Every play has a number in it: what has none is an answer to another question.
        if !text.contains(|c: char| c.is_ascii_digit()) {
            return Err(unknown());
        }
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(format!("there is no choice {}", sanitize::clean(text)));
        }
        let play = parse_play(text, &state.position, roll).map_err(|error| error.to_string())?;
        return Ok(StudyAction::Play(play));
    }
    let choice = match text.to_lowercase().as_str() {
        "n" | "nd" | "no double" | "no redouble" | "no" => CubeChoice::NoDouble,
        "d" | "double" | "redouble" => CubeChoice::Double,
        "t" | "take" => CubeChoice::Take,
        "p" | "pass" => CubeChoice::Pass,
        "b" | "beaver" => CubeChoice::Beaver,
        _ => return Err(unknown()),
    };
    let action = StudyAction::Cube(choice);
    asked.find(action).map(|_| action).ok_or_else(unknown)
}

/// A line of stdin; `None` at its end.
fn line(prompt: &str) -> Result<Option<String>> {
    output::text(prompt)?;
    io::stdout().flush()?;
    let line = typed_line()?;
    if line.is_none() {
        output::text("\n")?;
    }
    Ok(line)
}

/// A question, and nothing of its answer.
fn show(decision: &StudyDecision, asked: &Question, number: usize, of: usize) -> Result<()> {
    let state = &decision.state;
    let mut text = format!(
        "\n{number} of {of}\n{}{}x: {}\n",
        board(&state.position, state.doubled),
        score_and_cube(state),
        question::question_text(state)
    );
    for (i, choice) in (1..).zip(&asked.choices) {
        text += &format!("{i:>3}  {}\n", asked.words(choice));
    }
    output::text(&text)
}

/// Reports the cost of an answer, beside the others.
fn verdict(decision: &StudyDecision, asked: &Question, place: usize) -> String {
    let given = &asked.choices[place];
    let mut text = match given.cost {
        cost if cost < question::AS_GOOD => format!("{} is right\n", asked.words(given)),
        cost => format!("{} costs {cost:.3} points\n", asked.words(given)),
    };
    let mut head = vec!["  answer", "equity", "diff"];
    // Where some plays were not rolled out, each says by what it is judged.
    let is_mixed = asked.rollout.is_some() && !asked.choices.iter().all(|c| asked.is_rolled(c));
    head.extend(is_mixed.then_some("by"));
    let mut table = Grid::new(&head);
    for choice in asked.ranked() {
        let mark = if std::ptr::eq(choice, given) {
            ">"
        } else {
            " "
        };
        let mut row = vec![
            format!("{mark} {}", asked.words(choice)),
            format!("{:+.3}", choice.equity),
            asked.difference_text(choice),
        ];
        row.extend(is_mixed.then(|| match asked.is_rolled(choice) {
            true => "rollout".to_owned(),
            false => format!("{}-ply", asked.ply),
        }));
        table.row(row);
    }
    text += &table.to_string();
    text.extend(asked.cube_verdict().map(|verdict| verdict + "\n"));
    text += &in_the_match(decision, asked);
    text += &format!("{}\n", xgid_text(&decision.state));
    if let Some(note) = &decision.note {
        text += &format!("note: {note}\n");
    }
    text
}

/// Where the decision comes from, what was done there, and what the table is by.
fn in_the_match(decision: &StudyDecision, asked: &Question) -> String {
    let by = asked.figures_by();
    if decision.is_lone() {
        return format!("{} (the table is {by})\n", decision.source);
    }
    let cost = match asked.rollout {
        Some(_) => format!("{:.3} points by rollout", asked.cost_of_made(decision)),
        None => format!(
            "{:.3} points as it was analysed; the table is {by}",
            decision.cost
        ),
    };
    let made = decision.made_words();
    format!("in the match: {made}, {} ({cost})\n", decision.source)
}

fn summary(done: &[Done]) -> String {
    let count = |grade| {
        let same = |done: &&Done| grade_of(&done.change) == Some(grade);
        done.iter().filter(same).count()
    };
    let [again, hard, good, easy] = Grade::ALL.map(count);
    format!(
        "{}: {again} again, {hard} hard, {good} good, {easy} easy\n",
        counted(done.len(), "answer")
    )
}
