//! Writes matches and pictures to files on a separate thread, because disks may be slow.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crossbeam_channel::Sender;

use super::in_background;
use crate::eval::Evaluator;
use crate::locks::lock;
use crate::match_file::LARGEST_FILE;
use crate::store::{StoreError, file};
use crate::tui::message::Message;
use crate::tui::windows::exported::{
    FileContent, ListedPosition, Written, WrittenFile, with_position,
};

/// Resources for contents that must be computed first.
#[derive(Clone)]
pub struct ExportMeans {
    pub evaluator: Arc<dyn Evaluator>,
    /// Number of threads for analysis.
    pub threads: usize,
}

impl ExportMeans {
    /// Computes the content of the file at `path`. Decisions are analysed on separate threads, like rollouts: the
    /// workers that respond to keys have their own.
    fn content(&self, written: &Written, path: &Path) -> Result<FileContent, String> {
        let content = || written.content(path, &*self.evaluator);
        if !written.is_analysed() {
            return content();
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.max(1))
            .thread_name(|i| format!("export-{i}"))
            .build()
            .map_err(|error| error.to_string())?;
        pool.install(content)
    }
}

/// Writes a new file.
pub fn start(
    number: u64,
    written: Written,
    path: PathBuf,
    means: ExportMeans,
    messages: &Sender<Message>,
) {
    let write = move || {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.exists()) {
            return Err(format!("there is no folder {}", folder.display()));
        }
        if let Written::Listed(position) = &written {
            add_to_list(&path, position)?;
            let left_out = Vec::new();
            return Ok(WrittenFile { path, left_out });
        }
        // The reason comes first, because long paths are truncated.
        let is_there = || format!("is there already: {}", path.display());
        // Checked first, because some contents take long to compute.
        if path.exists() && !file::is_device(&path) {
            return Err(is_there());
        }
        let content = means.content(&written, &path)?;
        match file::write_new(&path, &content.bytes) {
            Ok(()) => Ok(WrittenFile {
                path,
                left_out: content.left_out,
            }),
            Err(error) if error.is_taken() => Err(is_there()),
            Err(StoreError::Io { source, .. }) => Err(format!("{source}: {}", path.display())),
            Err(error) => Err(error.to_string()),
        }
    };
    let told = move |done| Message::Exported(number, done);
    in_background("export", messages, write, told);
}

