//! The legend of symbols, for the help and the manual.

#[cfg(test)]
use crate::tui::keys::KeyMap;

/// Symbols with their meaning; actions in braces are replaced by their keys.
pub const SIGNS: &[(&str, &str)] = &[
    ("★", "the best play, by the deepest analysis there is"),
    (
        "▸",
        "the play that was made; before a pane's name: the pane has the focus; on the board: on roll; in the window of why: the roll that came next",
    ),
    ("+", "marked for the next rollout or comparison ({mark})"),
    (
        "≈",
        "too close to the best play to matter; … instead: still open, the rollout has not shown which of the two is better",
    ),
    (
        "✗",
        "when several plays are compared: not the best with the chosen confidence, gets no more trials",
    ),
    (
        "~",
        "a difference between analyses of different depths: a hint, no ranking",
    ),
    (
        "R 2 1 0",
        "depth: R is a rollout, a digit the plies looked ahead; … has too few trials yet",
    ),
    (
        "diff",
        "difference to the best play, in points (with {units}, in a match, in % MWC); where long plays leave no room for the equities, the best one's stands in the title of the list",
    ),
    (
        "±95",
        "half of the fixed-sample 95% interval, for a number of trials fixed in advance",
    ),
    (
        "pass",
        "in the place of ±95: every trial ended at once with a double that was passed; deeper play may see a take",
    ),
    (
        "=games",
        "ordinary games, with the luck left in, that would be as exact",
    ),
    (
        "P(best)",
        "the chance that the play is the best of those rolled out",
    ),
    (
        "±all",
        "of several plays: half of the anytime-valid interval; those of the best play's differences hold at once",
    ),
    (
        "without VR",
        "without variance reduction: the luck of the dice is left in",
    ),
    (
        "identical",
        "share of the games of a pair that came to the same position with the same dice to come",
    ),
    (
        "correlation",
        "of the results of a pair of games: 1 if their luck is the same, 0 if it has nothing in common",
    ),
    ("├─●─┤", "that interval on the axis that all plays share"),
    (
        "╌",
        "around it: the anytime-valid interval, which lets you stop whenever you like; across a list: another depth begins",
    ),
    ("·", "a turn without an error"),
    ("?!", "doubtful (from .020; the thresholds are settings)"),
    ("?", "an error (from .040)"),
    ("??", "a blunder (from .080)"),
    (
        "!",
        "a decision that could not be analysed ({warnings} says why)",
    ),
    (
        "¿",
        "a turn that a warning of the file is about ({warnings}): an illegal play, a missing roll",
    ),
    (
        "▫",
        "a cube action; after the dice: a double was missed before them",
    ),
    ("¶", "a note of your own ({note})"),
    ("╠", "a turn with variations ({what if})"),
    ("§", "a remark of the file"),
    ("▲", "in the row of marks: the turn in view"),
    (
        "…",
        "cut short, or not analysed yet; after the score of a match: it was not finished",
    ),
    (
        "● ○",
        "the player named first (at the bottom) and the opponent; their checkers",
    ),
    (
        "◦",
        "a checker has left with the selected play; with many colours a ring, on smaller boards a line",
    ),
    (
        "◆",
        "a checker has come with it; with many colours a coloured rim, on smaller boards its lower edge",
    ),
    (
        "W L",
        "chance to win, gammons and backgammons in it; the same of losses (per cent)",
    ),
    (
        "wg wb lg lb",
        "gammons and backgammons won, gammons and backgammons lost (per cent)",
    ),
    (
        "a b c",
        "the plays of a chart, by their letters in the table beside it",
    ),
    (
        "luck skill",
        "in the chart of the game: one player's less the other's, summed turn by turn, in points; a disc: an error of that player",
    ),
    (
        "ND D/T D/P",
        "no double, double and take, double and pass; TGT, TGP: too good to double; N/B, D/B: the other would beaver",
    ),
    ("T P B", "answers to a double: take, pass, beaver"),
    (
        "market lost",
        "of the next 36 rolls, and of the 1,296 with a reply: after how many a double would be passed; market losers: which of the 36, the best first",
    ),
    (
        "recube vig",
        "what owning the doubled cube is worth to the taker, in points",
    ),
    (
        "EPC",
        "effective pip count of a bearoff: mean rolls to bear off, times 8 1/6 pips; waste: EPC less pips",
    ),
    ("Cr", "the Crawford game"),
    (
        "EMG",
        "equity normalised to the present cube; MWC: chance to win the match ({units} changes it)",
    ),
];

/// The legend in Markdown, with the default keys.
#[cfg(test)]
pub fn manual() -> String {
    let keymap = KeyMap::default();
    let mut out = String::from("| symbol | meaning |\n|---|---|\n");
    for (sign, about) in SIGNS {
        let about = keymap.named(about);
        out.push_str(&format!("| `{sign}` | {about} |\n"));
    }
    out
}
