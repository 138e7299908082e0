//! Selects the library of a command.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::common::usage::must_be_there;
use crate::store::{LibraryStore, READ_TIMEOUT, UserFolders};

/// Which library.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Library {
    /// The library's file [default: the one in the data folder]
    #[arg(long, value_name = "FILE")]
    pub(super) library: Option<PathBuf>,
}

impl Library {
    fn path(&self) -> Result<PathBuf> {
        let own = || UserFolders::of_user().map(|places| places.library());
        match self.library.clone().or_else(own) {
            Some(path) => Ok(path),
            None => bail!("there is no data folder on this system: give --library FILE"),
        }
    }

    /// Opens the library, creating it if missing.
    pub(crate) fn open(&self) -> Result<LibraryStore> {
        Ok(LibraryStore::open(&self.path()?)?)
    }

    /// Opens the library for a change; a named library must exist.
    pub(super) fn open_there(&self) -> Result<LibraryStore> {
        must_be_there(self.library.as_deref())?;
        self.open()
    }

    /// Opens the library, if it exists.
    pub(crate) fn open_to_read(&self) -> Result<Option<LibraryStore>> {
        must_be_there(self.library.as_deref())?;
        Ok(LibraryStore::open_to_list(&self.path()?, READ_TIMEOUT)?)
    }
}
