//! FL1009 wrong-type.

use crate::declare_rule;
use crate::finding::{Layer, Safety, Severity};
use crate::manifest::FaultKind;
use crate::rule::Cx;

declare_rule! {
    /// A value of another type than the field has.
    ///
    /// ## Why it matters
    /// YAML makes numbers of `1` and `0755`, truth values of `yes`, `at_field` and `n`, and nothing of an empty line;
    /// the API server takes none of them for text.
    ///
    /// ## What to do
    /// Quote what is meant as text, unquote what is meant as a number, and nest what is meant as a map or list.
    pub static WRONG_TYPE = Rule {
        code: "FL1009",
        name: "wrong-type",
        severity: Severity::Error,
        layer: Layer::ApiServer,
        reads: &[],
        check: wrong_type,
    }
}

fn wrong_type(cx: &mut Cx<'_>) {
    for (manifest, fault) in cx.faults() {
        let field = &fault.place.path.field;
        let (label, message, help) = match &fault.kind {
            FaultKind::WrongType { wanted, found, fits } => (
                format!("this is {found}"),
                format!("{field} must be {wanted}, not {found}"),
                if *fits {
                    "put it in quotes to make it text"
                } else if field.ends_with(".waitTime") {
                    "write hours, minutes and seconds, like `1h30m`"
                } else {
                    "the API server does not convert one into the other"
                },
            ),
            FaultKind::NotFinite => (
                "not a number in JSON".to_owned(),
                format!("{field} holds a number that JSON cannot carry"),
                "YAML reads this word as infinity or as not-a-number; quote it if it is text",
            ),
            _ => continue,
        };
        let fits = matches!(fault.kind, FaultKind::WrongType { fits: true, .. });
        let pointer = &fault.place.path.pointer;
        // A snapshot is found by its index as text, which has no leading zeros and no other base.
        let quoted = match fits {
            true if pointer.ends_with("/resourceSnapshotIndex") => manifest.spelt_out(pointer),
            true => manifest.quoted(pointer),
            false => None,
        };
        let finding = WRONG_TYPE.at_field(&fault.place, label).message(message).why(help);
        cx.report(finding.fix(Safety::Safe, quoted));
    }
}
