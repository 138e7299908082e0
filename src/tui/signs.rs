//! What the signs on the screen mean: the legend of the help, and of the manual.

/// Signs, and what each says.
pub const SIGNS: &[(&str, &str)] = &[
    ("★", "the best play, by the deepest figures there are"),
    (
        "▸",
        "the play that was made; before a pane's name: the keyboard is there; on the board: on roll",
    ),
    ("+", "marked for the next rollout or comparison (Space)"),
    (
        "≈",
        "not told apart from the best: the any-time intervals overlap, or the comparison is open",
    ),
    ("✗", "in a family: surely not the best, gets no more trials"),
    (
        "~",
        "a difference between figures of different depths: a hint, no ranking",
    ),
    (
        "R 2 1 0",
        "where figures come from: a rollout, or so many plies ahead; … has too few trials yet",
    ),
    ("diff", "points less than the best play"),
    (
        "±95",
        "half of the 95% interval for a number of trials fixed in advance",
    ),
    ("├─●─┤", "that interval on the axis that all plays share"),
    (
        "╌",
        "around it: the interval that holds at all times at once; across a list: another depth begins",
    ),
    ("·", "a turn that lost nothing worth naming"),
    ("?!", "doubtful (from .020; the lines are in the settings)"),
    ("?", "an error (from .040)"),
    ("??", "a blunder (from .080)"),
    ("!", "a decision that could not be analysed (W says why)"),
    (
        "▫",
        "a cube action; behind the dice: a double was missed before them",
    ),
    ("¶", "a note of your own (a)"),
    ("▲", "in the line of marks: the turn in view"),
    ("…", "cut, or still to come: the review goes on"),
    ("● ○", "the left and the right player; their checkers"),
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
    let mut out = String::from("| sign | meaning |\n|---|---|\n");
    for (sign, about) in SIGNS {
        out.push_str(&format!("| `{sign}` | {about} |\n"));
    }
    out
}
