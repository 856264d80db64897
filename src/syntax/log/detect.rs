//! Is this a log, and is its last line whole?

use super::continuation::is_trace;
use super::json;
use super::line_head::{LogFormat, MessageQuoting, find_head};
use super::section_header::find_frame;
use super::transport::{Transport, strip};
use crate::syntax::klog::{self, PairForm};

/// How much of a file is looked at.
const BLOCK: usize = 64 << 10;

/// Of so many lines one may be something else: the cut first line, text over several lines.
const LINES_PER_STRANGER: usize = 10;

/// A log does not begin with so many lines of something else.
const LINES_WITHOUT_RECORD: usize = 128;

/// Says whether a file is a log, by its first block: log records, and hardly anything else.
///
/// A paste that also holds log lines is none, nor is one that shows the command that printed them:
/// whoever splits the paste finds them and keeps what the command says.
pub fn looks_like_log(block: &[u8]) -> bool {
    let is_whole = block.len() <= BLOCK;
    let block = block.get(..BLOCK).unwrap_or(block);
    if memchr::memchr(0, block).is_some() {
        return false;
    }
    let text = String::from_utf8_lossy(block);
    // The last line of a longer file is cut by the end of the block.
    let end = if is_whole { text.len() } else { text.rfind('\n').unwrap_or(text.len()) };
    let lines = text.get(..end).unwrap_or_default().lines();
    let (mut records, mut total, mut strangers) = (0, 0, 0);
    for line in lines.filter(|line| !line.trim().is_empty()) {
        if records == 0 && total == LINES_WITHOUT_RECORD {
            return false;
        }
        total += 1;
        let stripped = strip(line);
        let wraps = [Transport::Prefix, Transport::Cri, Transport::Docker];
        let is_wrapped = wraps.iter().any(|wrap| stripped.transports.contains(*wrap));
        if is_wrapped || find_head(&stripped.payload.text()).is_some() {
            records += 1;
        } else if find_frame(line).is_none() {
            let text = stripped.payload.text();
            let belongs = is_trace(&text) || text.starts_with('\t') || text.starts_with(" >");
            strangers += usize::from(records == 0 || !belongs);
            if line.contains("kubectl ") {
                return false;
            }
        }
    }
    records > 0 && strangers * LINES_PER_STRANGER <= total
}

/// Says whether the last line of a log, which has no line break, ends in the middle of something.
///
/// Free text and messages without quotes end anywhere: those count as whole.
pub(super) fn is_cut(line: &str) -> bool {
    let stripped = strip(line);
    let text = stripped.payload.text();
    let Some(head) = find_head(&text) else {
        return text.starts_with("{\"") || klog::is_head_cut(text.as_bytes());
    };
    match head.form {
        LogFormat::Klog | LogFormat::Bare if head.quoting == MessageQuoting::Quoted => {
            let fields = klog::parse_pairs(&text, head.rest);
            let end = fields.last().map_or(head.rest, |field| field.value.end);
            end < text.len() || fields.last().is_some_and(|field| field.written == PairForm::Cut)
        }
        LogFormat::Klog | LogFormat::Bare => {
            text.get(head.message).is_some_and(|m| m.starts_with('"'))
        }
        LogFormat::Zap | LogFormat::Json => {
            head.rest < text.len()
                && json::object(&text, head.rest).is_none_or(|object| object.end.is_none())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KLOG: &str = "I1115 22:42:51.700112       1 updaterun/controller.go:73] ";

    #[test]
    fn the_end_of_a_line_tells_whether_it_is_whole() {
        for whole in [
            format!("{KLOG}\"starts\" updateRun=\"/example-run\""),
            format!("{KLOG}\"no pairs\""),
            format!("{KLOG}free text"),
            "2026-11-15T22:40:02Z\tINFO\tStarting workers\t{\"worker count\": 1}".to_owned(),
            "2026-11-15T22:40:02Z\tINFO\tStarting workers".to_owned(),
            String::new(),
        ] {
            assert!(!is_cut(&whole), "{whole}");
        }
        for cut in [
            format!("{KLOG}\"starts\" updateRun=\"/exam"),
            format!("{KLOG}\"starts\" updateRun=\"x\" upda"),
            format!("{KLOG}\"star"),
            KLOG[..40].to_owned(),
            KLOG[..9].to_owned(),
            "2026-11-15T22:40:02Z\tINFO\tStarting workers\t{\"worker co".to_owned(),
            "{\"log\":\"I1115 22:42".to_owned(),
        ] {
            assert!(is_cut(&cut), "{cut}");
        }
    }

    #[test]
    fn a_log_is_hardly_anything_but_records() {
        let record = format!("{KLOG}\"starts\" updateRun=\"/example-run\"\n");
        assert!(looks_like_log(record.as_bytes()));
        let cut_head = format!("dateRun=\"/example-run\"\n{}", record.repeat(10));
        assert!(looks_like_log(cut_head.as_bytes()));
        let zap = "2026-11-15T22:49:51Z\tERROR\tReconciler error\nmain.main\n\t/x/main.go:49\n";
        assert!(looks_like_log(zap.as_bytes()));
        for other in [
            String::new(),
            "\n\n".to_owned(),
            format!("apiVersion: v1\nkind: Pod\n{record}"),
            format!("$ kubectl logs -n fleet-system deploy/hub-agent\n{}", record.repeat(99)),
            "{\n    \"apiVersion\": \"v1\",\n    \"kind\": \"List\"\n}\n".to_owned(),
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}\n".to_owned(),
            format!("{}\0", record.repeat(20)),
        ] {
            assert!(!looks_like_log(other.as_bytes()), "{other}");
        }
    }
}
