//! FL0802 contradicting-sightings.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::graph::Sighting;
use crate::rule::Cx;
use crate::syntax::Syntax;

declare_rule! {
    /// An object that two files show at the same resourceVersion with different content.
    ///
    /// ## Why it matters
    /// At one resourceVersion an object has one content. Two files that differ were edited, or come from two clusters.
    ///
    /// ## What to do
    /// Collect the object again before you act on it.
    pub static CONTRADICTING_SIGHTINGS = Rule {
        code: "FL0802",
        name: "contradicting-sightings",
        severity: Severity::Warning,
        reads: &[],
        check: contradicting_sightings,
    }
}

fn contradicting_sightings(cx: &mut Cx<'_>) {
    for (key, sightings) in cx.sightings() {
        let exact: Vec<&Sighting> =
            sightings.iter().filter(|sighting| is_exact(sighting)).collect();
        let [first, rest @ ..] = exact.as_slice() else { continue };
        let other =
            rest.iter().find(|other| other.meta.resource_version == first.meta.resource_version);
        let Some(other) = other.filter(|_| first.meta.resource_version.is_some()) else { continue };
        let Some((left, right)) = first.meta.find_contradiction(&other.meta) else { continue };
        cx.report(
            CONTRADICTING_SIGHTINGS
                .at(left, "one content")
                .also(right, "another")
                .message(format!(
                    "{key} has two contents at the same resourceVersion. One of the files was \
                     edited."
                ))
                .why("An object has one content at one resourceVersion. The first was judged.")
                .recover(Recoverability::NothingToDo),
        );
    }
}

/// Says whether a sighting shows the object without loss.
fn is_exact(sighting: &Sighting) -> bool {
    !sighting.meta.partial && matches!(sighting.meta.syntax, Syntax::Yaml | Syntax::Json)
}
