//! Answers of kubectl and the API server to requests that they did not carry out.
//!
//! Owns telling such an answer from other output, over as many lines as it takes, and which object it is about. What the
//! words mean is left to the message catalogue.
//! Invariant: an answer that proves an absence is none of these.

use smol_str::SmolStr;

use super::lines::PasteLine;
use crate::grammar::kind::{find_kind, find_resource};
use crate::source::Span;
use crate::syntax::{Context, Rejection};

/// The answer to a patch repeats the patch; this is more than any has.
const MOST_LINES: usize = 200;

/// What the server calls its refusals; `NotFound` is an absence.
const REASONS: [&str; 8] = [
    "Forbidden",
    "Invalid",
    "BadRequest",
    "Conflict",
    "AlreadyExists",
    "InternalError",
    "MethodNotAllowed",
    "RequestEntityTooLarge",
];

/// Says whether a line begins an answer that something was not done.
pub(super) fn begins_rejection(line: &str) -> bool {
    let text = line.trim();
    let by_server = text.strip_prefix("Error from server (").is_some_and(|rest| {
        REASONS.iter().any(|reason| rest.strip_prefix(reason).is_some_and(|r| r.starts_with("): ")))
    });
    let unmapped = text.starts_with("error: ") && text.contains("no matches for kind \"");
    by_server || unmapped || is_invalid(text)
}

/// Says whether a text is `The KIND "NAME" is invalid: …`.
pub(super) fn is_invalid(text: &str) -> bool {
    text.strip_prefix("The ").and_then(|rest| rest.split_once(" \"")).is_some_and(|(kind, rest)| {
        !kind.contains(' ') && rest.contains("\" is invalid: ") || rest.ends_with("\" is invalid:")
    })
}

/// Returns how many of the lines behind an answer's first one belong to it.
pub(super) fn further_lines(
    first: &str,
    following: &[PasteLine],
    block: usize,
    clean: &str,
) -> usize {
    let own = following.iter().take(MOST_LINES).take_while(|line| line.block == block);
    let texts = own.map(|line| line.text(clean).trim());
    if first.trim_end().ends_with("error when applying patch:") {
        // The patch, then `to:`, the object, and at last `for: "FILE": …`.
        let mut texts = texts.enumerate();
        return texts.find(|(_, text)| text.starts_with("for: ")).map_or(0, |(at, _)| at + 1);
    }
    if first.trim_end().ends_with(" is invalid:") {
        return texts.take_while(|text| text.starts_with("* ")).count();
    }
    0
}

/// Returns where an answer begins to say what was wrong.
pub(crate) fn reason_start(words: &str) -> usize {
    if let Some(at) = words.find("no matches for kind \"") {
        return at;
    }
    let marks = [
        "denied the request: ",
        "has invalid fields ",
        "\" is invalid: ",
        "is forbidden: ",
        "cannot be handled as a ",
    ];
    let behind = |mark: &&str| words.find(*mark).map(|at| at + mark.len());
    let by_mark = marks.iter().filter_map(behind).max();
    let behind_head = || words.find("): ").map(|at| at + "): ".len());
    by_mark.or_else(behind_head).unwrap_or_default()
}

/// Reads an answer; `context` is what the command asked for, `spans` its lines and, of these, the reason.
pub(super) fn read_rejection(words: &str, spans: [Span; 2], context: &Context) -> Rejection {
    let [span, reason_span] = spans;
    let by_command = || (context.kind.clone(), context.name.clone());
    let (kind, name) = told(words).or_else(|| by_webhook(words)).unwrap_or_else(by_command);
    let namespace = quoted(words, "amespace: \"").or_else(|| quoted(words, "in the namespace \""));
    let namespace = namespace.filter(|namespace| !namespace.is_empty()).map(SmolStr::from);
    Rejection {
        words: words.split_whitespace().collect::<Vec<_>>().join(" ").into(),
        kind,
        name,
        namespace: namespace.or_else(|| context.namespace.clone()),
        cluster: context.cluster.clone(),
        span,
        reason_span,
    }
}

type Told = (Option<SmolStr>, Option<SmolStr>);

