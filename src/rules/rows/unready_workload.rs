//! FL0772 unready-workload.

use jiff::SignedDuration;

use crate::behaviour::timing::STUCK_AFTER;
use crate::declare_rule;
use crate::facts::after_repair::on_member;
use crate::facts::unavailable_workload::UnavailableWorkload;
use crate::finding::{Certainty, Finding, Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::kube::time::show_duration;
use crate::model::meta::Meta;
use crate::rule::{Cx, Explained};
use crate::rules::commands::describe_on_member;
use crate::rules::member::pod_finding::{explain_unavailable, pods_of_workload};
use crate::rules::sentence::member_name;
use crate::syntax::Syntax;

declare_rule! {
    /// Pods or a workload that a row of `kubectl get` shows as not ready, with nothing beside it that tells why.
    ///
    /// ## Why it matters
    /// A run waits for every workload that it brings to a cluster. The row tells that it waits for this one.
    ///
    /// ## What to do
    /// Describe the workload and one of its pods on the member: the events at the end tell what holds them up.
    pub static UNREADY_WORKLOAD = Rule {
        code: "FL0772",
        name: "unready-workload",
        severity: Severity::Warning,
        reads: &[Kind::Pod],
        remainder: unready_workload,
    }
}

fn unready_workload(cx: &mut Cx<'_>, told: &Explained) {
    for unavailable in cx.unavailable_workloads().iter().filter(|it| it.failure.is_none()) {
        if told.explains(&Topic::Object(unavailable.key.clone())) {
            continue;
        }
        let finding = by_workload(unavailable).or_else(|| by_pods(unavailable));
        if let Some(finding) = finding {
            let finding = finding
                .why("The row does not tell why. The events of the pods do.")
                .then(on_member(&unavailable.key.name, &unavailable.key.cluster))
                .certainty(Certainty::Likely)
                .recover(Recoverability::ResumesAfterRepair)
                .command(describe_on_member(&unavailable.key));
            cx.report(explain_unavailable(finding, unavailable));
        }
    }
}

fn by_workload(unavailable: &UnavailableWorkload<'_>) -> Option<Finding> {
    let workload = unavailable.workload?;
    let age = old_row(&workload.meta)?;
    let short = workload.shortfall()?;
    let finding = UNREADY_WORKLOAD
        .at(short.span.unwrap_or(workload.meta.name_span), "too few")
        .message(format!(
            "{} on {} has {} of {} pods available, {} after it was created.",
            unavailable.key,
            member_name(&unavailable.key.cluster),
            short.have,
            short.want,
            show_duration(age)
        ));
    Some(finding)
}

fn by_pods(unavailable: &UnavailableWorkload<'_>) -> Option<Finding> {
    let waiting = unavailable.pods.iter().filter(|pod| !pod.is_ready());
    let late: Vec<_> = waiting.filter_map(|pod| Some((pod, old_row(&pod.meta)?))).collect();
    let (pod, age) = late.first()?;
    let shown = pod.row_status()?;
    // A pod that has done its work, or is being removed, is not ready and need not be.
    if matches!(&*shown, "Completed" | "Succeeded" | "Terminating") {
        return None;
    }
    let finding = UNREADY_WORKLOAD.at(shown.span, "not ready").message(format!(
        "Pods of {} on {} are not ready {} after they were created{}: {}.",
        unavailable.key,
        member_name(&unavailable.key.cluster),
        show_duration(*age),
        pods_of_workload(unavailable, late.len()),
        &*shown
    ));
    Some(finding)
}

/// Returns the age of an object that is known by a row, where that is long enough to be ready.
fn old_row(meta: &Meta) -> Option<SignedDuration> {
    let is_row = meta.syntax == Syntax::Table;
    meta.row_age().map(|age| age.value).filter(|age| is_row && *age >= STUCK_AFTER)
}
