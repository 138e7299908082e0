//! Summarises the record of `luckless-lab coverage`.

use std::collections::BTreeMap;

use crate::rollout::LuckKind;

/// Kinds of variance reduction as the documents name them.
const KINDS: [&str; 3] = ["none", "luck net", "lookahead"];

/// Returns the index in [`KINDS`] of a record's name.
fn kind(word: &str) -> Option<usize> {
    let luck = match word {
        // Name used in records of 22 November 2026.
        "cheap" => LuckKind::Net,
        "look=0" => LuckKind::Lookahead(Some(0)),
        _ => word.parse().ok()?,
    };
    match luck {
        LuckKind::None => Some(0),
        LuckKind::Net => Some(1),
        LuckKind::Lookahead(_) => Some(2),
        LuckKind::Auto => None,
    }
}

/// Shares for one kind of luck, in percent.
#[derive(Default)]
struct Shares {
    fixed: Vec<f64>,
    anytime: Vec<f64>,
}

/// Returns a row for each kind of luck: name, number of intervals, lowest and mean coverage of the fixed-sample
/// intervals, lowest of the anytime-valid ones. Returns `None` if nothing can be parsed.
pub fn summary(record: &str) -> Option<Vec<Vec<String>>> {
    let mut kinds: BTreeMap<usize, Shares> = BTreeMap::new();
    for line in record.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let percent = |word: &&str| word.strip_suffix('%')?.parse::<f64>().ok();
        let Some(first) = words.iter().position(|word| percent(word).is_some()) else {
            continue;
        };
        let named = |word: &&str| kind(word.trim_end_matches(','));
        let Some(kind) = words[..first].iter().rev().find_map(named) else {
            continue;
        };
        let shares: Vec<f64> = words[first..].iter().map_while(percent).collect();
        // Rollouts of one position have a column for the watched interval in between.
        let (fixed, anytime) = match &*shares {
            [fixed, anytime] => (*fixed, *anytime),
            [fixed, _, anytime, ..] => (*fixed, *anytime),
            _ => continue,
        };
        let kind = kinds.entry(kind).or_default();
        kind.fixed.push(fixed);
        kind.anytime.push(anytime);
    }
    let lowest = |all: &[f64]| all.iter().copied().fold(f64::INFINITY, f64::min);
    let row = |(kind, shares): (usize, Shares)| {
        let count = shares.fixed.len();
        let mean = shares.fixed.iter().sum::<f64>() / count as f64;
        vec![
            KINDS[kind].to_owned(),
            count.to_string(),
            format!("{:.1}%, {mean:.1}%", lowest(&shares.fixed)),
            format!("{:.1}%", lowest(&shares.anytime)),
        ]
    };
    (!kinds.is_empty()).then(|| kinds.into_iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_found_in_all_tables() {
        let record = "\
            position dice luck fixed watched anytime\n\
            bearoff random none 95.4% 83.7% 99.1% 99.9% 100.0% 0.0486\n\
            bearoff rotation look=0, bound 1.5 93.8% 82.6% 99.5% – – 0.0329\n\
            close rank none 96.2% 100.0% 1.21 0.98\n";
        let rows = summary(record).expect("rows");
        assert_eq!(rows[0], ["none", "2", "95.4%, 95.8%", "99.1%"]);
        assert_eq!(rows[1], ["lookahead", "1", "93.8%, 93.8%", "99.5%"]);
        assert_eq!(summary("nothing"), None);
        // The program's current names.
        for (luck, name) in [
            (LuckKind::None, "none"),
            (LuckKind::Net, "luck net"),
            (LuckKind::Lookahead(Some(0)), "lookahead"),
        ] {
            let rows = summary(&format!("bearoff random {luck}, bound 1.5 95.4% 99.1%\n"));
            assert_eq!(rows.expect("rows")[0][0], name);
        }
    }
}
