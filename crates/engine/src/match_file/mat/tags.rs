//! Reads the rules from the tags of match text.

use super::Reader;
use crate::game::Rules;
use crate::match_file::text::quote;
use crate::match_file::variant::Variant;

impl Reader {
    pub(super) fn tag(&self, key: &str) -> Option<&str> {
        self.record.tag(&[key])
    }

    pub(super) fn apply_tags(&mut self) {
        // eXtreme Gammon's default for money play is the Jacoby rule; the default of other programs is no
        // Jacoby rule.
        let site = self.tag("Site").unwrap_or("").to_lowercase();
        let rules = Rules {
            jacoby: self.switch("Jacoby", site.contains("extreme gammon")),
            beavers: self.switch("Beaver", false),
            ..Rules::default()
        };
        let crawford = self.switch("Crawford", true);
        let variation = self.tag("Variation").unwrap_or_default().to_owned();
        self.variant = Variant::of(&variation);
        if self.record.length == 0 {
            self.record.rules = rules;
        }
        self.record.crawford = crawford && self.record.length > 0;
        if self.variant != Variant::Backgammon {
            self.warn(1, 1, self.variant.complaint(&variation));
        }
    }

    /// Returns whether a tag switches a rule on; `usual` without the tag or with an unknown value.
    fn switch(&mut self, key: &str, usual: bool) -> bool {
        let value = self
            .tag(key)
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        match &*value {
            "on" | "yes" | "true" | "1" => true,
            "off" | "no" | "false" | "0" => false,
            "" => usual,
            _ => {
                let (value, rule) = (quote(&value), if usual { "on" } else { "off" });
                let message = format!("'{value}' is no value of the tag {key}: the rule is {rule}");
                self.warn(1, 1, message);
                usual
            }
        }
    }
}
