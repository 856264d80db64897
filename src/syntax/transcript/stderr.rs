//! Lines that kubectl writes to standard error, mixed into what was pasted.
//!
//! Owns telling them from output, and reading the proof of absence out of them: an object that the
//! API server did not find, a list that was empty, a type that it does not serve.
//! Invariant: a line of an object or a table is not taken for one of these.

use smol_str::SmolStr;

use crate::grammar::kind::{self, Scope};
use crate::source::Span;
use crate::syntax::{Absence, Absent, Context};

/// What a line of standard error says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stderr {
    /// Something was asked for and is not there.
    Absence(Absence),
    /// Anything else: a warning, a refused connection.
    Noise,
}

/// Says whether a line is one of kubectl's standard error.
pub(crate) fn is_stderr(line: &str) -> bool {
    let text = line.trim();
    is_noise(text)
        || text.strip_prefix("No resources found").is_some_and(|rest| place(rest).is_some())
}

/// Reads a line of kubectl's standard error; `context` is what the command asked for.
pub(crate) fn parse_stderr(line: &str, span: Span, context: &Context) -> Option<Stderr> {
    let text = line.trim();
    if let Some(rest) = text.strip_prefix("No resources found") {
        return empty_list(rest, span, context);
    }
    if let Some(rest) = text.strip_prefix("Error from server (NotFound): ") {
        return Some(not_found(rest, span, context).map_or(Stderr::Noise, Stderr::Absence));
    }
    let no_type = "error: the server doesn't have a resource type ";
    if let Some(rest) = text.strip_prefix(no_type) {
        let resource = rest.trim_matches(['"', ' ', '.']);
        let kind = kind::find_resource(resource).map_or(resource, |spec| spec.name);
        return Some(Stderr::Absence(Absence {
            what: Absent::Type,
            kind: Some(kind.into()),
            name: None,
            namespace: None,
            cluster: context.cluster.clone(),
            span,
        }));
    }
    is_noise(text).then_some(Stderr::Noise)
}

fn is_noise(text: &str) -> bool {
    let starts = [
        "Error from server",
        "error: ",
        "Error: ",
        "Warning: ",
        "Unable to connect to the server",
        "The connection to the server ",
        "Defaulted container ",
        "Switched to context ",
        "Flag --",
        "command terminated with exit code",
    ];
    starts.iter().any(|start| text.starts_with(start))
}

fn empty_list(rest: &str, span: Span, context: &Context) -> Option<Stderr> {
    Some(Stderr::Absence(Absence {
        what: Absent::All,
        kind: context.kind.clone(),
        name: None,
        namespace: place(rest)?.map(SmolStr::from),
        cluster: context.cluster.clone(),
        span,
    }))
}

/// Reads the namespace behind `No resources found`; `None` if the line goes on in another way.
fn place(rest: &str) -> Option<Option<&str>> {
    match rest.trim_end_matches('.').trim() {
        "" => Some(None),
        place => place.strip_prefix("in ")?.strip_suffix(" namespace").map(Some),
    }
}

/// Reads `clusterstagedupdateruns.placement.kubernetes-fleet.io "nope" not found`.
fn not_found(rest: &str, span: Span, context: &Context) -> Option<Absence> {
    let (resource, rest) = rest.split_once(" \"")?;
    let (name, _) = rest.split_once('"')?;
    let spec = kind::find_resource(resource);
    let namespaced = spec.is_none_or(|spec| spec.scope == Scope::Namespaced);
    Some(Absence {
        what: Absent::Object,
        kind: Some(spec.map_or(resource, |spec| spec.name).into()),
        name: Some(name.into()),
        namespace: context.namespace.clone().filter(|_| namespaced),
        cluster: context.cluster.clone(),
        span,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn read(line: &str, context: &Context) -> Option<Stderr> {
        parse_stderr(line, Span::new(SourceId(0), 0, line.len()), context)
    }

    #[test]
    fn a_missing_object_is_proof_of_absence() {
        let context = Context { namespace: Some("shop".into()), ..Context::default() };
        let line = "Error from server (NotFound): stagedupdatestrategies.placement.kubernetes-fleet.io \"gates\" not found";
        let Some(Stderr::Absence(absence)) = read(line, &context) else { panic!("{line}") };
        assert_eq!(absence.what, Absent::Object);
        assert_eq!(absence.kind.as_deref(), Some("StagedUpdateStrategy"));
        assert_eq!(absence.name.as_deref(), Some("gates"));
        assert_eq!(absence.namespace.as_deref(), Some("shop"));
        let line =
            "Error from server (NotFound): clusterstagedupdatestrategies \"gates\" not found";
        let Some(Stderr::Absence(absence)) = read(line, &context) else { panic!("{line}") };
        assert_eq!(absence.kind.as_deref(), Some("ClusterStagedUpdateStrategy"));
        assert_eq!(absence.namespace, None);
    }

    #[test]
    fn an_empty_list_is_proof_of_absence_of_all() {
        let context = Context { kind: Some("StagedUpdateRun".into()), ..Context::default() };
        let line = "No resources found in shop namespace.";
        let Some(Stderr::Absence(absence)) = read(line, &context) else { panic!("{line}") };
        assert_eq!(absence.what, Absent::All);
        assert_eq!(absence.kind.as_deref(), Some("StagedUpdateRun"));
        assert_eq!(absence.namespace.as_deref(), Some("shop"));
        assert!(matches!(read("No resources found", &context), Some(Stderr::Absence(_))));
        assert_eq!(read("No resources found by the rule engine", &context), None);
    }

    #[test]
    fn other_errors_are_noise_and_prose_is_not() {
        let context = Context::default();
        let noise = [
            "Error from server (Forbidden): csur is forbidden",
            "error: You must be logged in to the server (Unauthorized)",
            "The connection to the server 127.0.0.1:1 was refused - did you specify the right host?",
            "Warning: v1beta1 is deprecated",
        ];
        for line in noise {
            assert_eq!(read(line, &context), Some(Stderr::Noise), "{line}");
        }
        assert_eq!(read("an error: it hangs", &context), None);
    }
}
