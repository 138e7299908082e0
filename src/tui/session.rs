//! Saves and restores the session: documents, turns, marked plays and display options.

use std::time::Duration;

use super::state::{App, MatchRolloutGoal};
use crate::game::Position;
use crate::notation::{parse_id, position_id, xgid_text};
use crate::rollout::Settings;
use crate::store::session::{SavedAim, SavedDisplay, SavedMatchRollouts, SavedRollout, Session};
use crate::tui::documents::places::{LeftPlace, Openable, is_same, openable};
use crate::tui::keys::KeyScope;
use crate::tui::rollouts::jobs::{Aim, DecisionKey, Job, JobPlay, JobState};
use crate::tui::screen::layout::{SMALLEST_BOARD, WIDER_MOVES};
use crate::tui::screen::units::Units;
use crate::tui::windows::tips::Tips;

impl App {
    /// Remembers the state of the displayed document.
    pub fn leave_place(&mut self) {
        if let Some(mut place) = self.current_place() {
            // Rollouts continue; those of the whole match until another document is displayed.
            place.rollouts.clear();
            place.match_rollouts = None;
            // The number of remembered places is limited, and a list may have more positions.
            let is_idle = self.rollouts_under_way(&place.source).is_empty();
            match self.home().list.is_some() && place.is_bare() && is_idle {
                true => self.left.forget(&place.source),
                false => self.left.put(place),
            }
        }
    }

    /// Remembers the unfinished rollouts of the displayed match, to continue when it is displayed again. Returns
    /// whether there are any.
    pub fn leave_match_rollouts(&mut self) -> bool {
        let source = self.sources.get(self.shown).cloned();
        let (Some(source), Some(saved)) = (source, self.match_rollouts_under_way()) else {
            return false;
        };
        self.left.put_match_rollouts(&source, saved);
        true
    }

    /// Restores turn and marks of the opened document. Returns whether the cube decision before the roll was
    /// displayed.
    pub fn return_to_place(&mut self) -> bool {
        let source = self.sources.get(self.source);
        let known = source.and_then(|source| self.left.get(source)).cloned();
        let last = self.document.turns.len().saturating_sub(1);
        self.at = known.as_ref().map_or(0, |place| place.turn).min(last);
        // The file may have become shorter.
        let is_there = |place: &LeftPlace| place.is_before_roll && place.turn <= last;
        // A requested position with dice is about its roll.
        let is_match = !self.document.record.games.is_empty();
        let is_before_roll = is_match && known.as_ref().is_some_and(is_there);
        for (turn, marked) in known.into_iter().flat_map(|place| place.marked) {
            let Some(turn) = self.document.turns.get(turn) else {
                continue;
            };
            let decision = DecisionKey::of(&turn.before.state);
            let results = marked.iter().filter_map(|id| parse_id(id).ok());
            let results = results.map(|state| state.position);
            self.marked.entry(decision).or_default().extend(results);
        }
        let of_match = self.match_goes_on();
        match self.go_on() {
            0 => of_match.into_iter().for_each(|goal| self.say_goal(goal)),
            1 => self.say_keys("the rollout that was under way goes on, {stop} stops it"),
            n => self.say_keys(&format!(
                "the {n} rollouts that were under way go on, {{stop}} stops one"
            )),
        }
        is_before_roll
    }

    /// Announces that match rollouts continue, and how to stop them.
    fn say_goal(&mut self, goal: MatchRolloutGoal) {
        match goal {
            MatchRolloutGoal::Errors(_) => {
                let stop = self.keymap.named_in(KeyScope::Errors, "{roll out}");
                self.say_keys(&format!(
                    "the rollouts of the errors go on, {stop} in {{errors}} stops them"
                ));
            }
            MatchRolloutGoal::Close => {
                self.say_keys("the rollouts of the match go on, {roll out the match} stops them");
            }
            MatchRolloutGoal::Verify => {
                self.say_keys("the file is verified further, {stop} stops that");
            }
        }
    }

