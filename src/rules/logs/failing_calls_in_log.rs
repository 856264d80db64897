//! FL0920 failing-calls-in-log.

use std::collections::{BTreeMap, BTreeSet};

use jiff::SignedDuration;
use smol_str::SmolStr;

use crate::declare_rule;
use crate::finding::{Command, Finding, Recoverability, Severity, Topic};
use crate::grammar::message::{HoleRole, MessageContext, MessageId, MessagePart, Recognised, id};
use crate::model::key::ObjectKey;
use crate::model::log::{Agent, LogEvent, LogRef};
use crate::rule::Cx;
use crate::rules::commands::{look_at_hub, show_command};
use crate::rules::logs::binding_takeovers::goes_on_for;
use crate::rules::logs::refused_manifest_in_log::is_refusal;
use crate::rules::sentence::{as_sentence, join_names};
use crate::source::Span;
use crate::syntax::log::RecordLevel;

declare_rule! {
    /// Calls of an agent that fail again and again, as its log shows.
    ///
    /// ## Why it matters
    /// Agents try failed calls again, so that one failure means nothing. Where the same trouble is still the last word of
    /// the log, nothing that depends on these calls gets on: an agent without the right to read its own objects, an
    /// API server or an etcd that does not answer, a namespace that is being deleted.
    ///
    /// ## What to do
    /// Repair what the error names; the agents go on by themselves.
    ///
    /// ## Also covered
    /// A namespace of a member cluster that is being terminated is an error at the first line: the member is leaving.
    /// Not told: trouble that had ended ten minutes before the log does.
    pub static FAILING_CALLS_IN_LOG = Rule {
        code: "FL0920",
        name: "failing-calls-in-log",
        severity: Severity::Warning,
        reads: &[],
        check: failing_calls_in_log,
    }
}

/// How often a call has to fail.
const LEAST: usize = 3;

/// Trouble that ended so long before the log does is over.
const OVER: SignedDuration = SignedDuration::from_mins(10);

/// How many objects are pointed at; the message counts the rest.
const SHOWN: usize = 3;

/// The namespace in which the hub keeps what one member cluster gets.
const MEMBER_NAMESPACE: &str = "fleet-member-";

/// The trouble behind a failed call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Trouble {
    /// The namespace is being deleted.
    Terminating { namespace: SmolStr },
    /// The agent lacks a right.
    Forbidden { user: SmolStr, verb: SmolStr, resource: SmolStr },
    /// The API server does not accept who the agent says it is.
    Unknown,
    /// The storage behind the API server fails.
    Storage,
    /// The API server, or a webhook that it calls, does not answer.
    Unreachable,
    /// The API server asks for patience.
    TooMany,
}

/// One trouble in one log.
#[derive(Default)]
struct Group<'g> {
    events: Vec<&'g LogEvent>,
}

fn failing_calls_in_log(cx: &mut Cx<'_>) {
    let mut groups: BTreeMap<(usize, Trouble), Group<'_>> = BTreeMap::new();
    for event in cx.log_events() {
        let complains = event.level >= Some(RecordLevel::Error);
        if !complains || is_refusal(event) {
            continue;
        }
        if let Some(trouble) = trouble_of(cx, event) {
            groups.entry((event.log, trouble)).or_default().events.push(event);
        }
    }
    for ((_, trouble), group) in groups {
        let least = if member_of(&trouble).is_some() { 1 } else { LEAST };
        let Some(last) = group.events.last().filter(|_| group.events.len() >= least) else {
            continue;
        };
        if goes_on_for(cx, last, OVER) {
            continue;
        }
        if let Some(finding) = tell(cx, &trouble, &group.events, last) {
            cx.report(finding);
        }
    }
}

/// Tells the trouble by the words of an error.
fn trouble_of<'g>(cx: &Cx<'g>, event: &'g LogEvent) -> Option<Trouble> {
    let (error, _) = event.error.as_ref()?;
    let recognised = cx.recognise(error, MessageContext::default());
    let find = |id: MessageId| recognised.find_part(id);
    let value = |part: &MessagePart, name: &str| -> SmolStr {
        let found = part.refs.iter().find(|found| found.name == name);
        found.and_then(|found| error.get(found.range.clone())).unwrap_or_default().into()
    };
    if let Some(part) = find(id::K8S_NSTERMINATING) {
        return Some(Trouble::Terminating { namespace: value(part, "namespace") });
    }
    if let Some(part) = find(id::BINDING_WORKSYNC_FALSE_TERMINATING) {
        let namespace = format!("{MEMBER_NAMESPACE}{}", value(part, "cluster")).into();
        return Some(Trouble::Terminating { namespace });
    }
    if let Some(part) = find(id::K8S_RBAC) {
        let [user, verb, resource] = ["user", "verb", "resource"].map(|name| value(part, name));
        return Some(Trouble::Forbidden { user, verb, resource });
    }
    let any = |ids: &[MessageId]| is_any(&recognised, ids);
    if any(&[id::K8S_UNAUTHORIZED, id::K8S_CREDENTIALS]) {
        Some(Trouble::Unknown)
    } else if any(&[id::K8S_ETCD]) {
        Some(Trouble::Storage)
    } else if any(&[
        id::HTTP_REFUSED,
        id::HTTP_NOHOST,
        id::HTTP_NOROUTE,
        id::HTTP_TIMEOUT,
        id::HTTP_HANDSHAKE,
        id::HTTP_TLS,
        id::HTTP_X509,
        id::HTTP_DEADLINE,
    ]) {
        Some(Trouble::Unreachable)
    } else {
        any(&[id::K8S_TOOMANY]).then_some(Trouble::TooMany)
    }
}

