//! Lines that collectors put between logs: headings, section marks, the top of klog's own files.
//!
//! They end whatever record was open, may name the pod whose lines follow, and are no records.

use jiff::civil::DateTime;
use smol_str::SmolStr;

use super::transport::Transport;

/// How many writers are listed; a log of more pods names only the first ones.
const MAX_WRITERS: usize = 256;

/// Who wrote a part of a log, as far as its transport says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Writer {
    /// The namespace of the pod.
    pub namespace: Option<SmolStr>,
    /// The pod.
    pub pod: Option<SmolStr>,
    /// The container.
    pub container: Option<SmolStr>,
}

impl Writer {
    /// Reads `POD/CONTAINER` of kubectl's prefix or `POD CONTAINER` of stern.
    pub(crate) fn from_prefix(text: &str) -> Self {
        let (pod, container) = text.split_once(['/', ' ']).unwrap_or((text, ""));
        Self { namespace: None, pod: some(pod), container: some(container) }
    }

    /// Returns the place of this writer in a list, adding it if there is room.
    pub(crate) fn number_in(self, writers: &mut Vec<Self>) -> Option<u16> {
        let found = writers.iter().position(|known| *known == self).or_else(|| {
            (writers.len() < MAX_WRITERS).then(|| {
                writers.push(self);
                writers.len() - 1
            })
        });
        found.and_then(|at| u16::try_from(at).ok())
    }

    /// Reads `/var/log/pods/NAMESPACE_POD_UID/CONTAINER/0.log`.
    fn from_path(path: &str) -> Option<Self> {
        let (_, tail) = path.split_once("pods/")?;
        let mut parts = tail.split('/');
        let mut names = parts.next()?.split('_');
        let (namespace, pod) = (some(names.next()?), some(names.next()?));
        Some(Self { namespace, pod, container: some(parts.next()?) })
    }
}

fn some(text: &str) -> Option<SmolStr> {
    (!text.is_empty()).then(|| text.into())
}

/// What a line between logs says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SectionHeader<'l> {
    /// The lines that follow are of this writer, or of an unknown other one.
    Section(Option<Writer>),
    /// The collector's name for the cluster.
    Cluster(&'l str),
    /// The moment at which klog opened its file, in the zone of its process.
    Created(DateTime),
    /// Nothing that is of use.
    Other,
}

/// Reads a line between logs; `line` must be as it stands in the file.
pub(crate) fn find_frame(line: &str) -> Option<(SectionHeader<'_>, Transport)> {
    match line.as_bytes().first()? {
        b'=' => section(line),
        b'#' => heading(line),
        b'L' | b'R' | b'B' => klog_file(line).map(|frame| (frame, Transport::KlogFile)),
        // kubectl's own remark, where both of its streams went into the file.
        b'D' if line.starts_with("Defaulted container \"") => {
            Some((SectionHeader::Other, Transport::Prefix))
        }
        _ => None,
    }
}

fn section(line: &str) -> Option<(SectionHeader<'_>, Transport)> {
    let line = line.trim_end();
    if let Some(path) = line.strip_prefix("==> ").and_then(|path| path.strip_suffix(" <==")) {
        return Some((SectionHeader::Section(Writer::from_path(path)), Transport::FileHeading));
    }
    let dump = Transport::ClusterInfoDump;
    if line.starts_with("==== END logs for container ") {
        return Some((SectionHeader::Section(None), dump));
    }
    let names = line.strip_prefix("==== START logs for container ")?;
    let names = names.strip_suffix(" ====").unwrap_or(names);
    let (container, pod) = names.split_once(" of pod ")?;
    let (namespace, pod) = pod.split_once('/').unwrap_or(("", pod));
    let writer = Writer { namespace: some(namespace), pod: some(pod), container: some(container) };
    Some((SectionHeader::Section(Some(writer)), dump))
}

/// `# Key: value` lines that KubeFleet's collect-logs.sh writes above each file.
fn heading(line: &str) -> Option<(SectionHeader<'_>, Transport)> {
    const KEYS: [&str; 8] =
        ["Timestamp", "Node", "Cluster", "Source", "Method", "Pod", "Container", "Namespace"];
    let text = line.trim_end().strip_prefix("# ")?;
    let frame = match text.split_once(": ") {
        Some(("Cluster", name)) => SectionHeader::Cluster(name),
        Some((key, path)) if key.starts_with("Source") => {
            SectionHeader::Section(Writer::from_path(path))
        }
        Some((key, _)) if KEYS.contains(&key) => SectionHeader::Other,
        _ if text.starts_with("====") || text.contains(" logs from ") => SectionHeader::Other,
        _ => return None,
    };
    Some((frame, Transport::CollectLogs))
}

fn klog_file(line: &str) -> Option<SectionHeader<'_>> {
    if let Some(stamp) = line.strip_prefix("Log file created at: ") {
        let created = DateTime::strptime("%Y/%m/%d %H:%M:%S", stamp.trim_end()).ok();
        return Some(created.map_or(SectionHeader::Other, SectionHeader::Created));
    }
    let known = ["Running on machine: ", "Binary: Built with ", "Log line format: [IWEF]"];
    known.iter().any(|start| line.starts_with(start)).then_some(SectionHeader::Other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writer(namespace: &str, pod: &str, container: &str) -> Writer {
        Writer { namespace: some(namespace), pod: some(pod), container: some(container) }
    }

    #[test]
    fn sections_name_their_writer() {
        for (line, expected) in [
            ("==== START logs for container a of pod ns/p ====", Some(writer("ns", "p", "a"))),
            ("==== END logs for container a of pod ns/p ====\r", None),
            ("==> /var/log/pods/ns_p_0f0e/a/0.log <==", Some(writer("ns", "p", "a"))),
            ("==> hub-agent.log <==", None),
            ("# Source log file: /var/log/pods/ns_p_0f0e/a/0.log", Some(writer("ns", "p", "a"))),
        ] {
            let (frame, _) = find_frame(line).unwrap();
            assert_eq!(frame, SectionHeader::Section(expected), "{line}");
        }
        assert_eq!(Writer::from_prefix("p/a"), writer("", "p", "a"));
        assert_eq!(Writer::from_prefix("p a"), writer("", "p", "a"));
    }

    #[test]
    fn other_lines_of_collectors_are_known() {
        for line in [
            "# hub-agent logs from node filesystem",
            "# Node: hub-control-plane",
            "# ==================================",
            "Running on machine: hub",
            "Log line format: [IWEF]mmdd hh:mm:ss.uuuuuu threadid file:line] msg",
        ] {
            assert_eq!(find_frame(line).unwrap().0, SectionHeader::Other, "{line}");
        }
        let created = find_frame("Log file created at: 2026/11/15 22:44:08").unwrap().0;
        assert!(matches!(created, SectionHeader::Created(at) if at.year() == 2026));
        assert_eq!(find_frame("# Cluster: hub").unwrap().0, SectionHeader::Cluster("hub"));
        for line in ["", "# a comment", "====", "Listing", "Warning: x", "# Kind: x"] {
            assert_eq!(find_frame(line), None, "{line}");
        }
    }
}
