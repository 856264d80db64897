//! What a workload's container wrote before it ended, where its log was sent.
//!
//! Owns the way from a pod to its log (the folder or file that bears its name, the prefix of its lines, the command
//! above them) and the choice of the line that tells most. Agents' logs are not meant: those are read by their
//! records. A line is quoted, never judged: what a stranger's program writes means what its authors think.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::bundle::Bundle;
use crate::source::{SourceFile, Span};
use crate::syntax::transcript::command_of;

/// How many lines before the end are looked at.
const LINES: usize = 60;
/// The longest name of a file in which a pod's name is looked for.
const LONGEST_NAME: usize = 512;

/// Words with which programs of all kinds say that something went wrong.
static COMPLAINT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let words = r"(?i)\b(panic|fatal|\w*error|\w*exception|caused by|critical|cannot|could not)\b";
    Regex::new(words).ok()
});

/// A container, by what tells it apart.
#[derive(Clone, Copy, Debug)]
pub struct ContainerName<'n> {
    /// The cluster that its pod is on, empty where nobody says.
    pub cluster: &'n str,
    /// The namespace of its pod.
    pub namespace: &'n str,
    /// Its pod.
    pub pod: &'n str,
    /// Its own name, empty where nobody says.
    pub container: &'n str,
}

/// A line near the end of a container's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEnd {
    /// The line.
    pub span: Span,
    /// What it says.
    pub words: Box<str>,
}

/// A stretch of text that one container wrote.
#[derive(Debug)]
pub struct ContainerLog<'g> {
    source: &'g SourceFile,
    range: Range<usize>,
    cluster: Option<Box<str>>,
    namespace: Option<Box<str>>,
    pod: Pod,
    container: Option<Box<str>>,
    is_previous: bool,
}

/// How a log names its pod.
#[derive(Debug)]
enum Pod {
    /// In full.
    Is(Box<str>),
    /// Somewhere in the name of its file.
    IsIn(Box<str>),
}

impl ContainerLog<'_> {
    fn is_of(&self, name: &ContainerName<'_>) -> bool {
        let agrees = |own: &Option<Box<str>>, asked: &str| {
            asked.is_empty() || own.as_deref().is_none_or(|own| own == asked)
        };
        let pod = match &self.pod {
            Pod::Is(pod) => **pod == *name.pod,
            Pod::IsIn(file) => holds_name(file, name.pod),
        };
        pod && agrees(&self.cluster, name.cluster)
            && agrees(&self.namespace, name.namespace)
            && agrees(&self.container, name.container)
    }
}

/// Says whether a text holds a name that no letter, digit or dash continues to the left, and none to the right
/// that would make it another pod's.
fn holds_name(text: &str, name: &str) -> bool {
    let continues = |at: Option<char>| at.is_some_and(|at| at.is_ascii_alphanumeric());
    !name.is_empty()
        && text.match_indices(name).any(|(at, _)| {
            let before = text.get(..at).and_then(|text| text.chars().next_back());
            let after = text.get(at + name.len()..).and_then(|text| text.chars().next());
            !continues(before) && !continues(after)
        })
}

/// Finds the logs of containers in a bundle.
pub(super) fn find_container_logs(bundle: &Bundle) -> Vec<ContainerLog<'_>> {
    let mut logs = Vec::new();
    for (source, parsed) in bundle.sources.iter().zip(&bundle.parsed) {
        let origin = source.origin();
        let whole = |pod: Pod, container: Option<Box<str>>| ContainerLog {
            source,
            range: 0..source.text().len(),
            cluster: origin.cluster.clone(),
            namespace: origin.namespace.clone(),
            pod,
            container,
            is_previous: origin.previous,
        };
        if let Some(pod) = &origin.pod {
            logs.push(whole(Pod::Is(pod.clone()), origin.container.clone()));
            continue;
        }
        let written = bundle.logs.iter().filter(|log| log.source == source.id() && log.base == 0);
        let writers: Vec<_> = written.flat_map(|log| &log.scan.writers).collect();
        if let [writer] = *writers
            && let Some(pod) = &writer.pod
        {
            let container = writer.container.clone().filter(|name| !name.is_empty());
            logs.push(whole(Pod::Is(pod.clone()), container));
            continue;
        }
        if source.is_sparse() || parsed.documents.is_empty() {
            let file = source.path().rsplit('/').next().unwrap_or_default();
            if file.len() <= LONGEST_NAME {
                logs.push(whole(Pod::IsIn(file.into()), None));
            }
        }
        if !source.is_sparse() {
            under_commands(source, &mut logs);
        }
    }
    logs
}

