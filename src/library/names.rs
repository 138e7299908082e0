//! Names of players: the ways in which one name is written count as one.

use nucleo_matcher::chars::normalize;

/// A name as it is compared: without accents, case, and blanks around it or doubled inside.
///
/// ```
/// use luckless::library::names::fold;
/// assert_eq!(fold(" François  MÜLLER"), "francois muller");
/// ```
#[must_use]
pub fn fold(name: &str) -> String {
    let mut folded = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        // The table of accents knows small letters best. A letter and its accent may be two characters.
        let letters = word.chars().flat_map(char::to_lowercase);
        let letters = letters.filter(|c| !('\u{300}'..='\u{36f}').contains(c));
        folded.extend(letters.map(normalize));
    }
    folded
}