    /// The state of the displayed document; `None` if it is neither a file nor a position.
    fn current_place(&self) -> Option<LeftPlace> {
        let source = self.sources.get(self.shown)?.clone();
        // Called after every key and message: usually nothing is marked.
        let any = self.marked.values().any(|set| !set.is_empty());
        let turns = self.home().turns.iter().enumerate().filter(|_| any);
        let marked = turns.filter_map(|(i, turn)| {
            let results = self.marked.get(&DecisionKey::of(&turn.before.state))?;
            let mut ids: Vec<String> = results.iter().map(position_id).collect();
            ids.sort_unstable();
            (!ids.is_empty()).then_some((i, ids))
        });
        Some(LeftPlace {
            turn: self.home_turn(),
            is_before_roll: match &self.quiz {
                Some(quiz) => quiz.view.before.is_some(),
                None => self.before.is_some() && self.variation.is_none(),
            },
            marked: marked.collect(),
            rollouts: self.rollouts_under_way(&source),
            source,
            match_rollouts: self.match_rollouts_under_way(),
        })
    }

    /// Appends a rollout to the queue, with its source.
    pub fn add_job(
        &mut self,
        decision: DecisionKey,
        plays: Vec<JobPlay>,
        aim: Aim,
        settings: Settings,
        source: usize,
    ) {
        let job = self.jobs.add(decision, plays, aim, settings);
        if let Some(source) = self.sources.get(source) {
            self.job_sources.insert(job, source.clone());
        }
    }

    /// Rollouts of a source that run or wait. Paused ones continue only when requested again.
    fn rollouts_under_way(&self, source: &Openable) -> Vec<SavedRollout> {
        let goes_on = |job: &&Job| {
            let own = self.job_sources.get(&job.id);
            job.state != JobState::Paused && own.is_none_or(|own| is_same(own, source))
        };
        let asked = |job: &Job| Settings {
            stop: job.settings.stop,
            ..job.asked().clone()
        };
        let saved = |job: &Job| SavedRollout {
            decision: xgid_text(job.decision.state()),
            results: job.plays.iter().map(|p| position_id(&p.result)).collect(),
            aim: match job.aim {
                Aim::Each => SavedAim::Each,
                Aim::Compare => SavedAim::Compare,
                Aim::Pilot => SavedAim::Pilot,
            },
            settings: serde_json::to_value(asked(job)).unwrap_or_default(),
        };
        self.jobs.active().filter(goes_on).map(saved).collect()
    }

    /// The rollouts of the whole match, unless paused. The remaining time is rounded, so that it is not saved every
    /// second.
    fn match_rollouts_under_way(&self) -> Option<SavedMatchRollouts> {
        const STEP: u64 = 15;
        let rollouts = self.match_rollouts.as_ref()?;
        let left = rollouts.budget.saturating_sub(rollouts.used).as_secs();
        (!rollouts.is_paused).then(|| SavedMatchRollouts {
            seconds: left.div_ceil(STEP).max(1) * STEP,
            verifies: rollouts.goal == MatchRolloutGoal::Verify,
            errors: match rollouts.goal {
                MatchRolloutGoal::Errors(filter) => Some(filter),
                _ => None,
            },
        })
    }

    /// Continues the rollouts of the whole match after its review. Returns their purpose, if there are any.
    fn match_goes_on(&mut self) -> Option<MatchRolloutGoal> {
        let source = self.sources.get(self.source)?.clone();
        let saved = self.left.take_match_rollouts(&source);
        let saved = saved.filter(|_| !self.document.record.games.is_empty())?;
        let goal = match saved.errors {
            Some(filter) => MatchRolloutGoal::Errors(filter),
            None if saved.verifies => MatchRolloutGoal::Verify,
            None => MatchRolloutGoal::Close,
        };
        self.want_match_rollouts(goal, Duration::from_secs(saved.seconds));
        Some(goal)
    }

