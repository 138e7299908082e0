//! Lines of other programs, answered without a process or a socket: what the fuzz targets feed, and the
//! tests that replay their inputs.

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

/// Answers lines as the subcommands do, but with static decisions, and without rollouts.
pub struct LineAnswers {
    thinker: Thinker,
    options: RolloutOptions,
    files: RolloutFiles,
}

/// The options of a rollout alone.
#[derive(clap::Parser)]
struct Rollout {
    #[command(flatten)]
    options: RolloutOptions,
}

impl LineAnswers {
    /// Answers with the nets of the program, and no option given.
    pub fn new() -> Result<Self> {
        let options = Rollout::try_parse_from(["rollout"])?.options;
        Ok(Self {
            thinker: Thinker::new(Engine::embedded(), Model::default()).only_static(),
            files: options.files()?,
            options,
        })
    }

    /// What `luckless ubgi` writes.
    pub fn ubgi(&self, input: &[u8]) -> io::Result<Vec<u8>> {
        let mut output = Vec::new();
        ubgi::converse(input, &mut output, &self.thinker)?;
        Ok(output)
    }

    /// What `luckless external` writes to a connection.
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

    /// The answer of `luckless rollout --batch` to a line that it refuses; none if it would be rolled out.
    pub fn refused_job(&self, line: &str) -> Option<String> {
        batch::refuse(&self.options, &self.files, line)
    }

    /// Why a file of answers is refused that `luckless rollout --batch --out` is to go on with.
    pub fn refused_answers(&self, mut bytes: &[u8]) -> Option<String> {
        let read = batch_answers::read(&mut bytes, usize::MAX);
        Some(message_of(&read.err()?))
    }
}
