//! A quiz of what the window of the library finds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{answered, library};
use crate::eval::{Engine, Evaluator};
use crate::rollout::Setup;
use crate::store::LibraryStore;
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::workers::study_keeper::{StudyFiles, StudyKeeper};

/// A quiz asks others where the filter says that they decide; else only the user, and it says so where nothing fits.
#[test]
fn a_quiz_asks_those_whom_the_filter_says() {
    let (folder, path) = library();
    let mut store = LibraryStore::open(&path).unwrap();
    store
        .change_people(|all| all.set_me("Clara", true))
        .unwrap();
    let files = StudyFiles {
        answers: folder.path().join("study.sqlite"),
        library: path.clone(),
        rollouts: folder.path().join("rollouts.sqlite"),
    };
    let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let (sender, received) = crossbeam_channel::unbounded();
    let keeper = StudyKeeper::start(files, Setup::from(evaluator), sender);
    for (typed, is_asked) in [
        ("! m e", true),
        ("! p l a y e r : c l a r a", true),
        ("o p p o n e n t : c l a r a", true),
        ("o p p o n e n t : d e v", true),
        ("l e a d > 5 0 0", false),
    ] {
        let mut bench = TestApp::new(Depth::None);
        bench.has_stores();
        bench.keys("/");
        answered(&mut bench, &path);
        bench.keys(typed);
        answered(&mut bench, &path);
        bench.keys("ctrl-q");
        keeper.find(bench.quiz_request.take().expect("a quiz"));
        let found = received
            .iter()
            .find(|message| matches!(message, Message::QuizFound { .. }));
        bench.tell(found.expect("an answer"));
        assert_eq!(bench.app.quiz.is_some(), is_asked, "{typed}");
        let screen = bench.screen(80, 24);
        let words = "no such error of yours, or none due; player:NAME asks another's";
        assert_eq!(screen.contains(words), !is_asked, "{screen}");
    }
    keeper.finish(Instant::now() + Duration::from_secs(5));
}
