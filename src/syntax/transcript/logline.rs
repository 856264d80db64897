//! What a line of a log looks like, behind whatever transport wrapped it.
//!
//! Owns only the decision "this is log"; reading records is for the log reader. Transports are those
//! of `kubectl logs --prefix --timestamps`, CRI and docker files.
//! Invariant: a line of an object (YAML, JSON, describe) is never taken for log.

use crate::syntax::klog::starts_head;
use crate::syntax::log::envelope::find_enclosed;
use crate::syntax::log::line_head::is_headless;

/// Says whether a line starts a record of a log: klog, zap, JSON, or a transport around one.
pub(crate) fn is_log_line(line: &str) -> bool {
    let mut text = line.trim_start();
    if let Some(rest) = text.strip_prefix("[pod/") {
        let Some((_, rest)) = rest.split_once("] ") else { return false };
        text = rest;
    }
    if let Some(rest) = after_timestamp(text) {
        return is_after_timestamp(rest, text.len() - rest.len()) || find_enclosed(rest).is_some();
    }
    let has_bare = || {
        let (start, end) = bare_record(line);
        start > 0 && line.get(start..end).is_some_and(is_headless)
    };
    is_klog(text)
        || is_json_record(text)
        || is_headless(text)
        || find_enclosed(line).is_some()
        || (line.contains('"') && has_bare())
}

/// Returns the bounds of a record without its head in a line that has something around it: `msg=`, a bullet, backticks.
///
/// A line that has nothing of that around it is its own record.
pub(crate) fn bare_record(line: &str) -> (usize, usize) {
    let whole = (0, line.len());
    let trimmed = line.trim_start_matches(['*', '-', '+', '•', ' ', '\t', '`']);
    let lead = line.len() - trimmed.len();
    // A record in backticks ends with them.
    let quoted = line.get(..lead).is_some_and(|lead| lead.ends_with('`'));
    if is_klog(line) || find_enclosed(line).is_some() {
        let start =
            line.find('`').map(|at| at + 1).filter(|at| line.get(*at..).is_some_and(is_klog));
        let end = start.and_then(|start| line.get(start..)?.find('`').map(|at| start + at));
        return start.zip(end).unwrap_or(whole);
    }
    let start = match line.find("msg=\"") {
        Some(at) => at + "msg=".len(),
        None if lead > 0 && trimmed.starts_with('"') => lead,
        None => return whole,
    };
    let Some(rest) = line.get(start..) else { return whole };
    let end = if quoted { rest.find('`').unwrap_or(rest.len()) } else { rest.len() };
    if rest.get(..end).is_some_and(is_headless) { (start, start + end) } else { whole }
}

fn is_klog(text: &str) -> bool {
    starts_head(text.as_bytes())
}

/// Says whether a klog line was written by kubectl itself, not by a controller.
pub(crate) fn is_kubectl_noise(text: &str) -> bool {
    let text = text.trim_start_matches(['>', '|', '+', ' ']);
    let own = ["memcache.go:", "request.go:", "round_trippers.go:", "warnings.go:", "loader.go:"];
    is_klog(text) && own.iter().any(|file| text.get(..60).unwrap_or(text).contains(file))
}

fn is_after_timestamp(rest: &str, stamp: usize) -> bool {
    let inner = rest.trim_start();
    let levels = ["INFO", "ERROR", "DEBUG", "WARN", "DPANIC", "PANIC", "FATAL"];
    if levels.iter().any(|level| inner.starts_with(level)) {
        return true;
    }
    let cri = ["stderr F", "stderr P", "stdout F", "stdout P"];
    if cri.iter().any(|stream| inner.starts_with(stream)) {
        return true;
    }
    // The kubelet's stamps carry nanoseconds: then whatever follows is the container's own line.
    is_klog(inner) || after_timestamp(inner).is_some() || stamp > "2026-11-15T22:40:01.000Z".len()
}

/// Returns what follows an RFC 3339 timestamp and a blank.
fn after_timestamp(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let shape = b"0000-00-00T00:00:00";
    let fits = bytes.len() > shape.len()
        && shape
            .iter()
            .zip(bytes)
            .all(|(want, have)| if *want == b'0' { have.is_ascii_digit() } else { want == have });
    if !fits {
        return None;
    }
    let end = text.find([' ', '\t'])?;
    let zone = text.get(shape.len()..end)?;
    let plain = |at: char| at.is_ascii_digit() || matches!(at, '.' | 'Z' | '+' | '-' | ':');
    (!zone.is_empty() && zone.chars().all(plain)).then(|| text.get(end + 1..)).flatten()
}

/// Says whether the line is one JSON object that is a log record and not a Kubernetes object.
pub(crate) fn is_json_record(text: &str) -> bool {
    let text = text.trim_end();
    if !text.starts_with('{') || !text.ends_with('}') {
        return false;
    }
    let head = prefix(text, 400);
    let has = |key: &str| head.contains(key);
    if has("\"apiVersion\"") {
        return false;
    }
    let docker = has("\"log\":") && prefix_end(text, 200).contains("\"time\":");
    let stamped = has("\"ts\":") || has("\"time\":") || has("\"level\":") || has("\"timestamp\":");
    docker || (stamped && (text.contains("\"msg\":") || text.contains("\"message\":")))
}

fn prefix(text: &str, len: usize) -> &str {
    let mut end = len.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

fn prefix_end(text: &str, len: usize) -> &str {
    let mut start = text.len().saturating_sub(len);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.get(start..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_known_behind_their_transports() {
        let lines = [
            "I1115 22:42:51.700112       1 updaterun/controller.go:73] \"starts\"",
            "2026-11-15T22:40:01Z\tINFO\tcontroller-runtime.metrics\tStarting metrics server",
            "2026-11-15T22:40:01Z  INFO  Starting Controller",
            "2026-11-15T22:40:01.000000000Z stderr F anything",
            "2026-11-15T22:42:51.700112111Z I1115 22:42:51.700112       1 a.go:73] x",
            "[pod/hub-agent-1/hub-agent] I1115 22:42:51.700112       1 a.go:73] x",
            "{\"ts\":1794795375620.605,\"caller\":\"a/b.go:67\",\"msg\":\"plain\",\"v\":0}",
            "{\"log\":\"text\\n\",\"stream\":\"stderr\",\"time\":\"2026-11-15T22:40:01Z\"}",
        ];
        for line in lines {
            assert!(is_log_line(line), "{line}");
        }
    }

    #[test]
    fn objects_are_not_logs() {
        let lines = [
            "{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"ts\":1,\"message\":\"x\"}",
            "[12:41] customer: it hangs",
            "2026-11-15T22:40:01Z",
            "2026-11-15T22:40:01Z we saw it hang",
            "Info: all good",
            "I1115",
        ];
        for line in lines {
            assert!(!is_log_line(line), "{line}");
        }
        let noise = "E1116 02:17:22.601820   22980 memcache.go:265] \"Unhandled Error\" err=\"x\"";
        assert!(is_kubectl_noise(noise));
    }
}
