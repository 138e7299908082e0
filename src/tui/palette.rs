//! The palette: commands found by name, by key, or by another word that somebody may look for.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::actions::{ActionEntry, ActionId, KeyScope};
use super::keymap::KeyMap;
use super::keys::pretty;
use super::overlay::help_rows;

/// How good a hit is: a key that is meant by itself before any name, a name before other words, and
/// those before a word of the description.
const BY_KEY: u32 = u32::MAX;
const NAME: u32 = 4;
const BY_WORD: u32 = 2;
const BY_ABOUT: u32 = 1;

/// The commands of a screen that match what is typed, best first; all of them for an empty line.
#[must_use]
pub fn palette_rows(keymap: &KeyMap, screen: KeyScope, typed: &str) -> Vec<&'static ActionEntry> {
    let all = help_rows(screen);
    if typed.trim().is_empty() {
        return all;
    }
    let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut buffer = Vec::new();
    let mut by_name = |action: &ActionEntry| {
        let name = Utf32Str::new(action.name, &mut buffer);
        pattern.score(name, &mut matcher)
    };
    let mut found: Vec<(u32, &'static ActionEntry)> = all
        .into_iter()
        .filter_map(|action| Some((score(keymap, action, typed.trim(), &mut by_name)?, action)))
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.into_iter().map(|(_, a)| a).collect()
}

fn score(
    keymap: &KeyMap,
    action: &ActionEntry,
    typed: &str,
    by_name: &mut dyn FnMut(&ActionEntry) -> Option<u32>,
) -> Option<u32> {
    if keymap
        .of(action)
        .into_iter()
        .any(|key| pretty(key) == typed)
    {
        return Some(BY_KEY);
    }
    if let Some(score) = by_name(action) {
        return Some((NAME * score).max(BY_WORD + 1));
    }
    let wanted = typed.to_lowercase();
    let known = format!("{} {}", words(action.id), action.name).to_lowercase();
    let begins = |start: &str| known.split_whitespace().any(|word| word.starts_with(start));
    if wanted.split_whitespace().all(begins) {
        return Some(BY_WORD);
    }
    let about = action.about.to_lowercase().contains(&wanted);
    about.then_some(BY_ABOUT)
}

