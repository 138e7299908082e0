//! Responds to lines of other programs without a process or socket, for fuzz targets and the tests that replay their
//! inputs.

use std::io;

use anyhow::Result;
use clap::Parser as _;

use super::rollouts::{batch, batch_answers};
use super::{external, ubgi};
use crate::cli::common::thinking::{Effort, Thinker};
use crate::cli::common::usage::message_of;
use crate::cli::rollouts::rollout_files::RolloutFiles;
use crate::cli::rollouts::rollout_options::RolloutOptions;
use crate::cube::Model;
use crate::eval::Engine;

/// Responds like the subcommands, but decides statically and rolls nothing out.
pub struct LineAnswers {
    thinker: Thinker,
    options: RolloutOptions,
    files: RolloutFiles,
}

/// Parser for rollout options only.
#[derive(clap::Parser)]
struct Rollout {
    #[command(flatten)]
    options: RolloutOptions,
}

impl LineAnswers {
    /// Uses the embedded nets and default options.
    pub fn new() -> Result<Self> {
        let options = Rollout::try_parse_from(["rollout"])?.options;
        Ok(Self {
            thinker: Thinker::new(Engine::embedded(), Model::default()).only_static(),
            files: options.files()?,
            options,
        })
    }

    /// The output of `luckless ubgi`.
    pub fn ubgi(&self, input: &[u8]) -> io::Result<Vec<u8>> {
        let mut output = Vec::new();
        ubgi::converse(input, &mut output, &self.thinker)?;
        Ok(output)
    }

    /// The output of `luckless external` on a connection.
    pub fn external(&self, input: &[u8]) -> io::Result<Vec<u8>> {
        let effort = Effort {
            ply: 0,
            threads: 1,
            cubeful: true,
        };
        let mut output = Vec::new();
        external::converse(input, &mut output, &self.thinker, effort)?;
        Ok(output)
    }

    /// The error of `luckless rollout --batch` for a line; `None` if the line would be rolled out.
    pub fn refused_job(&self, line: &str) -> Option<String> {
        batch::refuse(&self.options, &self.files, line)
    }

    /// The error for a file of answers that `luckless rollout --batch --out` should continue.
    pub fn refused_answers(&self, mut bytes: &[u8]) -> Option<String> {
        let read = batch_answers::read(&mut bytes, usize::MAX);
        Some(message_of(&read.err()?))
    }
}