/// Tells kind and name of the object by the words.
fn told(words: &str) -> Option<Told> {
    let boxed = |text: &str| (!text.is_empty()).then(|| SmolStr::from(text));
    // kubectl found no such kind, or shows the object that it wanted to patch.
    if let Some(kind) = quoted(words, "no matches for kind \"") {
        return Some((boxed(kind), quoted(words, "for name: \"").and_then(boxed)));
    }
    if let Some((_, object)) = words.split_once("GroupVersionKind: \"") {
        let kind = quoted(object, ", Kind=").unwrap_or_default();
        return Some((boxed(kind), quoted(words, "Name: \"").and_then(boxed)));
    }
    // `RESOURCE "NAME" is forbidden`, `The KIND "NAME" is invalid`, `… fulfilled on RESOURCE "NAME"`
    let marks = [
        "\" is forbidden",
        "\" is invalid",
        "\": the object has been modified",
        "\" already exists",
    ];
    let end = marks.iter().find_map(|mark| words.find(mark))?;
    let (before, name) = words.get(..end)?.rsplit_once('"')?;
    let resource = before.split_whitespace().next_back()?;
    let kind =
        find_kind(resource).or_else(|| find_resource(resource)).map_or(resource, |kind| kind.name);
    Some((boxed(kind), boxed(name)))
}

/// Tells the kind by the webhook that refused it: `fleet.clusterresourceplacementv1beta1.validating`.
fn by_webhook(words: &str) -> Option<Told> {
    let name = quoted(words, "admission webhook \"fleet.")?.split('.').next()?;
    let kind = name.strip_suffix("v1beta1").unwrap_or(name);
    Some((Some(find_resource(kind)?.name.into()), None))
}

/// Returns what stands between some words and the next quote.
fn quoted<'w>(words: &'w str, before: &str) -> Option<&'w str> {
    words.split_once(before)?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn read(words: &str) -> [String; 3] {
        assert!(begins_rejection(words.lines().next().unwrap_or_default()), "{words}");
        let span = Span::new(SourceId(0), 0, words.len());
        let found = read_rejection(words, [span, span], &Context::default());
        [found.kind, found.name, found.namespace].map(|text| text.unwrap_or_default().into())
    }

    #[test]
    fn answers_name_their_object() {
        for (words, kind, name, namespace) in [
            (
                "Error from server (Forbidden): clusterapprovalrequests.placement.kubernetes-fleet.io \"a-before-dev\" is forbidden: User \"jan\" cannot patch resource \"x\"",
                "ClusterApprovalRequest",
                "a-before-dev",
                "",
            ),
            (
                "Error from server (Forbidden): stagedupdateruns.placement.kubernetes-fleet.io \"r\" is forbidden: User \"jan\" cannot get resource \"stagedupdateruns\" in API group \"g\" in the namespace \"shop\"",
                "StagedUpdateRun",
                "r",
                "shop",
            ),
            (
                "The ClusterStagedUpdateRun \"r-1\" is invalid: spec.state: Invalid value",
                "ClusterStagedUpdateRun",
                "r-1",
                "",
            ),
            (
                "error: resource mapping not found for name: \"r\" namespace: \"\" from \"f\": no matches for kind \"ClusterStagedUpdateRun\" in version \"v\"",
                "ClusterStagedUpdateRun",
                "r",
                "",
            ),
            (
                "error: unable to recognize \"f.yaml\": no matches for kind \"MemberCluster\" in version \"v\"",
                "MemberCluster",
                "",
                "",
            ),
            (
                "Error from server (Conflict): Operation cannot be fulfilled on clusterstagedupdateruns.placement.kubernetes-fleet.io \"r\": the object has been modified",
                "ClusterStagedUpdateRun",
                "r",
                "",
            ),
            (
                "Error from server (Forbidden): error when creating \"f\": admission webhook \"fleet.clusterresourceplacementv1beta1.validating\" denied the request: it is not a cluster scoped resource: apps/v1, Kind=Deployment",
                "ClusterResourcePlacement",
                "",
                "",
            ),
            (
                "Error from server (Forbidden): error when applying patch:\nResource: \"x\", GroupVersionKind: \"g/v, Kind=ClusterResourcePlacement\"\nName: \"t\", Namespace: \"\"\nfor: \"f\": denied",
                "ClusterResourcePlacement",
                "t",
                "",
            ),
        ] {
            assert_eq!(read(words), [kind, name, namespace], "{words}");
        }
    }

    #[test]
    fn other_lines_are_no_answers() {
        for line in [
            "The run \"x\" is invalid",
            "Error from server (NotFound): x \"y\" not found",
            "error: timed out",
            "The connection to the server",
        ] {
            assert!(!begins_rejection(line), "{line}");
        }
    }
}
