//! `luckless library me` and `same`: which names are the user's, and which are one player's.

use anyhow::Result;

use super::place::Library;
use crate::cli::output;
use crate::library::People;

const ME_EXAMPLES: &str = "\
Examples:
  luckless library me Anna \"A. Kovács\"
  luckless library me                     who that is now
  luckless library me --not Anna

How a name is written does not matter: case and accents are left out.";

/// Say which names are your own
#[derive(Debug, clap::Args)]
#[command(after_help = ME_EXAMPLES)]
pub(super) struct MeArgs {
    /// Your names, as match files write them
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// These names are not yours
    #[arg(long, requires = "names")]
    not: bool,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    library: Library,
}

impl MeArgs {
    pub(super) fn run(self) -> Result<()> {
        let people = match self.names.is_empty() {
            true => match self.library.open_to_read()? {
                Some(store) => store.people()?,
                None => People::default(),
            },
            false => {
                let change = |people: &mut People| {
                    self.names
                        .iter()
                        .for_each(|name| people.set_me(name, !self.not));
                };
                self.library.open()?.change_people(change)?
            }
        };
        show(&people, self.json)
    }
}

const SAME_EXAMPLES: &str = "\
Examples:
  luckless library same \"Anna Kovács\" annak      two names of one player
  luckless library same annak --apart           a player of its own again

Names that differ in case and accents alone are one player already.";

/// Say which names belong to one player
#[derive(Debug, clap::Args)]
#[command(after_help = SAME_EXAMPLES)]
pub(super) struct SameArgs {
    /// The player, then the other names
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,
    /// Each of these names is a player of its own
    #[arg(long)]
    apart: bool,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    library: Library,
}

impl SameArgs {
    pub(super) fn run(self) -> Result<()> {
        let change = |people: &mut People| match (&self.names[..], self.apart) {
            (names, true) => names.iter().for_each(|name| people.set_alone(name)),
            ([player, others @ ..], false) => {
                others.iter().for_each(|name| people.set_same(name, player));
            }
            ([], false) => {}
        };
        let people = self.library.open()?.change_people(change)?;
        show(&people, self.json)
    }
}

fn show(people: &People, json: bool) -> Result<()> {
    let mine: Vec<&str> = people.mine().collect();
    let aliases: Vec<(&str, &str)> = people.aliases().collect();
    if json {
        let rows: Vec<_> = aliases
            .iter()
            .map(|(name, player)| serde_json::json!({"name": name, "player": player}))
            .collect();
        return output::json(&serde_json::json!({"me": mine, "aliases": rows}));
    }
    let mut text = match mine.is_empty() {
        true => "nobody is you yet\n".to_owned(),
        false => format!("you are: {}\n", mine.join(", ")),
    };
    for (name, player) in aliases {
        text += &format!("{name} is {player}\n");
    }
    output::text(&text)
}
