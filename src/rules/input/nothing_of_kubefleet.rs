//! FL0005 nothing-of-kubefleet.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::rule::Cx;
use crate::source::Span;
use crate::syntax::{Parsed, ProblemKind};

declare_rule! {
    /// An input that holds objects, and none that has to do with KubeFleet.
    ///
    /// ## Why it matters
    /// Nothing was judged, so that silence says nothing about a fleet. The faults of manifests of other products are
    /// not told either.
    ///
    /// ## What to do
    /// Check that the path is that of the bundle. Runs, placements, bindings, works and members are KubeFleet's objects;
    /// the logs of hub agent and member agent count, too.
    pub static NOTHING_OF_KUBEFLEET = Rule {
        code: "FL0005",
        name: "nothing-of-kubefleet",
        severity: Severity::Note,
        reads: &[],
        check: nothing_of_kubefleet,
    }
}

fn nothing_of_kubefleet(cx: &mut Cx<'_>) {
    let bundle = cx.bundle();
    if !bundle.is_foreign() {
        return;
    }
    let holds = |parsed: &Parsed| !parsed.documents.is_empty() || !parsed.problems.is_empty();
    let mut read = bundle.sources.iter().zip(&bundle.parsed).filter(|(_, parsed)| holds(parsed));
    let Some((first, _)) = read.next() else { return };
    let files = 1 + read.count();
    let objects: usize = bundle.parsed.iter().map(|parsed| parsed.documents.len()).sum();
    let problems = bundle.parsed.iter().flat_map(|parsed| &parsed.problems);
    let templates = problems.filter(|problem| problem.kind == ProblemKind::Template).count();
    let counted = |count: usize, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {what}{plural}"))
    };
    let parts = [counted(objects, "foreign object"), counted(templates, "template")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    cx.report(
        NOTHING_OF_KUBEFLEET
            .at(Span::new(first.id(), 0, 0), "the first of them")
            .of_input()
            .message(format!(
                "Nothing of KubeFleet was found in {}: {}.",
                counted(files, "file").unwrap_or_default(),
                parts.join(" and ")
            ))
            .why("Only objects and logs of KubeFleet, and what they bring to members, are judged.")
            .recover(Recoverability::NothingToDo),
    );
}