/// What else a command may be called by those who do not know its name.
fn words(id: ActionId) -> &'static str {
    match id {
        ActionId::NextTurn | ActionId::NextGame => "forward move",
        ActionId::PreviousTurn | ActionId::PreviousGame => "backward move",
        ActionId::NextError | ActionId::PreviousError => "blunder mistake find search",
        ActionId::Errors => "blunders mistakes list totals summary statistics rating pr luck graph",
        ActionId::Down | ActionId::Up | ActionId::First | ActionId::Last => {
            "play candidate select scroll row"
        }
        ActionId::RollOut => "rollout simulate trials dice",
        ActionId::Compare => "pair family difference versus coupling matched ranks koca pilot",
        ActionId::Why => "explain reason better map dice replies split gammons",
        ActionId::Matrix => "matrix score dmp gammon-go gammon-save money away cube",
        ActionId::BiasCheck => "trust deeper quality systematic play strength ply",
        ActionId::Mark => "select choose",
        ActionId::Pause => "resume continue hold rollout",
        ActionId::RollMatch => "rollout whole all counter budget time background",
        ActionId::Stop => "cancel abort end rollout",
        ActionId::Before => "cube double doubling missed",
        ActionId::Settings => "options preferences defaults configuration theme mouse marks",
        ActionId::RolloutSettings => "options preferences cubeless truncate variance",
        ActionId::Freeze => "hold still",
        ActionId::Look => "show board preview",
        ActionId::Deeper | ActionId::Shallower => "ply plies depth analyse analyze lookahead",
        ActionId::Columns => "chances probabilities gammons wins percent",
        ActionId::Order => "sort sorted view depth ply equity",
        ActionId::Imported => "xg gnubg extreme gammon candidates level imported other",
        ActionId::Units => "equity emg mwc percent chance points",
        ActionId::Hide => "quiz solution spoiler show",
        ActionId::Threshold => "filter size blunder mistake",
        ActionId::Whose => "filter player side",
        ActionId::Class => "filter cube doubles takes checker",
        ActionId::Note => "comment annotate write edit",
        ActionId::Flip => "rotate swap sides reverse",
        ActionId::Mirror => "direction swap left right",
        ActionId::Pips => "race count",
        ActionId::BothPlays => "arrows lines trace best made compare board",
        ActionId::Zoom => "full screen maximize enlarge single pane",
        ActionId::Larger | ActionId::Smaller => "resize size width divider board moves",
        ActionId::FocusNext | ActionId::FocusPrevious => "focus switch moves candidates",
        ActionId::CopyXgid | ActionId::CopyGnubg => "export clipboard yank position",
        ActionId::CopyXgText => "export clipboard yank text share xg gnubg board forum anki",
        ActionId::CopyTable => "export clipboard yank text candidates",
        ActionId::Dice => "roll set",
        ActionId::Vary => "variation branch try tree explore play",
        ActionId::RollDice => "shake roll variation",
        ActionId::NextRoll | ActionId::PreviousRoll => "dice variation 21",
        ActionId::Double => "cube redouble variation",
        ActionId::Take | ActionId::Pass => "cube accept drop reject variation",
        ActionId::Beaver => "cube redouble variation",
        ActionId::Program => "computer bot best move variation",
        ActionId::Opponent => "computer bot answer opponent variation",
        ActionId::Picture => "save write share image diagram board svg png",
        ActionId::Export => "save write sgf variations file",
        ActionId::NextBranch | ActionId::PreviousBranch => "sibling variation tree other",
        ActionId::RemoveBranch => "delete variation prune",
        ActionId::RestoreBranch => "undo variation",
        ActionId::Open => "load import folder",
        ActionId::OpenNew => "load watch",
        ActionId::NextFile | ActionId::PreviousFile => "document switch back",
        ActionId::NextTheme => "colour color dark light",
        ActionId::SaveSettings => "store keep configuration preferences",
        ActionId::Warnings => "problems file mistakes",
        ActionId::Palette => "commands",
        ActionId::Help => "keys shortcuts manual",
        ActionId::Figures => "explain what help meaning columns equity interval",
        ActionId::Signs => "legend symbols marks help",
        ActionId::Back => "escape undo",
        ActionId::Quit | ActionId::QuitNow => "exit leave close",
        ActionId::Redraw => "refresh repaint",
        ActionId::Suspend => "background shell",
        ActionId::Edit => "editor setup set change checkers",
        ActionId::EmptyBoard => "editor setup empty blank board",
        ActionId::Count | ActionId::AddChecker => "place put checkers number",
        ActionId::TakeChecker => "remove delete checker",
        ActionId::Colour => "color side black white hand",
        ActionId::OnRoll => "turn whose player",
        ActionId::CubeValue | ActionId::CubeOwner => "double doubling value owns",
        ActionId::Offer => "take pass answer",
        ActionId::Score => "match length points money away",
        ActionId::Crawford | ActionId::Jacoby | ActionId::Beavers => "rule",
        ActionId::Undo => "back revert",
        ActionId::Redo => "again forward",
        ActionId::Clear => "empty remove all checkers",
        ActionId::Opening => "start initial checkers",
        ActionId::SwapSides => "exchange colours reverse",
        ActionId::Accept => "done ready finish enter",
        ActionId::Close => "quit back cancel",
        ActionId::Less | ActionId::More => "cursor point bar",
        // These listen in windows, where there is no palette.
        ActionId::PageDown | ActionId::PageUp | ActionId::Complete => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(typed: &str) -> Vec<&'static ActionEntry> {
        palette_rows(&KeyMap::default(), KeyScope::Match, typed)
    }

    fn has(typed: &str, name: &str) -> bool {
        rows(typed).iter().any(|a| a.name == name)
    }

    #[test]
    fn commands_are_found_by_name_and_by_description() {
        assert_eq!(rows("").len(), help_rows(KeyScope::Match).len());
        assert_eq!(rows("flip")[0].name, "flip");
        assert_eq!(rows("next err")[0].name, "next error");
        assert!(has("matched ranks", "compare"));
        assert!(rows("zzzzqqq").is_empty());
    }

    #[test]
    fn every_command_is_found_by_its_keys_and_by_other_words() {
        for action in help_rows(KeyScope::Match) {
            for key in action.keys {
                assert_eq!(rows(&pretty(key))[0].name, action.name, "{key}");
            }
            assert_eq!(rows(action.name)[0].name, action.name);
            let others = words(action.id);
            assert!(!others.is_empty(), "{}", action.name);
            for word in others.split(' ') {
                assert!(has(word, action.name), "{word}: {}", action.name);
            }
        }
        for (typed, name) in [
            ("counter", "roll out the match"),
            ("rollout match", "roll out the match"),
            ("B", "roll out the match"),
            ("resume", "pause"),
            ("exit", "quit"),
            ("comment", "note"),
            ("export", "copy XGID"),
            ("missed double", "before the roll"),
            ("mwc", "units"),
        ] {
            assert_eq!(rows(typed)[0].name, name, "{typed}");
        }
    }
}