/// Adds a position to a list, creating it if missing.
fn add_to_list(path: &Path, position: &ListedPosition) -> Result<(), String> {
    // Each export has its own thread: two that read the same list would lose a position.
    static ADDING: Mutex<()> = Mutex::new(());
    let _alone = lock(&ADDING);
    let there = match file::read(path, LARGEST_FILE) {
        Ok(there) => there,
        Err(_) if file::is_gone(path) => Vec::new(),
        Err(error) => return Err(error.to_string()),
    };
    let bytes = with_position(&there, path, position)?;
    file::write(path, &bytes).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagram::{Colours, Diagram};
    use crate::eval::Engine;
    use crate::game::{GameState, Position};
    use crate::tui::windows::exported::RecordToWrite;
    use crossbeam_channel::unbounded;

    fn net() -> ExportMeans {
        ExportMeans {
            evaluator: Arc::new(Engine::embedded()),
            threads: 2,
        }
    }

    #[test]
    fn a_file_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.sgf");
        let (messages, received) = unbounded();
        let record = crate::tui::testing::record();
        let written = Written::Match(RecordToWrite(Arc::new(record.clone())));
        start(1, written.clone(), path.clone(), net(), &messages);
        assert!(
            matches!(received.recv().unwrap(), Message::Exported(_, Ok(at)) if at.path == path)
        );
        let again = crate::match_file::read(&path).unwrap();
        assert_eq!(again.players, record.players);
        start(1, written, path, net(), &messages);
        let Message::Exported(_, Err(why)) = received.recv().unwrap() else {
            panic!("it was written over");
        };
        assert_has!(why, "already");
        // The file name determines the format. Losses are reported, for match text that both games break off.
        let mut remarked = record.clone();
        remarked.tags.push(("Weather".into(), "fine".into()));
        let written = Written::Match(RecordToWrite(Arc::new(remarked)));
        for (name, losses) in [("m.mat", 2), ("m.JSON", 0), ("m.sgf2", 9)] {
            let path = folder.path().join(name);
            start(1, written.clone(), path.clone(), net(), &messages);
            match received.recv().unwrap() {
                Message::Exported(_, Ok(file)) => {
                    assert_eq!(file.left_out.len(), losses, "{:?}", file.left_out);
                    let again = crate::match_file::read(&path).unwrap();
                    assert_eq!(again.games.len(), record.games.len());
                }
                Message::Exported(_, Err(why)) => {
                    assert!(losses == 9 && why.contains(".mat, .txt, .sgf"), "{why}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, received) = unbounded();
        let record = crate::tui::testing::record();
        let written = Written::Match(RecordToWrite(Arc::new(record)));
        let path = folder.path().join("none").join("m.sgf");
        start(1, written, path, net(), &messages);
        let Message::Exported(_, Err(why)) = received.recv().unwrap() else {
            panic!("it was written");
        };
        assert!(
            why.starts_with("there is no folder ") && why.ends_with("none"),
            "{why}"
        );
    }

    #[test]
    fn positions_are_added_to_a_list() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.txt");
        let (messages, received) = unbounded();
        let first = ListedPosition {
            state: GameState::money(Position::opening()),
            note: Some("a remark".into()),
        };
        let mut other = ListedPosition {
            note: None,
            ..first.clone()
        };
        other.state.roll = crate::game::Roll::new(3, 1);
        let add = |path: &Path, one: &ListedPosition| {
            let written = Written::Listed(Box::new(one.clone()));
            start(1, written, path.to_owned(), net(), &messages);
            match received.recv().unwrap() {
                Message::Exported(_, done) => done.map(drop),
                other => panic!("{other:?}"),
            }
        };
        add(&path, &first).unwrap();
        // The last line of a file written by others may lack a line end.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.trim_end()).unwrap();
        add(&path, &other).unwrap();
        let list = crate::match_file::read(&path).unwrap();
        let states: Vec<_> = list.positions.iter().map(|one| one.state).collect();
        assert_eq!(states, [first.state, other.state]);
        assert_eq!(list.positions[0].comment, first.note);
        // Positions added simultaneously are all stored.
        let at_once = folder.path().join("once.txt");
        for (number, roll) in crate::game::Roll::ALL.into_iter().enumerate() {
            let mut one = other.clone();
            one.state.roll = Some(roll);
            let written = Written::Listed(Box::new(one));
            start(number as u64, written, at_once.clone(), net(), &messages);
        }
        for _ in crate::game::Roll::ALL {
            assert!(matches!(
                received.recv().unwrap(),
                Message::Exported(_, Ok(_))
            ));
        }
        let list = crate::match_file::read(&at_once).unwrap();
        assert_eq!(list.positions.len(), crate::game::Roll::ALL.len());
        let again = add(&path, &other).unwrap_err();
        assert_has!(again, "in the list already");
        // Additions are UTF-8 and unreadable after another encoding.
        let wide = folder.path().join("wide.txt");
        let text: String = text.trim_end().to_owned();
        let bytes: Vec<u8> = std::iter::once(0xfeff)
            .chain(text.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        std::fs::write(&wide, &bytes).unwrap();
        assert!(add(&wide, &other).unwrap_err().contains("not UTF-8"));
        assert_eq!(std::fs::read(&wide).unwrap(), bytes);
        // A match is not a list and stays unchanged.
        let path = folder.path().join("m.mat");
        let text = " 1 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n";
        std::fs::write(&path, text).unwrap();
        let refused = add(&path, &other).unwrap_err();
        assert!(refused.starts_with("no list of positions"), "{refused}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn a_picture_is_what_its_name_says() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, received) = unbounded();
        let diagram = Diagram::new(GameState::money(Position::opening()));
        let written = Written::Picture(Box::new((diagram, Colours::default())));
        for (name, begins) in [("a.svg", &b"<svg"[..]), ("a.PNG", b"\x89PNG")] {
            let path = folder.path().join(name);
            start(1, written.clone(), path.clone(), net(), &messages);
            assert!(matches!(
                received.recv().unwrap(),
                Message::Exported(_, Ok(_))
            ));
            assert!(std::fs::read(path).unwrap().starts_with(begins), "{name}");
        }
        start(1, written, folder.path().join("a.gif"), net(), &messages);
        let Message::Exported(_, Err(why)) = received.recv().unwrap() else {
            panic!("it was written");
        };
        assert_has!(why, ".svg or .png");
    }
}
