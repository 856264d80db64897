//! The sample of a rule: a small broken input that the rule finds something in, taken from its own test cases.

use std::io::Read as _;

use flate2::read::GzDecoder;

use crate::rule::{Rule, RuleScope};

/// All samples, as the build packs them.
const PACK: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/samples.gz"));
/// Stands before the code of each sample.
const BORDER: char = '\u{1e}';

/// Returns the sample of a rule; a rule that needs several files, an edit or an archive has none.
pub fn find_sample(rule: &Rule) -> Option<String> {
    let mut all = String::new();
    GzDecoder::new(PACK).read_to_string(&mut all).ok()?;
    let mut samples = all.split(BORDER).filter_map(|sample| sample.split_once('\n'));
    samples.find(|(code, _)| *code == rule.code).map(|(_, text)| text.to_owned())
}

/// Returns the command that diagnoses the sample of a rule.
pub(super) fn command(rule: &Rule) -> String {
    let judge = match rule.scope() {
        RuleScope::Manifest => "fleetlens check -",
        RuleScope::Bundle => "fleetlens -",
    };
    format!("fleetlens explain {} --sample | {judge}", rule.code)
}

#[cfg(test)]
mod tests {
    use super::{command, find_sample};
    use crate::rules;

    #[test]
    fn a_sample_is_found_by_its_code() {
        let rule = rules::find_rule("FL0501").expect("the rule is there");
        let sample = find_sample(rule).unwrap_or_default();
        assert!(sample.contains("ApprovalRequest"), "{sample}");
        assert_eq!(command(rule), "fleetlens explain FL0501 --sample | fleetlens -");
    }
}
