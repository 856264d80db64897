//! FL0831 unserved-kind.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity};
use crate::grammar::kind::{FORMER_GROUPS, find_kind, find_kind_in};
use crate::grammar::message::id;
use crate::rule::Cx;
use crate::rules::commands::look_at_hub;
use crate::rules::kubectl::answer::{KubectlAnswer, answers};

declare_rule! {
    /// A manifest whose kind the asked cluster does not serve.
    ///
    /// ## Why it matters
    /// kubectl looks the kind up before it sends anything: nothing was created. The kinds of KubeFleet exist on the hub
    /// only, in the versions that its CRDs serve; the group `fleet.azure.com` of early releases exists nowhere any more.
    ///
    /// ## What to do
    /// Talk to the hub, write the version that it serves, or install newer CRDs there.
    pub static UNSERVED_KIND = Rule {
        code: "FL0831",
        name: "unserved-kind",
        severity: Severity::Warning,
        reads: &[],
        check: unserved_kind,
    }
}

fn unserved_kind(cx: &mut Cx<'_>) {
    for answer in answers(cx) {
        let Some(version) = answer.value(id::K8S_NOMATCH, "group-version") else { continue };
        let (reason, help) = explain(&answer, version);
        let finding = UNSERVED_KIND
            .at(answer.rejection.reason_span, "nothing was sent")
            .for_object(answer.key.clone())
            .message(format!("kubectl did not send {}. {reason}", answer.subject()))
            .why("kubectl asks the cluster which kinds it serves before it sends anything.")
            .then("Nothing was created. The same command works when kind, version and cluster fit.")
            .hint(help)
            .recover(Recoverability::WaitsForPerson)
            .command(
                look_at_hub()
                    .words("get crds -o name")
                    .effect("shows which kinds the cluster serves")
                    .build(),
            );
        cx.report(finding);
    }
}

/// Says why a kind is not served in a version, and what to do.
fn explain(answer: &KubectlAnswer<'_>, version: &str) -> (String, String) {
    let kind = &answer.key.kind;
    let group = version.split_once('/').map_or("", |(group, _)| group);
    if FORMER_GROUPS.contains(&group) {
        let successor = find_kind(kind).filter(|spec| spec.is_fleet());
        let help = successor.map_or_else(
            || " It has no successor.".to_owned(),
            |spec| {
                let version = spec.api_version(spec.storage);
                format!(" Its successor is {version}, with other fields.")
            },
        );
        return (format!("KubeFleet removed group {group} in v0.1.{help}"), String::new());
    }
    let Some(spec) = find_kind_in(version, kind) else {
        return (
            format!("There is no kind {kind} in {version}."),
            "Compare kind and apiVersion with the CRDs of the hub.".to_owned(),
        );
    };
    let own = version.rsplit('/').next().unwrap_or_default();
    if !spec.versions.contains(&own) {
        return (
            format!("No release serves {kind} in {version}."),
            format!("Use {}.", spec.api_version(spec.storage)),
        );
    }
    let asked = answer.rejection.cluster.as_deref();
    let asked = asked.map_or_else(|| "The cluster that it asked".to_owned(), str::to_owned);
    (
        format!("{asked} does not serve {kind} in {version}."),
        "Either that cluster is not the hub, or the CRDs of the hub are older than this version."
            .to_owned(),
    )
}
