//! FL1013 pattern-mismatch.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A text that does not have the form that the field asks for.
    ///
    /// ## Why it matters
    /// The API server matches the text against a regular expression. Stage names take lower-case letters and
    /// digits only, waits are written like `1h30m`, percentages like `25%`.
    ///
    /// ## What to do
    /// Write it in the form that the finding explains.
    pub static PATTERN_MISMATCH = Rule {
        code: "FL1013",
        name: "pattern-mismatch",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: pattern_mismatch,
    }
}

fn pattern_mismatch(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let FaultKind::Pattern { found, pattern } = &fault.kind else { continue };
        let field = &fault.place.path.field;
        let finding = match hours_of_days(found).filter(|_| field.ends_with(".waitTime")) {
            Some(_) => PATTERN_MISMATCH
                .at_field(&fault.place, "durations take h, m and s")
                .message(format!("waitTime {found} is not a duration: there is no unit for days.")),
            None => PATTERN_MISMATCH
                .at_field(&fault.place, "not in the right form")
                .message(format!("`{found}` does not have the form of {field}"))
                .hint(explain(field, found, pattern)),
        };
        let finding = finding.why("The API server refuses a value that does not fit the schema.");
        let pointer = &fault.place.path.pointer;
        let (safety, change) = match field.rsplit('.').next().unwrap_or_default() {
            "waitTime" => {
                let hours = hours_of_days(found).map(|hours| format!("{hours}h"));
                (Safety::Safe, hours.and_then(|hours| manifest.replace(pointer, hours)))
            }
            "maxConcurrency" | "maxUnavailable" | "maxSurge" => {
                (Safety::Safe, manifest.unquoted(pointer))
            }
            _ => (Safety::Consent, None),
        };
        let finding = finding.fix(safety, change);
        cx.report(finding);
    }
}

/// Reads a number of days, as hours.
fn hours_of_days(text: &str) -> Option<u32> {
    text.strip_suffix('d')?.parse::<u32>().ok()?.checked_mul(24)
}

/// Says in words what a pattern asks for.
fn explain(field: &str, found: &str, pattern: &str) -> String {
    let digits = !found.is_empty() && found.bytes().all(|byte| byte.is_ascii_digit());
    match field.rsplit('.').next().unwrap_or_default() {
        "name" => {
            "a stage name has letters a-z and digits only, no dash and no capitals".to_owned()
        }
        "waitTime" => "write hours, minutes and seconds without blanks, like `1h30m`".to_owned(),
        "maxConcurrency" if digits => "a number of clusters is written without quotes".to_owned(),
        "maxConcurrency" => {
            "write a number from 1 on without quotes, or a percentage from \"1%\" to \"100%\""
                .to_owned()
        }
        "maxUnavailable" | "maxSurge" => {
            "write a number, or a percentage from \"0%\" to \"100%\"".to_owned()
        }
        _ => format!("it has to match `{pattern}`"),
    }
}
