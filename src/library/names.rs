//! Folds players' names, so that different spellings of a name compare equal.

use nucleo_matcher::chars::normalize;
use unicode_normalization::UnicodeNormalization as _;

use crate::sanitize;

/// Folds a name for comparison: removes accents, case, invisible characters, and surplus blanks. Precomposed and
/// combining accents are treated alike.
pub fn fold(name: &str) -> String {
    let name = sanitize::clean(name);
    let mut folded = String::with_capacity(name.len());
    for word in name.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        // Via upper case, a final sigma becomes a sigma and a sharp s two letters.
        let letters = word.nfkd().flat_map(char::to_uppercase);
        let letters = letters.flat_map(char::to_lowercase).nfd();
        let bare = letters.filter(|c| !('\u{300}'..='\u{36f}').contains(c));
        // Letters without a decomposition, such as an o with a stroke, are in a table.
        folded.extend(bare.map(normalize).nfc());
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_case_and_blanks_are_folded() {
        assert_eq!(fold(" François  MÜLLER"), "francois muller");
        assert_eq!(fold("Γιώργος"), fold("ΓΙΩΡΓΟΣ"));
    }

    #[test]
    fn one_name_is_the_same_in_all_its_spellings() {
        for [a, b] in [
            ["Γιώργος", "ΓΙΏΡΓΟΣ"],
            ["Андрей", "АНДРЕЙ"],
            ["Андре\u{439}", "Андре\u{438}\u{306}"],
            [
                "김민수",
                "\u{1100}\u{1175}\u{11b7}\u{1106}\u{1175}\u{11ab}\u{1109}\u{116e}",
            ],
            ["Weiß", "WEISS"],
            ["İpek", "ipek"],
            ["Bjørn Łukasz", "bjorn lukasz"],
            ["Ａｎｎａ", "anna"],
            ["نیما\u{200c}جان", "نیماجان"],
            ["Ann\u{200b}a \u{2764}\u{fe0f}", "anna \u{2764}"],
        ] {
            assert_eq!(fold(a), fold(b));
            assert_eq!(fold(&fold(a)), fold(a));
        }
        assert_eq!(fold("한글"), "한글");
        assert_ne!(fold("कि"), fold("क"));
    }
}