    /// Continues the rollouts that were unfinished when the document was last open. Returns their number.
    fn go_on(&mut self) -> usize {
        let source = self.sources.get(self.source).cloned();
        let saved = source.map_or_else(Vec::new, |source| self.left.take_rollouts(&source));
        let mut count = 0;
        for rollout in saved {
            let found = self.found_again(&rollout);
            let settings = serde_json::from_value(rollout.settings);
            let (Some((decision, plays)), Ok(settings)) = (found, settings) else {
                continue;
            };
            let aim = match rollout.aim {
                SavedAim::Each => Aim::Each,
                SavedAim::Compare => Aim::Compare,
                SavedAim::Pilot => Aim::Pilot,
            };
            self.add_job(decision, plays, aim, settings, self.source);
            count += 1;
        }
        count
    }

    /// The decision of a saved rollout in the document, and its plays.
    fn found_again(&self, rollout: &SavedRollout) -> Option<(DecisionKey, Vec<JobPlay>)> {
        let turns = self.document.turns.iter();
        let states = turns.flat_map(|turn| {
            let state = turn.before.state;
            [state, DecisionKey::of(&state).before().state().to_owned()]
        });
        let mut states = states.filter(|state| xgid_text(state) == rollout.decision);
        let state = states.next().or_else(|| parse_id(&rollout.decision).ok())?;
        let decision = DecisionKey::of(&state);
        let results: Option<Vec<Position>> = rollout
            .results
            .iter()
            .map(|id| Some(parse_id(id).ok()?.position))
            .collect();
        let plays = JobPlay::all(&decision, &results?)?;
        Some((decision, plays))
    }

    /// The session to save; `None` while something is edited.
    pub fn session(&self) -> Option<Session> {
        if self.editor.is_some() {
            return None;
        }
        let here = self.current_place();
        let is_elsewhere = |place: &&LeftPlace| {
            let here = here.as_ref();
            here.is_none_or(|here| !is_same(&here.source, &place.source))
        };
        let before = self.left.newest_first().filter(is_elsewhere);
        let saved_before = |place: &LeftPlace| {
            let mut saved = place.saved()?;
            saved
                .rollouts
                .extend(self.rollouts_under_way(&place.source));
            Some(saved)
        };
        let places = here
            .iter()
            .filter_map(LeftPlace::saved)
            .chain(before.filter_map(saved_before));
        let options = &self.options;
        Some(Session {
            places: places.collect(),
            display: SavedDisplay {
                theme: self.known_theme(),
                flipped: options.flipped,
                mirrored: options.mirrored,
                without_pips: !options.pips,
                chances: options.chances,
                by_equity: options.by_equity,
                mwc: options.units == Units::Whole,
                smaller_board: options.smaller_board,
                wider_moves: options.wider_moves,
                tips: self.tips.map_or(0, Tips::done),
            },
            filling: self.library.unfinished(),
            taken_up: self.library.taken_up.clone(),
            last_play: self.saved_play(),
        })
    }

    /// The theme of the settings, or the one to use after this session; empty if it does not exist.
    fn known_theme(&self) -> String {
        let wanted = match &self.theme_of_start {
            Some([given, kept]) if *given == self.settings.theme => kept,
            _ => &self.settings.theme,
        };
        let is_there = self.themes.iter().any(|theme| theme.name == *wanted);
        if is_there {
            wanted.clone()
        } else {
            String::new()
        }
    }

