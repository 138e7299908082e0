//! `luckless library me` and `same`: assigns names to the user and to players.

use std::collections::BTreeMap;

use anyhow::Result;

use super::place::Library;
use crate::cli::common::options::player_name;
use crate::cli::common::output;
use crate::cli::common::usage::{misuse, say};
use crate::library::People;
use crate::library::names::fold;
use crate::sanitize;
use crate::store::library::LibraryMatch;

/// Maximum number of listed matches of a player against themselves, and of suggested names.
const MOST_TOLD: usize = 3;

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
    #[arg(value_name = "NAME", value_parser = player_name)]
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
        if self.names.is_empty() {
            return match self.library.open_to_read()? {
                Some(store) => {
                    let matches = store.matches(&mut |why| say(&why))?;
                    show(&store.people()?, &written(&matches), self.json)
                }
                None => show(&People::default(), &Written::new(), self.json),
            };
        }
        let change = |people: &mut People| {
            self.names
                .iter()
                .for_each(|name| people.set_me(name, !self.not));
        };
        let undo = (!self.not).then_some("library me --not");
        changed(&self.library, &self.names, undo, change, self.json)
    }
}

const SAME_EXAMPLES: &str = "\
Examples:
  luckless library same \"Anna Kovács\" annak      two names of one player
  luckless library same annak --apart           a player of its own again

Names that differ in case and accents alone are one player already. A player who is set apart leaves the other \
names to the first of them.";

/// Say which names belong to one player
#[derive(Debug, clap::Args)]
#[command(after_help = SAME_EXAMPLES)]
pub(super) struct SameArgs {
    /// The player, then the other names
    #[arg(value_name = "NAME", required = true, value_parser = player_name)]
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
        if let ([only], false) = (&self.names[..], self.apart) {
            return Err(misuse(format!(
                "only one name: `library same '{only}' NAME` says that NAME is the same player"
            )));
        }
        let change = |people: &mut People| match (&self.names[..], self.apart) {
            (names, true) => set_apart(people, names),
            ([player, others @ ..], false) => {
                others.iter().for_each(|name| people.set_same(name, player));
            }
            ([], false) => {}
        };
        let undo = (!self.apart).then_some("library same --apart");
        changed(&self.library, &self.names, undo, change, self.json)
    }
}

/// Makes each of these names a player of its own. Aliases are separated first, so that no match stays with another of
/// the names.
fn set_apart(people: &mut People, names: &[String]) {
    let stands_alone = |name: &&String| people.player(name) == fold(name);
    let (players, aliases): (Vec<_>, Vec<_>) = names.iter().partition(stands_alone);
    for name in aliases.into_iter().chain(players) {
        people.set_alone(name);
    }
}

/// Changes the assignment and prints it; `undo` is the command that reverts it, if there is one.
fn changed(
    library: &Library,
    names: &[String],
    undo: Option<&str>,
    change: impl Fn(&mut People),
    json: bool,
) -> Result<()> {
    let mut store = library.open_there()?;
    let before = store.people()?;
    let people = store.change_people(change)?;
    let matches = store.matches(&mut |why| say(&why))?;
    let written = written(&matches);
    warn_of_unknown(names, undo, &before, &written);
    warn_of_joined_opponents(&people, &matches);
    show(&people, &written, json)
}

/// Spellings of names in matches, by folded name.
type Written = BTreeMap<String, String>;

fn written(matches: &[LibraryMatch]) -> Written {
    let names = matches.iter().flat_map(|one| &one.head.players);
    names.map(|name| (fold(name), name.clone())).collect()
}

/// Warns of matches of a player against themselves: their names were probably joined by mistake.
fn warn_of_joined_opponents(people: &People, matches: &[LibraryMatch]) {
    let is_one = |one: &&LibraryMatch| {
        let [left, right] = &one.head.players;
        fold(left) != fold(right) && people.player(left) == people.player(right)
    };
    for one in matches.iter().filter(is_one).take(MOST_TOLD) {
        let [left, right] = &one.head.players;
        // An alias can leave its player without taking other names along.
        let parted = match people.player(right) == fold(right) {
            true => left,
            false => right,
        };
        say(&format!(
            "'{left}' and '{right}' are one player now, but play each other in match {}; `library same '{parted}' \
             --apart` parts them",
            one.id
        ));
    }
}

/// Warns of names that no match has, which are mostly mistyped or incomplete; names of future matches are valid, too.
/// Uses the assignment `before`, because afterwards each name belongs to a player.
fn warn_of_unknown(names: &[String], undo: Option<&str>, before: &People, written: &Written) {
    let is_known = |name: &&String| {
        let player = before.player(name);
        written.keys().any(|known| before.player(known) == player)
    };
    for name in names.iter().filter(|name| !is_known(name)) {
        let mut words = format!("no match in the library has a player '{name}' yet");
        let part = fold(name);
        let like = written.iter().filter(|(known, _)| known.contains(&part));
        let like: Vec<&str> = like.map(|(_, name)| &**name).take(MOST_TOLD).collect();
        if !like.is_empty() {
            words += &format!("; like it: {}", like.join(", "));
        }
        if let Some(undo) = undo {
            words += &format!("; `{undo} '{name}'` takes it back");
        }
        say(&words);
    }
}

fn show(people: &People, written: &Written, json: bool) -> Result<()> {
    let as_written = |name: &str| written.get(name).map_or(name, String::as_str).to_owned();
    let mine: Vec<String> = people.mine().map(as_written).collect();
    let aliases = people.aliases();
    let aliases: Vec<[String; 2]> = aliases
        .map(|(name, player)| [name, player].map(as_written))
        .collect();
    if json {
        let rows: Vec<_> = aliases
            .iter()
            .map(|[name, player]| serde_json::json!({"name": name, "player": player}))
            .collect();
        return output::json(&serde_json::json!({"me": mine, "aliases": rows}));
    }
    let mut text = match mine.is_empty() {
        true => "nobody is you yet\n".to_owned(),
        false => format!("you are: {}\n", sanitize::clean(&mine.join(", "))),
    };
    for [name, player] in aliases {
        text += &sanitize::clean(&format!("{name} is {player}"));
        text += "\n";
    }
    output::text(&text)
}