/// Finds what stands below `kubectl logs` in a transcript.
fn under_commands<'g>(source: &'g SourceFile, logs: &mut Vec<ContainerLog<'g>>) {
    let text = source.text();
    if !text.contains(" logs ") {
        return;
    }
    let origin = source.origin();
    let mut open: Option<ContainerLog<'g>> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let Some(asked) = command_of(line) else { continue };
        if let Some(mut log) = open.take() {
            log.range.end = start;
            logs.push(log);
        }
        let Some(logged) = asked.logged else { continue };
        open = Some(ContainerLog {
            source,
            range: at..text.len(),
            cluster: asked.cluster.or_else(|| origin.cluster.clone()),
            namespace: asked.namespace.or_else(|| origin.namespace.clone()),
            pod: Pod::Is(logged.pod),
            container: logged.container,
            is_previous: logged.is_previous,
        });
    }
    logs.extend(open);
}

/// Finds the line near the end of a container's log that tells most, in the log of its previous life first.
pub(super) fn find_end(logs: &[ContainerLog<'_>], name: &ContainerName<'_>) -> Option<LogEnd> {
    let mut own: Vec<_> = logs.iter().filter(|log| log.is_of(name)).collect();
    own.sort_by_key(|log| !log.is_previous);
    own.into_iter().find_map(last_complaint)
}

/// Returns the last complaint, else the very last line where it is known to be that.
fn last_complaint(log: &ContainerLog<'_>) -> Option<LogEnd> {
    let text = log.source.text().get(log.range.clone())?;
    let mut end = text.len();
    let mut lines: Vec<(Range<usize>, &str)> = Vec::new();
    for line in text.split('\n').rev().take(LINES) {
        let start = end - line.len();
        let words = line.trim();
        // A line of a stack trace says where, not what.
        if !words.is_empty() && !line.starts_with([' ', '\t']) && !words.starts_with("```") {
            let from = start + line.find(words).unwrap_or(0);
            lines.push((from..from + words.len(), words));
        }
        end = start.saturating_sub(1);
    }
    let pattern = COMPLAINT.as_ref()?;
    let complaint = lines.iter().find(|(_, words)| pattern.is_match(words));
    // Of a long log only some lines were kept: the last of them need not be the last that was written.
    let last = || lines.first().filter(|_| !log.source.is_sparse());
    let (range, words) = complaint.or_else(last)?;
    let base = log.range.start;
    let span = Span::new(log.source.id(), base + range.start, base + range.end);
    Some(LogEnd { span, words: (*words).into() })
}

#[cfg(test)]
mod tests {
    use super::holds_name;

    #[test]
    fn a_name_in_a_file_name_is_whole() {
        assert!(holds_name("member2_web-5fc4-jvz_web.log", "web-5fc4-jvz"));
        assert!(holds_name("web-5fc4-jvz-previous.log", "web-5fc4-jvz"));
        assert!(!holds_name("web-5fc4-jvzx.log", "web-5fc4-jvz"));
        assert!(!holds_name("myweb-5fc4-jvz.log", "web-5fc4-jvz"));
        assert!(!holds_name("web.log", ""));
    }
}
