//! FL0703 webhook-unreachable.

use crate::declare_rule;
use crate::finding::Severity;
use crate::grammar::kind::Kind;
use crate::grammar::message::{MessageId, id};
use crate::model::admission::{AdmissionWebhook, WEBHOOK_CONFIGURATIONS};
use crate::model::parsed_message::Phrase;
use crate::rule::Cx;
use crate::rules::commands::look_at;
use crate::rules::consequence::{Repair, after_repair_of};
use crate::rules::refused_resource::{causes, finding_for_refusals, refused};
use crate::rules::sentence::{clip, full_stop, member_name};
use crate::source::Span;
use smol_str::SmolStr;

declare_rule! {
    /// An admission webhook on a member that cannot be asked, so that the API server refuses the object.
    ///
    /// ## Why it matters
    /// A webhook with `failurePolicy: Fail` whose service is missing, has no ready pod or shows a wrong
    /// certificate stops every create and update that it watches, not only those of the fleet.
    ///
    /// ## What to do
    /// Bring the service behind the webhook back on the member, or remove the webhook configuration there.
    /// The agent tries again by itself.
    pub static WEBHOOK_UNREACHABLE = Rule {
        code: "FL0703",
        name: "webhook-unreachable",
        severity: Severity::Error,
        reads: &[Kind::Work, Kind::Other],
        check: webhook_unreachable,
    }
}

/// The wordings that it knows.
const WORDS: &[MessageId] = &[id::K8S_WEBHOOKDOWN, id::K8S_CONVERSION];

fn webhook_unreachable(cx: &mut Cx<'_>) {
    let down = causes(cx, WORDS, |refusal, phrase| {
        let part = part_of(phrase);
        let webhook = phrase.get(part).unwrap_or_default().to_owned();
        (refusal.object.cluster.clone(), part, webhook)
    });
    for ((cluster, part, webhook), cause) in down {
        let label = "this webhook does not answer";
        let Some(mut finding) = finding_for_refusals(&WEBHOOK_UNREACHABLE, cx, &cause, part, label)
        else {
            continue;
        };
        let core = cause.first().and_then(|(refusal, _)| refusal.said.core());
        let why =
            core.map(|core| core.words().trim_end_matches(')').to_owned()).unwrap_or_default();
        let member = member_name(&cluster);
        finding = finding
            .message(full_stop(&format!(
                "The {} {webhook} on {member} does not answer, so {member} refuses {}: {}",
                if part == CONVERTED { "conversion webhook for" } else { "admission webhook" },
                refused(&cause),
                clip(&why)
            )))
            .why(format!(
                "The API server of {member} has to ask this webhook first. Without an answer it \
                 refuses everything that the webhook watches."
            ))
            .hint("Bring back what should answer, or remove the webhook's configuration.");
        finding = match find_webhook(cx, &cluster, &webhook) {
            Some((span, Some(service))) => finding.also(span, "configured here").step(
                look_at(&cluster).words("get services,endpoints,pods").namespace(&service).build(),
                format!("shows whether a pod stands behind the service in {service}"),
            ),
            Some((span, None)) => finding.also(span, "configured here"),
            None => finding.step(
                look_at(&cluster).words(configuration_of(part)).build(),
                "shows which service should answer",
            ),
        };
        cx.report(after_repair_of(finding, cx, &cause, Repair::Member));
    }
}

/// The part of a phrase that names the kind which a webhook should convert.
const CONVERTED: &str = "converted";

/// Returns the part of a phrase that names the webhook: of a conversion the kind does.
fn part_of(phrase: &Phrase<'_>) -> &'static str {
    if phrase.get("webhook").is_some() { "webhook" } else { CONVERTED }
}

/// Returns the command that shows who should answer.
fn configuration_of(part: &str) -> &'static str {
    if part == CONVERTED {
        "get customresourcedefinitions -o yaml"
    } else {
        "get validatingwebhookconfigurations,mutatingwebhookconfigurations -o yaml"
    }
}

/// Finds where a webhook is configured on a member, and the namespace of its service.
fn find_webhook(cx: &Cx<'_>, cluster: &str, webhook: &str) -> Option<(Span, Option<SmolStr>)> {
    let configurations =
        WEBHOOK_CONFIGURATIONS.iter().flat_map(|kind| cx.objects(Kind::Other, kind));
    let here =
        configurations.filter(|meta| meta.key.cluster.is_empty() || &*meta.key.cluster == cluster);
    let found = here.flat_map(AdmissionWebhook::all_of).find(|one| one.name == webhook)?;
    Some((found.name.span, found.service_namespace.map(|text| text.value)))
}
