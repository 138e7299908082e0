//! The legend: what the symbols on the screen mean, for the help and the manual.

/// Symbols, and what each means.
pub const SIGNS: &[(&str, &str)] = &[
    ("★", "the best play, by the deepest analysis there is"),
    (
        "▸",
        "the play that was made; before a pane's name: the pane has the focus; on the board: on roll",
    ),
    ("+", "marked for the next rollout or comparison (Space)"),
    (
        "≈",
        "not separated from the best: the anytime intervals overlap, or the comparison is open",
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
    ("diff", "points less than the best play"),
    (
        "±95",
        "half of the fixed-sample 95% interval, for a number of trials fixed in advance",
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
    ("!", "a decision that could not be analysed (W says why)"),
    (
        "▫",
        "a cube action; behind the dice: a double was missed before them",
    ),
    ("¶", "a note of your own (a)"),
    ("▲", "in the row of marks: the turn in view"),
    ("…", "cut short, or not analysed yet"),
    (
        "● ○",
        "the player named first (at the bottom) and the opponent; their checkers",
    ),
    ("◦", "a checker has left with the selected play"),
    (
        "◆",
        "a checker has come with it (on small boards it is underlined)",
    ),
    (
        "W L",
        "chance to win, gammons and backgammons in it; the same of losses (per cent)",
    ),
    (
        "EMG",
        "equity normalised to the present cube; MWC: chance to win the match (u changes it)",
    ),
];

/// The legend, as Markdown.
#[must_use]
pub fn manual() -> String {
    let mut out = String::from("| symbol | meaning |\n|---|---|\n");
    for (sign, about) in SIGNS {
        out.push_str(&format!("| `{sign}` | {about} |\n"));
    }
    out
}
