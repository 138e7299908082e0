//! Writes a match or a picture to a file, on a thread of its own: the disk may be slow.

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Sender;

use super::in_background;
use crate::eval::Evaluator;
use crate::store::{StoreError, file};
use crate::tui::message::Message;
use crate::tui::windows::exported::{Written, WrittenFile};

/// Writes to a file that is not there yet.
pub fn start(
    written: Written,
    path: PathBuf,
    evaluator: Arc<dyn Evaluator>,
    messages: Sender<Message>,
) {
    let write = move || {
        let content = written.content(&path, &*evaluator)?;
        // The reason comes first: a long path is cut.
        match file::write_new(&path, &content.bytes) {
            Ok(()) => Ok(WrittenFile {
                path,
                left_out: content.left_out,
            }),
            Err(error) if error.is_taken() => Err(format!("is there already: {}", path.display())),
            Err(StoreError::Io { source, .. }) => Err(format!("{source}: {}", path.display())),
            Err(error) => Err(error.to_string()),
        }
    };
    in_background("export", &messages, write, Message::Exported);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::{Colours, Diagram};
    use crate::eval::Engine;
    use crate::game::{GameState, Position};
    use crate::tui::windows::exported::RecordToWrite;
    use crossbeam_channel::unbounded;

    fn net() -> Arc<dyn Evaluator> {
        Arc::new(Engine::embedded())
    }

    #[test]
    fn a_file_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.sgf");
        let (messages, received) = unbounded();
        let record = crate::tui::testing::record();
        let written = Written::Match(RecordToWrite(Arc::new(record.clone())));
        start(written.clone(), path.clone(), net(), messages.clone());
        assert!(matches!(received.recv().unwrap(), Message::Exported(Ok(at)) if at.path == path));
        let again = crate::match_file::read(&path).unwrap();
        assert_eq!(again.players, record.players);
        start(written, path, net(), messages.clone());
        let Message::Exported(Err(why)) = received.recv().unwrap() else {
            panic!("it was written over");
        };
        assert!(why.contains("already"), "{why}");
        // The name says the format; what that does not hold is told: that both games break off.
        let mut remarked = record.clone();
        remarked.tags.push(("Weather".into(), "fine".into()));
        let written = Written::Match(RecordToWrite(Arc::new(remarked)));
        for (name, losses) in [("m.mat", 2), ("m.JSON", 0), ("m.sgf2", 9)] {
            let path = folder.path().join(name);
            start(written.clone(), path.clone(), net(), messages.clone());
            match received.recv().unwrap() {
                Message::Exported(Ok(file)) => {
                    assert_eq!(file.left_out.len(), losses, "{:?}", file.left_out);
                    let again = crate::match_file::read(&path).unwrap();
                    assert_eq!(again.games.len(), record.games.len());
                }
                Message::Exported(Err(why)) => {
                    assert!(losses == 9 && why.contains(".mat, .txt, .sgf"), "{why}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_picture_is_what_its_name_says() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, received) = unbounded();
        let diagram = Diagram::new(GameState::money(Position::opening()));
        let written = Written::Picture(Box::new((diagram, Colours::default())));
        for (name, begins) in [("a.svg", &b"<svg"[..]), ("a.PNG", b"\x89PNG")] {
            let path = folder.path().join(name);
            start(written.clone(), path.clone(), net(), messages.clone());
            assert!(matches!(received.recv().unwrap(), Message::Exported(Ok(_))));
            assert!(std::fs::read(path).unwrap().starts_with(begins), "{name}");
        }
        start(written, folder.path().join("a.gif"), net(), messages);
        let Message::Exported(Err(why)) = received.recv().unwrap() else {
            panic!("it was written");
        };
        assert!(why.contains(".svg or .png"), "{why}");
    }
}
