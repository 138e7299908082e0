//! Reads match equity tables from files: GNU Backgammon's XML, and CSV.
//!
//! *XML*: `met/pre-crawford-table/row/me`, and `met/post-crawford-table` for `player="both"`. Tables given by
//! parameters instead of numbers (`type="zadeh"`, `"mec"`), or with different numbers for the two players,
//! are refused.
//!
//! *CSV*: lines `phase,away_row,away_col,mwc_row` with phase `pre` or `post`; in `post` lines `away_col` is
//! 1. Empty lines, lines that begin with `#`, and a heading are skipped.

use std::collections::BTreeMap;

use crate::cube::equity_table::{EquityTable, MOST_AWAY, TableError};
use crate::sanitize::{self, without_mark};

/// Maximum number of elements of an XML document: a table of 64 points has 4,300.
const NODES: u32 = 60_000;

/// Reads a table from the bytes of a file in either format; `name` is the default name.
///
/// # Errors
/// [`TableError`], with the line if known.
pub fn table(name: &str, bytes: &[u8]) -> Result<EquityTable, TableError> {
    let text = String::from_utf8_lossy(bytes);
    let text = without_mark(&text);
    if text.trim_start().starts_with('<') {
        xml(name, text)
    } else {
        csv(name, text)
    }
}

/// Reads a table from CSV text.
///
/// # Errors
/// [`TableError`].
pub fn csv(name: &str, text: &str) -> Result<EquityTable, TableError> {
    let mut cells: BTreeMap<(usize, usize), f32> = BTreeMap::new();
    let mut post: BTreeMap<usize, f32> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') || line.starts_with("phase") {
            continue;
        }
        let wrong = |message: &str| TableError::Line {
            line: number,
            message: message.to_owned(),
        };
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [phase, a, b, chance] = fields[..] else {
            return Err(wrong("expected phase,away_row,away_col,mwc_row"));
        };
        let away = |text: &str| {
            let n = text.parse().ok().filter(|n| (1..=MOST_AWAY).contains(n));
            n.ok_or_else(|| wrong("expected points to go from 1 to 64"))
        };
        let (a, b) = (away(a)?, away(b)?);
        let chance = chance.parse().map_err(|_| wrong("expected a chance"))?;
        let is_new = match phase {
            "pre" => cells.insert((a, b), chance).is_none(),
            "post" if b == 1 => post.insert(a, chance).is_none(),
            _ => return Err(wrong("expected the phase pre, or post with away_col 1")),
        };
        if !is_new {
            return Err(wrong("a score is given twice"));
        }
    }
    let n = cells.keys().map(|&(a, b)| a.max(b)).max().unwrap_or(0);
    // Missing entries stay NaN, which is not a chance.
    let mut pre = vec![vec![f32::NAN; n]; n];
    for ((a, b), chance) in cells {
        pre[a - 1][b - 1] = chance;
    }
    let mut row = vec![f32::NAN; post.last_key_value().map_or(0, |(&a, _)| a)];
    for (a, chance) in post {
        row[a - 1] = chance;
    }
    EquityTable::new(&clean(name), &pre, &row)
}

fn xml(name: &str, text: &str) -> Result<EquityTable, TableError> {
    let options = roxmltree::ParsingOptions {
        allow_dtd: true,
        nodes_limit: NODES,
        entity_resolver: None,
    };
    let document = roxmltree::Document::parse_with_options(text, options)
        .map_err(|e| TableError::Xml(clean(&e.to_string())))?;
    let find = |tag: &str| {
        document
            .descendants()
            .find(|n| n.has_tag_name(tag))
            .ok_or_else(|| TableError::Xml(format!("there is no <{tag}>")))
    };
    let named = find("name").ok().and_then(|n| n.text()).unwrap_or(name);
    let pre = rows(find("pre-crawford-table")?)?;
    let row = find("post-crawford-table")?;
    if row.attribute("player").is_some_and(|p| p != "both") {
        let message = "it is for unequal players".to_owned();
        return Err(TableError::Xml(message));
    }
    let post = rows(row)?.into_iter().next().unwrap_or_default();
    EquityTable::new(&clean(named), &pre, &post)
}

fn rows(table: roxmltree::Node<'_, '_>) -> Result<Vec<Vec<f32>>, TableError> {
    let kind = table.attribute("type").unwrap_or("explicit");
    if kind != "explicit" {
        let message = format!(
            "it is given by parameters ({}), not by numbers",
            clean(kind)
        );
        return Err(TableError::Xml(message));
    }
    let chance = |node: roxmltree::Node<'_, '_>| {
        let text = node.text().unwrap_or("").trim();
        text.parse().map_err(|_| TableError::Line {
            line: node.document().text_pos_at(node.range().start).row as usize,
            message: format!("expected a chance, found '{}'", clean(text)),
        })
    };
    let cells = |row: roxmltree::Node<'_, '_>| {
        let cells = row.children().filter(|n| n.has_tag_name("me"));
        cells.map(chance).collect()
    };
    let rows = table.children().filter(|n| n.has_tag_name("row"));
    rows.map(cells).collect()
}

/// Returns at most 80 characters without control characters.
fn clean(text: &str) -> String {
    sanitize::clean_at_most(text, 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &str = r#"<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//Some//DTD//EN" "met.dtd">
<met><info><name>Small &amp; neat</name><length>2</length></info>
<pre-crawford-table type="explicit">
  <row><me> 0.5 </me><me>0.7</me></row>
  <row><me>0.3</me><me>0.5</me></row>
</pre-crawford-table>
<post-crawford-table player="both" type="explicit"><row><me>0.5</me><me>0.48</me></row>
</post-crawford-table></met>"#;

    #[test]
    fn xml_and_csv_say_the_same() {
        let one = table("file", XML.as_bytes()).unwrap();
        let text = "\u{feff}phase,away_row,away_col,mwc_row\r\n# mine\r\npre,1,1,0.5\r\npre,1,2,0.7\r\n\
                    pre,2,1,0.3\r\npre,2,2,0.5\r\npost,1,1,0.5\r\npost,2,1,0.48\r\n";
        let two = table("Small & neat", text.as_bytes()).unwrap();
        assert_eq!(one, two);
        assert_eq!(one.chance(2, 1, true), 0.48);
        assert_eq!(one.given(), 2);
    }

    #[test]
    fn malformed_tables_are_refused() {
        let refused = |text: &str| table("x", text.as_bytes()).unwrap_err().to_string();
        let mec = XML.replacen("explicit", "mec", 1);
        assert!(refused(&mec).contains("parameters"));
        let unequal = XML.replace("both", "0");
        assert!(refused(&unequal).contains("unequal"));
        let word = XML.replace("0.48", "many");
        assert!(refused(&word).contains("line 8"), "{}", refused(&word));
        assert!(refused("<met>").contains("not a match equity table"));
        assert!(refused("pre,1,1").contains("line 1"));
        assert!(refused("pre,1,99,0.5").contains("64"));
        assert!(refused("").contains("rows"));
        // A missing entry, and entities with unlimited expansion.
        assert!(refused("pre,1,1,0.5\npre,2,2,0.5").contains("not given"));
        let laughs = r#"<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]><met>&d;</met>"#;
        assert!(table("x", laughs.as_bytes()).is_err());
    }
}
