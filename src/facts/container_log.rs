//! What a workload's container wrote before it ended, where its log was sent.
//!
//! Owns the way from a pod to its log (the folder or file that bears its name, the prefix of its lines, the command
//! above them) and the choice of the line that tells most. Agents' logs are not meant: those are read by their
//! records. A line is quoted, never judged: what a stranger's program writes means what its authors think.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use smol_str::SmolStr;

use crate::bundle::{Bundle, KeptLog};
use crate::graph::Graph;
use crate::source::{SourceFile, SourceId, Span};
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
    /// The name of its pod.
    pub pod: &'n str,
    /// Its own name, empty where nobody says.
    pub container: &'n str,
}

/// A line near the end of a container's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEnd {
    /// Where the line stands.
    pub span: Span,
    /// The text of the line.
    pub words: SmolStr,
}

/// A stretch of text that one container wrote.
#[derive(Debug)]
pub struct ContainerLog<'g> {
    source: &'g SourceFile,
    range: Range<usize>,
    cluster: Option<SmolStr>,
    namespace: Option<SmolStr>,
    pod: Pod,
    container: Option<SmolStr>,
    is_previous: bool,
    /// How many lines were written, where only some of them were kept.
    lines: Option<u64>,
}

/// How a log names its pod.
#[derive(Debug)]
enum Pod {
    /// The whole name is known.
    Is(SmolStr),
    /// Somewhere in the name of its file.
    IsIn(SmolStr),
}

impl ContainerLog<'_> {
    fn is_of(&self, name: &ContainerName<'_>) -> bool {
        let agrees = |own: &Option<SmolStr>, asked: &str| {
            asked.is_empty() || own.as_deref().is_none_or(|own| own == asked)
        };
        let pod = match &self.pod {
            Pod::Is(pod) => **pod == *name.pod,
            Pod::IsIn(file) => holds_name(file, name),
        };
        pod && agrees(&self.cluster, name.cluster)
            && agrees(&self.namespace, name.namespace)
            && agrees(&self.container, name.container)
    }
}

/// What people and tools put behind the name of a pod.
const ENDINGS: [&str; 5] = ["previous", "prev", "current", "crash", "log"];

/// Says whether the name of a file holds that of a pod and not that of another one that begins or ends alike: before it
/// may stand its cluster or namespace, behind it its container or what kind of log it is.
fn holds_name(file: &str, name: &ContainerName<'_>) -> bool {
    let is_free = |at: Option<char>| at.is_none_or(|at| !at.is_ascii_alphanumeric() && at != '-');
    !name.pod.is_empty()
        && file.match_indices(name.pod).any(|(at, _)| {
            let before = file.get(..at).unwrap_or_default();
            let after = file.get(at + name.pod.len()..).unwrap_or_default();
            let known = |word: &str, text: &str| !word.is_empty() && text.ends_with(word);
            let begins = is_free(before.chars().next_back())
                || before.strip_suffix('-').is_some_and(|before| {
                    known(name.cluster, before) || known(name.namespace, before)
                });
            let ends = is_free(after.chars().next())
                || after.strip_prefix('-').is_some_and(|after| {
                    ENDINGS.iter().any(|ending| after.starts_with(ending))
                        || (!name.container.is_empty() && after.starts_with(name.container))
                });
            begins && ends
        })
}

/// Finds the logs of containers in a bundle.
pub(super) fn find_container_logs(bundle: &Bundle) -> Vec<ContainerLog<'_>> {
    let whole_logs: BTreeMap<SourceId, &KeptLog> =
        bundle.logs.iter().filter(|log| log.base == 0).map(|log| (log.source, log)).collect();
    let mut logs = Vec::new();
    for (source, parsed) in bundle.sources.iter().zip(&bundle.parsed) {
        let origin = source.origin();
        let scanned = whole_logs.get(&source.id()).map(|log| &log.scan);
        let whole = |pod: Pod, container: Option<SmolStr>| ContainerLog {
            source,
            range: 0..source.text().len(),
            cluster: origin.cluster.clone(),
            namespace: origin.namespace.clone(),
            pod,
            container,
            is_previous: origin.previous,
            lines: scanned.filter(|_| source.is_sparse()).map(|scan| scan.counts.lines),
        };
        if let Some(pod) = &origin.pod {
            logs.push(whole(Pod::Is(pod.clone()), origin.container.clone()));
            continue;
        }
        if let Some([writer]) = scanned.map(|scan| scan.writers.as_slice())
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
            lines: None,
        });
    }
    logs.extend(open);
}

/// Finds the line near the end of a container's log that tells most, in the log of its previous life first.
///
/// Pods of StatefulSets have the same names everywhere: a log that does not tell its cluster is of none of several.
pub(super) fn find_end(
    logs: &[ContainerLog<'_>],
    graph: &Graph,
    name: &ContainerName<'_>,
) -> Option<LogEnd> {
    let mut own: Vec<_> = logs.iter().filter(|log| log.is_of(name)).collect();
    if own.iter().any(|log| log.cluster.is_none()) {
        let alike = graph.pods.all_named(name.namespace, name.pod);
        let clusters: BTreeSet<_> = alike.map(|pod| &pod.meta.key.cluster).collect();
        own.retain(|log| log.cluster.is_some() || clusters.len() < 2);
    }
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
        // Of a long log only some lines were kept, and those may stand far before its end.
        let number = || log.source.line_number(log.source.line_index(position(log, start)));
        let is_late = log.lines.is_none_or(|all| u64::from(number()) + LINES as u64 > all);
        // A line of a stack trace says where, not what.
        if is_late
            && !words.is_empty()
            && !line.starts_with([' ', '\t'])
            && !words.starts_with("```")
        {
            let from = start + line.find(words).unwrap_or(0);
            lines.push((from..from + words.len(), words));
        }
        end = start.saturating_sub(1);
    }
    let pattern = COMPLAINT.as_ref()?;
    let complaint = lines.iter().find(|(_, words)| pattern.is_match(words));
    // The last line that was kept need not be the last that was written.
    let last = || lines.first().filter(|_| !log.source.is_sparse());
    let (range, words) = complaint.or_else(last)?;
    let base = log.range.start;
    let span = Span::new(log.source.id(), base + range.start, base + range.end);
    Some(LogEnd { span, words: (*words).into() })
}

/// Returns where an offset of a log stands in its source.
fn position(log: &ContainerLog<'_>, offset: usize) -> u32 {
    u32::try_from(log.range.start + offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{ContainerName, holds_name};

    fn holds(file: &str, pod: &str) -> bool {
        let name = ContainerName { cluster: "member2", namespace: "shop", pod, container: "app" };
        holds_name(file, &name)
    }

    #[test]
    fn a_name_in_a_file_name_is_whole() {
        for file in [
            "web-0.log",
            "member2_web-0_web.log",
            "member2-web-0.log",
            "shop-web-0-app.log",
            "web-0-previous.log",
            "web-0.previous.txt",
        ] {
            assert!(holds(file, "web-0"), "{file}");
        }
        for file in ["web-01.log", "myweb-0.log", "my-web-0.log", "web-0-worker.log", "web.log"] {
            assert!(!holds(file, "web-0"), "{file}");
        }
        assert!(!holds("web.log", ""));
    }
}
