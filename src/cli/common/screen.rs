//! Options of the commands that open the workstation.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;

use crate::cli::common::options::{CubeModel, Nets, Threads};
use crate::store::UserFolders;
use crate::tui;
use crate::tui::state::Openable;

/// Options of the commands that open a match in the workstation and go on with it: `play` and `transcribe`.
#[derive(Debug, clap::Args)]
pub(crate) struct ScreenOptions {
    /// Theme by name, instead of the one in the settings
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    pub(crate) cube: CubeModel,
}

impl ScreenOptions {
    /// Opens a match file in the workstation to continue it.
    pub(crate) fn go_on(self, path: PathBuf, how: tui::PlayOn) -> Result<()> {
        tui::run(tui::StartOptions {
            sources: vec![Openable::File(path)],
            first: vec![0],
            plays_on: Some(how),
            ..start_options(self.theme, &self.threads, &self.nets, &self.cube)?
        })?;
        Ok(())
    }
}

/// Start options of the workstation, without sources.
pub(crate) fn start_options(
    theme: Option<String>,
    threads: &Threads,
    nets: &Nets,
    cube: &CubeModel,
) -> Result<tui::StartOptions> {
    Ok(tui::StartOptions {
        threads: threads.number().get(),
        evaluator: Arc::new(nets.engine()?),
        model: Arc::new(cube.load()?),
        no_crawford: cube.no_crawford(),
        places: UserFolders::of_user(),
        theme,
        sources: Vec::new(),
        first: Vec::new(),
        may_be_empty: false,
        watch: Vec::new(),
        plays_on: None,
    })
}
