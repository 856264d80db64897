//! FL1901 unrendered-template.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::rule::Cx;

declare_rule! {
    /// A document that is to be filled in before it is a manifest.
    ///
    /// ## Why it matters
    /// Helm and kustomize templates, shell variables and examples cut with `...` are not judged, since nothing
    /// in them is final.
    ///
    /// ## What to do
    /// Render it and check the result: `helm template … | fleetlens check -`.
    pub static UNRENDERED_TEMPLATE = Rule {
        code: "FL1901",
        name: "unrendered-template",
        severity: Severity::Note,
        layer: Layer::Advice,
        reads: &[],
        check: unrendered_template,
    }
}

fn unrendered_template(cx: &mut Cx<'_>) {
    for (span, what) in &cx.repository().templates {
        let finding = UNRENDERED_TEMPLATE
            .at(*span, *what)
            .message("this document is a template and was not judged")
            .hint("render it and check the result through standard input");
        cx.report(finding);
    }
}
