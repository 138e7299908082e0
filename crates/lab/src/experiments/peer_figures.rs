//! Figures of comparisons with other programs, read from a file of the repository.

const FIGURES: &str = include_str!("peer_figures.tsv");

/// A figure with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeerFigure {
    /// Key by which documents refer to it.
    pub key: String,
    pub name: String,
    /// The figure with its unit.
    pub figure: String,
    /// Date of the measurement.
    pub day: String,
    /// Method of the measurement.
    pub how: String,
}

/// All figures, in the order of the file.
pub fn all() -> Vec<PeerFigure> {
    let lines = FIGURES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(parse).collect()
}

pub fn find(key: &str) -> Option<PeerFigure> {
    all().into_iter().find(|figure| figure.key == key)
}

fn parse(line: &str) -> Option<PeerFigure> {
    let mut columns = line.split('\t').map(str::to_owned);
    Some(PeerFigure {
        key: columns.next()?,
        name: columns.next()?,
        figure: columns.next()?,
        day: columns.next()?,
        how: columns.next()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_figure() {
        let lines = FIGURES.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), all().len());
        assert!(find("strength-gnubg").is_some() && find("x").is_none());
    }
}
