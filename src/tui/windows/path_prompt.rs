//! The line in which a path or an ID is typed, with the names that complete it.

use tui_input::Input;

/// A path or an ID that is being typed. The names that complete it come from a worker, as a disk may be slow.
#[derive(Clone, Debug)]
pub struct PathPrompt {
    /// What is typed.
    pub input: Input,
    /// Selected row of the names, if one is.
    pub row: Option<usize>,
    found: Vec<String>,
    /// Whether `found` are the names of what is typed now.
    is_listed: bool,
    /// Whether the line is to be completed as soon as its names are there.
    is_completing: bool,
}

impl PathPrompt {
    /// A line with what was typed before; its names are still to come.
    pub fn new(typed: String) -> Self {
        Self {
            input: typed.into(),
            row: None,
            found: Vec::new(),
            is_listed: false,
            is_completing: false,
        }
    }

    /// The names that complete what is typed, as far as they are known.
    pub fn found(&self) -> &[String] {
        &self.found
    }

    /// The name that is selected.
    pub fn chosen(&self) -> Option<&str> {
        self.found.get(self.row?).map(String::as_str)
    }

    /// Another text is in the line. Until its names come, those stay that complete it too.
    pub fn changed(&mut self) {
        let typed = self.input.value();
        self.found.retain(|name| name.starts_with(typed));
        (self.row, self.is_listed, self.is_completing) = (None, false, false);
    }

    /// Takes in the names that complete `typed`, if that is what the line still has. Answers whether it was
    /// completed with them, and so needs other names.
    pub fn take_in(&mut self, typed: &str, found: Vec<String>) -> bool {
        if typed != self.input.value() {
            return false;
        }
        let chosen = self.chosen().map(str::to_owned);
        self.row = chosen.and_then(|chosen| found.iter().position(|name| *name == chosen));
        (self.found, self.is_listed) = (found, true);
        std::mem::take(&mut self.is_completing) && self.complete()
    }

    /// Completes the line: by the name that is selected, or as far as all names are the same; once they are there.
    /// Answers whether it changed.
    pub fn complete(&mut self) -> bool {
        let chosen = self.chosen().map(str::to_owned);
        if chosen.is_none() && !self.is_listed {
            self.is_completing = true;
            return false;
        }
        let text = chosen.or_else(|| common_start(&self.found));
        let Some(text) = text.filter(|text| text.len() > self.input.value().len()) else {
            return false;
        };
        self.input = text.into();
        self.changed();
        true
    }
}

/// What all begin with.
fn common_start(all: &[String]) -> Option<String> {
    let (first, others) = all.split_first()?;
    let shared = |other: &String| {
        let same = first.chars().zip(other.chars()).take_while(|(a, b)| a == b);
        same.map(|(a, _)| a.len_utf8()).sum::<usize>()
    };
    let end = others.iter().map(shared).min().unwrap_or(first.len());
    Some(first[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(all: &[&str]) -> Vec<String> {
        all.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn the_line_is_completed_as_far_as_all_names_agree() {
        let mut prompt = PathPrompt::new("m/a".to_owned());
        assert!(!prompt.take_in("m/a", names(&["m/annä.mat", "m/annö.mat"])));
        assert!(prompt.complete());
        assert_eq!(prompt.input.value(), "m/ann");
        assert_eq!(prompt.found().len(), 2);
        prompt.row = Some(1);
        assert!(prompt.complete());
        assert_eq!(prompt.input.value(), "m/annö.mat");
        assert_eq!((prompt.found().len(), prompt.row), (1, None));
    }

    /// Names that come late complete the line for which the key was pressed, and no other one.
    #[test]
    fn a_key_waits_for_the_names() {
        let mut prompt = PathPrompt::new("a".to_owned());
        assert!(!prompt.complete());
        assert!(prompt.take_in("a", names(&["anna.mat"])));
        assert_eq!(prompt.input.value(), "anna.mat");
        let mut prompt = PathPrompt::new("a".to_owned());
        assert!(!prompt.complete());
        prompt.input = "ab".into();
        prompt.changed();
        assert!(!prompt.take_in("a", names(&["anna.mat"])));
        assert!(!prompt.take_in("ab", names(&["abba.mat"])));
        assert_eq!(prompt.input.value(), "ab");
        assert_eq!(prompt.found(), ["abba.mat"]);
    }

    #[test]
    fn a_selected_name_stays_selected() {
        let mut prompt = PathPrompt::new(String::new());
        prompt.take_in("", names(&["a", "ba", "bb"]));
        prompt.input = "b".into();
        prompt.changed();
        assert_eq!(prompt.found(), ["ba", "bb"]);
        prompt.row = Some(1);
        prompt.take_in("b", names(&["ab", "ba", "baa", "bb"]));
        assert_eq!(prompt.chosen(), Some("bb"));
    }
}
