//! FL1507 bad-patch-variable.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

declare_rule! {
    /// A variable in a patch that is not substituted.
    ///
    /// ## Why it matters
    /// `${MEMBER-CLUSTER-NAME}` and `${MEMBER-CLUSTER-LABEL-KEY-<key>}` are replaced in values, letter by
    /// letter, never in paths. An unclosed one fails the patch; a misspelt one stays as text. An unquoted here-
    /// document lets the shell eat them.
    ///
    /// ## What to do
    /// Write the variable exactly, in the value.
    pub static BAD_PATCH_VARIABLE = Rule {
        code: "FL1507",
        name: "bad-patch-variable",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: bad_patch_variable,
    }
}

fn bad_patch_variable(cx: &mut Cx<'_>) {
    for item in cx.drafts::<Override>() {
        for patch in item.patches() {
            if let Some(path) = patch.path.as_ref().filter(|path| path.contains("${")) {
                let finding = BAD_PATCH_VARIABLE
                    .at_field(&path.place(), "not substituted here")
                    .message(format!("a path of {} holds a variable", item.show()))
                    .why("variables are replaced in values only");
                cx.report(finding);
            }
            let Some(value) = patch.value_site() else { continue };
            for (span, text) in patch.texts() {
                let Some((label, help, severity)) = look(text) else { continue };
                let finding = BAD_PATCH_VARIABLE
                    .at_field(&value.place().underline(span), label)
                    .severity(severity)
                    .message(format!(
                        "a value of {} holds a variable that is not replaced",
                        item.show()
                    ))
                    .why(help);
                cx.report(finding);
            }
        }
    }
}

/// Finds a variable that will not be replaced.
fn look(text: &str) -> Option<(&'static str, &'static str, Severity)> {
    for (at, _) in text.match_indices("${") {
        let rest = text.get(at + 2..).unwrap_or_default();
        let Some((name, _)) = rest.split_once('}') else {
            if rest.to_ascii_uppercase().starts_with("MEMBER-CLUSTER-") {
                return Some((
                    "no closing `}`",
                    "the patch fails on every cluster",
                    Severity::Error,
                ));
            }
            continue;
        };
        let known = name == "MEMBER-CLUSTER-NAME" || name.starts_with("MEMBER-CLUSTER-LABEL-KEY-");
        let meant = name.to_ascii_uppercase().replace('_', "-").starts_with("MEMBER-CLUSTER");
        if !known && meant {
            return Some((
                "misspelt",
                "there are MEMBER-CLUSTER-NAME and MEMBER-CLUSTER-LABEL-KEY-<key>, in capitals",
                Severity::Error,
            ));
        }
    }
    let eaten =
        text.contains("CLUSTER-LABEL-KEY-") && !text.contains("${MEMBER-CLUSTER-LABEL-KEY-");
    eaten.then_some((
        "the variable lost its beginning",
        "a shell replaced `${MEMBER` by nothing: quote the end word of the here-document",
        Severity::Warning,
    ))
}