    /// Restores a session.
    pub fn resume(&mut self, session: &Session) {
        for place in session.places.iter().rev() {
            self.left.put(LeftPlace {
                source: openable(&place.source),
                turn: place.turn,
                is_before_roll: place.is_before_roll,
                marked: place.marked.clone(),
                rollouts: place.rollouts.clone(),
                match_rollouts: place.match_rollouts,
            });
        }
        self.resume_play(session.last_play.as_ref());
        // Unreachable paths stay in the file for a later session.
        for path in session.filling.iter().filter(|path| path.exists()) {
            self.fill_library(path.clone());
        }
        let display = &session.display;
        if self.settings.theme.is_empty() {
            self.settings.theme.clone_from(&display.theme);
        }
        self.options.flipped = display.flipped;
        self.options.mirrored = display.mirrored;
        self.options.pips = !display.without_pips;
        self.options.chances = display.chances;
        self.options.by_equity = display.by_equity;
        self.options.smaller_board = display.smaller_board.min(SMALLEST_BOARD);
        let [least, most] = WIDER_MOVES;
        self.options.wider_moves = display.wider_moves.clamp(least, most);
        self.tips = Some(Tips::after(display.tips));
        if display.mwc {
            self.options.units = Units::Whole;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::Document;
    use super::super::testing::TestApp;
    use super::super::theme::Depth;
    use super::*;
    use crate::game::{GameState, Position};
    use crate::store::session::{SavedPlace, SavedSource};
    use crate::tui::message::Message;

    /// A file with an absolute path on this system.
    fn file() -> Openable {
        Openable::File(std::path::absolute("/matches/a.mat").unwrap())
    }

    /// Turn, marks, flipped board and MWC display are restored at the next start.
    #[test]
    fn the_place_the_marks_and_the_view_come_back() {
        let mut bench = TestApp::new(Depth::True);
        bench.app.sources = vec![file()];
        bench.draw(200, 60);
        bench.keys("l l j space V f u ( ( Z");
        let session = bench.app.session().unwrap();
        assert_eq!(session.places.len(), 1);
        let (at, marked) = (bench.app.at, bench.app.marked.clone());
        assert!(at == 2 && marked.len() == 1);

        let mut again = TestApp::new(Depth::True);
        again.app.sources = vec![file()];
        again.app.resume(&session);
        again.app.return_to_place();
        assert_eq!((again.app.at, &again.app.marked), (at, &marked));
        assert!(again.app.options.flipped && again.app.options.units == Units::Whole);
        assert_eq!(again.app.options.zoom, None, "all panes are there");
        assert_eq!(again.app.options.smaller_board, 2);
        assert_eq!(again.app.session(), Some(session));
    }

    /// A theme requested for one start is not restored, unless it is selected.
    #[test]
    fn a_theme_of_one_start_is_not_kept() {
        let mut bench = TestApp::new(Depth::True);
        bench.app.sources = vec![file()];
        bench.app.theme_of_start = Some(["light", "wood"].map(str::to_owned));
        let mut kept = |theme: &str| {
            bench.app.settings.theme = theme.to_owned();
            bench.app.session().unwrap().display.theme
        };
        assert_eq!(kept("light"), "wood");
        assert_eq!(kept("leather"), "leather");
    }

    /// Of a running, a waiting and a paused rollout, the first two continue at the next start, with their settings,
    /// and once.
    #[test]
    fn rollouts_under_way_go_on() {
        let open = |bench: &mut TestApp| {
            bench.app.sources = vec![file()];
            let mut record = super::super::testing::record();
            record.warnings.clear();
            let document = Document::of_match(record, "a.mat".into(), 1);
            bench.tell(Message::Opened(1, Ok(Box::new(document))));
        };
        let mut bench = TestApp::new(Depth::True);
        open(&mut bench);
        bench.keys("n r c n r");
        let active = |bench: &TestApp| -> Vec<Job> { bench.app.jobs.active().cloned().collect() };
        let before = active(&bench);
        assert_eq!(before.len(), 3);
        let session = bench.app.session().unwrap();

        let mut again = TestApp::new(Depth::True);
        again.app.resume(&session);
        open(&mut again);
        let after = active(&again);
        assert_eq!(after.len(), 3);
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(after.decision, before.decision);
            assert_eq!((&after.plays, after.aim), (&before.plays, before.aim));
            assert_eq!(after.asked(), before.asked());
        }
        assert_eq!(again.started.len(), 1, "the first runs, the others wait");
        assert_has!(again.said(), "3 rollouts", "x stops");
        assert_eq!(again.app.session(), Some(session.clone()));
        // After rereading they still exist once.
        open(&mut again);
        assert_eq!(active(&again).len(), 3);
        // Stopped or paused rollouts do not continue.
        again.keys("p");
        let id = again.app.jobs.current().unwrap().id;
        again.app.jobs.get_mut(id).unwrap().state = JobState::Paused;
        assert_eq!(again.app.session().unwrap().places[0].rollouts.len(), 2);
        // Content of other versions is harmless.
        let mut odd = session;
        odd.places[0].rollouts[0].settings = serde_json::Value::Null;
        odd.places[0].rollouts[1].results[0] = "4HPwATDgc/ABMA".into();
        let mut other = TestApp::new(Depth::True);
        other.app.resume(&odd);
        open(&mut other);
        assert_eq!(active(&other).len(), 1);
    }

    /// Rollouts of the whole match continue at the next start, with the remaining time, after the review.
    #[test]
    fn rollouts_of_the_match_go_on() {
        let open = |bench: &mut TestApp| {
            bench.app.sources = vec![file()];
            let record = super::super::testing::record();
            let document = Document::of_match(record, "a.mat".into(), 1);
            bench.tell(Message::Opened(1, Ok(Box::new(document))));
        };
        let mut bench = TestApp::new(Depth::True);
        open(&mut bench);
        bench.keys("B 9 0 enter");
        let rollouts = bench.app.match_rollouts.as_mut().unwrap();
        rollouts.used = Duration::from_secs(40);
        let budget = rollouts.budget.as_secs();
        let session = bench.app.session().unwrap();
        let mut again = TestApp::new(Depth::True);
        again.app.resume(&session);
        open(&mut again);
        let rollouts = again.app.match_rollouts.as_ref().unwrap();
        let left = rollouts.budget.as_secs();
        assert!(
            (budget - 40..budget - 25).contains(&left),
            "{budget} {left}"
        );
        assert!(rollouts.has_begun && again.rolls_match);
        assert_has!(again.said(), "rollouts of the match go on");
        // Stopped rollouts do not continue.
        again.keys("B");
        let session = again.app.session().unwrap();
        assert_eq!(session.places[0].match_rollouts, None);
        // Rollouts of errors remain rollouts of errors.
        again.keys("E w r");
        let goal = again.app.match_rollouts.as_ref().unwrap().goal;
        assert!(matches!(goal, MatchRolloutGoal::Errors(filter) if filter.player.is_some()));
        let session = again.app.session().unwrap();
        let mut third = TestApp::new(Depth::True);
        third.app.resume(&session);
        open(&mut third);
        assert_eq!(third.app.match_rollouts.as_ref().unwrap().goal, goal);
        let status = third.said();
        let goes_on = "the rollouts of the errors go on, r in E stops them";
        assert!(status.ends_with(goes_on), "{status}");
        third.app.say_goal(MatchRolloutGoal::Verify);
        assert_has!(third.said(), "file is verified further, x stops");
    }

    /// Rollouts of a match continue when it is displayed again, or at the next start.
    #[test]
    fn rollouts_of_a_match_left_go_on_when_it_is_shown_again() {
        let shown = |bench: &mut TestApp, source: usize, document: Document| {
            bench.app.leave_place();
            bench.app.source = source;
            let number = document.generation;
            bench.tell(Message::Opened(number, Ok(Box::new(document))));
        };
        let of_match = |number| {
            let record = super::super::testing::record();
            Document::of_match(record, "a.mat".into(), number)
        };
        let position = |number| {
            let state = GameState::money(Position::opening());
            Document::of_position(state, "id".into(), number)
        };
        let mut bench = TestApp::new(Depth::True);
        bench.app.sources = vec![file(), Openable::Id("4HPwATDgc/ABMA".into())];
        bench.keys("E t r esc");
        let goal = bench.app.match_rollouts.as_ref().unwrap().goal;
        let next = bench.app.document.generation + 1;
        shown(&mut bench, 1, position(next));
        assert!(bench.app.match_rollouts.is_none() && !bench.rolls_match);
        let session = bench.app.session().unwrap();
        shown(&mut bench, 0, of_match(next + 1));
        let rollouts = bench.app.match_rollouts.as_ref();
        assert_eq!(rollouts.map(|rollouts| rollouts.goal), Some(goal));
        assert!(bench.rolls_match);
        // Stopped rollouts stay stopped.
        bench.keys("E r esc");
        shown(&mut bench, 1, position(next + 2));
        shown(&mut bench, 0, of_match(next + 3));
        assert!(bench.app.match_rollouts.is_none() && !bench.rolls_match);
        // Also after a start with the other document.
        let mut again = TestApp::new(Depth::True);
        again.app.resume(&session);
        again.app.sources = vec![file()];
        let next = again.app.document.generation + 1;
        again.tell(Message::Opened(next, Ok(Box::new(of_match(next)))));
        let rollouts = again.app.match_rollouts.as_ref();
        assert_eq!(rollouts.map(|rollouts| rollouts.goal), Some(goal));
    }

    #[test]
    fn places_that_were_left_stay_behind_the_one_in_view() {
        let mut bench = TestApp::new(Depth::True);
        bench.app.sources = vec![
            file(),
            Openable::Id("4HPwATDgc/ABMA".into()),
            Openable::Sample,
        ];
        bench.keys("l l l r");
        bench.app.leave_place();
        (bench.app.source, bench.app.shown) = (1, 1);
        bench.app.document =
            Document::of_position(GameState::money(Position::opening()), "id".into(), 2);
        bench.app.at = 0;
        let session = bench.app.session().unwrap();
        let turns: Vec<usize> = session.places.iter().map(|place| place.turn).collect();
        assert_eq!(turns, [0, 3]);
        // A rollout continues with its own document.
        assert_eq!(session.places[0].rollouts.len(), 0);
        assert_eq!(session.places[1].rollouts.len(), 1);
        assert!(matches!(session.places[0].source, SavedSource::Id(_)));
        // The bundled sample is not remembered.
        (bench.app.source, bench.app.shown) = (2, 2);
        assert_eq!(bench.app.session().unwrap().places.len(), 1);
    }

    /// A file with several paths is stored once, by its absolute path.
    #[test]
    fn a_file_by_another_name_of_it_is_kept_once() {
        let mut bench = TestApp::new(Depth::True);
        bench.app.sources = vec![Openable::File("m.mat".into())];
        bench.keys("l l");
        let session = bench.app.session().unwrap();
        let mut again = TestApp::new(Depth::True);
        again.app.resume(&session);
        again.app.sources = vec![Openable::File("m.mat".into())];
        again.app.return_to_place();
        again.keys("l");
        let session = again.app.session().unwrap();
        let turns: Vec<usize> = session.places.iter().map(|place| place.turn).collect();
        assert_eq!(turns, [3]);
    }

    /// A changed file may have fewer turns, and marks of invalid plays.
    #[test]
    fn what_no_longer_fits_does_no_harm() {
        let mut bench = TestApp::new(Depth::True);
        let source = SavedSource::Id("4HPwATDgc/ABMA".into());
        bench.app.sources = vec![openable(&source)];
        bench.app.resume(&Session {
            places: vec![SavedPlace {
                source,
                turn: 99_999,
                is_before_roll: false,
                marked: vec![(7, vec!["nonsense".into()]), (88_888, Vec::new())],
                rollouts: Vec::new(),
                match_rollouts: None,
            }],
            ..Session::default()
        });
        bench.app.return_to_place();
        assert_eq!(bench.app.at, bench.app.document.turns.len() - 1);
        assert!(bench.app.marked.values().all(|set| set.is_empty()));
    }
}
