//! Edit distance for spelling suggestions.

/// Returns the edit distance of two words.
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(32).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}
