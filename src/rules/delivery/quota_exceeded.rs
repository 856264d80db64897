//! FL0701 quota-exceeded.

use serde_json::json;
use std::collections::BTreeMap;

use crate::declare_rule;
use crate::facts::refusal::RefusalTarget;
use crate::finding::{Command, Risk, RunsOn, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::key::ObjectKey;
use crate::model::parsed_message::Phrase;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::refused_resource::{RefusalGroup, causes, finding_for_refusals, refused};
use crate::rules::sentence::{full_stop, join_names, member_name};

declare_rule! {
    /// A quota on a member that refuses what a placement brings.
    ///
    /// ## Why it matters
    /// The API server of the member refuses the object, or the pods of a workload that was applied,
    /// because a ResourceQuota of the namespace is used up. Objects that Kubernetes makes itself count
    /// too: every namespace holds the ConfigMap `kube-root-ca.crt`.
    ///
    /// ## What to do
    /// Raise or remove the quota on the member, or ask for less on the hub. The agent tries again by
    /// itself, within minutes, and a stuck run then continues.
    pub static QUOTA_EXCEEDED = Rule {
        code: "FL0701",
        name: "quota-exceeded",
        severity: Severity::Error,
        reads: &[
            Kind::Work,
            Kind::ResourceQuota,
            Kind::Deployment,
            Kind::StatefulSet,
            Kind::DaemonSet,
        ],
        check: quota_exceeded,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_QUOTA, id::K8S_QUOTA_UNSET];

fn quota_exceeded(cx: &mut Cx<'_>) {
    let causes = causes(cx, WORDS, |refusal, phrase| {
        let namespace = refusal.object.namespace.clone();
        (refusal.object.cluster.clone(), namespace, phrase.get("quota").map(str::to_owned))
    });
    for ((cluster, namespace, quota), cause) in causes {
        let quota = quota.unwrap_or_default();
        report(cx, &cluster, &namespace, &quota, &cause);
    }
}

fn report(cx: &mut Cx<'_>, cluster: &str, namespace: &str, quota: &str, cause: &RefusalGroup<'_>) {
    let Some(mut finding) =
        finding_for_refusals(&QUOTA_EXCEEDED, cx, cause, "quota", "refused by this quota")
    else {
        return;
    };
    let Some((_, phrase)) = cause.first() else { return };
    // Rows of events do not show the namespace.
    let (path, everything) = if namespace.is_empty() {
        (quota.to_owned(), "the namespace".to_owned())
    } else {
        (format!("{namespace}/{quota}"), format!("namespace {namespace}"))
    };
    let member = member_name(cluster);
    let detail = match (phrase.get("requested"), phrase.get("used"), phrase.get("limited")) {
        (Some(requested), Some(used), Some(limited)) => {
            format!("requested {requested}, used {used}, limited {limited}")
        }
        _ => phrase.words().to_owned(),
    };
    finding = finding
        .message(full_stop(&format!(
            "ResourceQuota {path} on {member} leaves no room for {}: {detail}",
            refused(cause)
        )))
        .why(format!(
            "The API server of {member} counts everything in {everything} against the quota and \
             refuses what exceeds it."
        ));
    // The object itself shows the limit, whatever resource the words name first.
    let resource = phrase.get("requested").and_then(|text| text.split('=').next());
    let found = cx.find_quota(cluster, namespace, quota);
    if let (Some(found), Some(resource)) = (found, resource) {
        finding = finding
            .also_at(found.limit(resource).map(|text| text.span), "the limit")
            .also_at(found.used(resource).map(|text| text.span), "used of it");
    }
    let object = ObjectKey {
        cluster: cluster.into(),
        kind: "ResourceQuota".into(),
        namespace: namespace.into(),
        name: quota.into(),
    };
    // Without the namespace a patch would go to whatever namespace is the default.
    let enough = enough_room(cx, phrase, cause).filter(|_| !namespace.is_empty());
    finding = match enough {
        Some(enough) => finding.step(raise(&object, &enough), show_raise(&enough)),
        None => finding.step(
            look_at(cluster).words("describe").object(&object).build(),
            "shows each limit and what is used of it, to raise it",
        ),
    };
    cx.report(after_repair_of(finding, cx, cause, Repair::Member));
}

/// Returns what each resource that is short would have to be limited to, so that all that was refused fits.
fn enough_room(
    cx: &Cx<'_>,
    phrase: &Phrase<'_>,
    cause: &RefusalGroup<'_>,
) -> Option<Vec<(String, String)>> {
    let times = cause.iter().map(|(refusal, _)| match refusal.refused {
        RefusalTarget::Object => Some(1),
        RefusalTarget::Pods => missing_pods(cx, &refusal.object),
    });
    let times = times.sum::<Option<u64>>()?;
    let used: BTreeMap<&str, &str> = pairs(phrase.get("used")?).collect();
    let short = pairs(phrase.get("requested")?).map(|(resource, requested)| {
        let (requested, unit) = amount(requested)?;
        let (used, same) = amount(used.get(resource)?)?;
        let enough = requested.checked_mul(times)?.checked_add(used)?;
        (unit == same).then(|| (resource.to_owned(), format!("{enough}{unit}")))
    });
    short.collect()
}

/// Reads `requests.cpu=250m,pods=1`.
fn pairs(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(',').filter_map(|pair| pair.trim().split_once('='))
}

/// Splits a whole amount and its unit: `250m`, `64Mi`, `3`. What is written otherwise is not added up.
fn amount(text: &str) -> Option<(u64, &str)> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = text.strip_suffix(unit)?.parse().ok()?;
    unit.chars().all(|c| c.is_ascii_alphabetic()).then_some((number, unit))
}

/// Returns how many pods of a workload are missing, where the bundle shows it.
fn missing_pods(cx: &Cx<'_>, workload: &ObjectKey) -> Option<u64> {
    let short = cx.find_workload(workload)?.shortfall()?;
    u64::try_from(short.want.checked_sub(short.have)?).ok()
}

fn raise(quota: &ObjectKey, enough: &[(String, String)]) -> Option<Command> {
    let hard: BTreeMap<&str, &str> =
        enough.iter().map(|(name, value)| (&**name, &**value)).collect();
    let builder = Command::kubectl(Risk::Reversible, RunsOn::of_cluster(&quota.cluster));
    let patch = json!({"spec": {"hard": hard}});
    builder.words("patch").object(quota).patch("--type=merge", &patch).build()
}

fn show_raise(enough: &[(String, String)]) -> String {
    let parts = enough.iter().map(|(resource, value)| format!("{resource} to {value}"));
    format!("raises {}, which leaves room for all of it", join_names(parts))
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn an_amount_is_a_whole_number_and_its_unit() {
        assert_eq!(amount("250m"), Some((250, "m")));
        assert_eq!(amount("64Mi"), Some((64, "Mi")));
        assert_eq!(amount("3"), Some((3, "")));
        assert_eq!(amount("1.5"), None);
        assert_eq!(amount("m"), None);
    }
}