fn is_any(recognised: &Recognised, ids: &[MessageId]) -> bool {
    recognised.templates().any(|template| ids.contains(&template.id))
}

/// Returns the member whose namespace on the hub is being deleted.
fn member_of(trouble: &Trouble) -> Option<&str> {
    let Trouble::Terminating { namespace } = trouble else { return None };
    namespace.strip_prefix(MEMBER_NAMESPACE)
}

fn tell(cx: &Cx<'_>, trouble: &Trouble, events: &[&LogEvent], last: &LogEvent) -> Option<Finding> {
    let (error, span) = last.error.as_ref()?;
    let named = named_objects(events);
    // An object at hand tells more than the log.
    if !named.is_empty() && named.iter().all(|(key, _)| cx.has_object(key)) {
        return None;
    }
    let agent = match cx.logs().get(last.log).map(|log| log.agent) {
        Some(Agent::Member) => "the member agent",
        Some(Agent::Hub) => "the hub agent",
        _ => "an agent",
    };
    let times = events.len();
    let which = match named.len() {
        0 => String::new(),
        _ => format!(" ({})", join_names(named.iter().take(SHOWN).map(|(key, _)| &*key.name))),
    };
    let (what, help) = words(trouble, agent);
    let mut finding = FAILING_CALLS_IN_LOG
        .at(*span, "the last of them")
        .message(as_sentence(&format!("{what}{which}, {times} times in the log: {error}")))
        .why(help)
        .then(as_sentence(&format!("{agent} tries again by itself, until the calls succeed")))
        .recover(Recoverability::ResumesAfterRepair);
    if member_of(trouble).is_some() {
        finding = finding
            .severity(Severity::Error)
            .then(Recoverability::WaitsForPerson.sentence())
            .recover(Recoverability::WaitsForPerson);
    }
    if let Some((first, _)) = named.first() {
        let roles = matches!(trouble, Trouble::Forbidden { .. }).then(|| show_roles(first));
        let look = roles.flatten().or_else(|| show_command(first));
        finding = finding.for_object(first.clone()).command(look);
    }
    for (key, span) in named.into_iter().take(SHOWN) {
        finding =
            finding.also_log(span, "fails here", Some(key.clone())).explains(Topic::Object(key));
    }
    Some(finding)
}

/// Shows who may do what in the namespace of an object of the hub.
fn show_roles(object: &ObjectKey) -> Option<Command> {
    let namespace = Some(&*object.namespace).filter(|namespace| !namespace.is_empty())?;
    let look = look_at_hub().words("get rolebindings").namespace(namespace).words("-o yaml");
    look.effect(format!("shows who has which role in {namespace}")).build()
}

/// Returns the objects that the failing lines are about, the last line first.
fn named_objects(events: &[&LogEvent]) -> Vec<(ObjectKey, Span)> {
    let mut seen = BTreeSet::new();
    let mut named = Vec::new();
    for event in events.iter().rev() {
        let found = event.refs.iter().find_map(|found| Some((object_of(found)?, found.span)));
        if let Some((key, span)) = found.filter(|(key, _)| seen.insert(key.clone())) {
            named.push((key, span));
        }
    }
    named
}

/// Returns the object that a line names; a member by the one that its agent keeps on the hub.
fn object_of(found: &LogRef) -> Option<ObjectKey> {
    let member = || {
        let kind =
            if found.namespace.is_empty() { "MemberCluster" } else { "InternalMemberCluster" };
        ObjectKey::on_hub(kind, &found.namespace, &found.name)
    };
    found.object().or_else(|| (found.role == HoleRole::Cluster).then(member))
}

/// Returns the sentence and what to do about it.
fn words(trouble: &Trouble, agent: &str) -> (String, String) {
    match trouble {
        Trouble::Terminating { namespace } => match namespace.strip_prefix(MEMBER_NAMESPACE) {
            Some(member) => (
                format!("{agent} cannot write to namespace {namespace}, which is being terminated"),
                format!(
                    "Member cluster {member} is leaving the fleet, or was deleted. Nothing \
                     new reaches it."
                ),
            ),
            None => (
                format!(
                    "{agent} cannot create anything in namespace {namespace}, which is being \
                     terminated"
                ),
                "Finalizers of what is left in the namespace keep it. Until it is gone, \
                     nothing can be created in it."
                    .to_owned(),
            ),
        },
        Trouble::Forbidden { user, verb, resource } => (
            format!("{agent} may not {verb} {resource}"),
            format!("No role binding of {user} on the cluster that refuses the call allows it."),
        ),
        Trouble::Unknown => (
            format!("The API server does not accept the identity of {agent}"),
            "The token or certificate that the agent uses is not valid there.".to_owned(),
        ),
        Trouble::Storage => (
            format!("Calls of {agent} fail in etcd"),
            "etcd of the cluster that the agent calls does not keep up. Its members, \
                 its disks and its size tell why."
                .to_owned(),
        ),
        Trouble::Unreachable => (
            format!("Calls of {agent} do not get through"),
            "The API server or webhook that the address names does not answer, or the \
                 network to it is broken."
                .to_owned(),
        ),
        Trouble::TooMany => (
            format!("The API server refuses calls of {agent} because of too many requests"),
            "The API server is under more load than it takes.".to_owned(),
        ),
    }
}
