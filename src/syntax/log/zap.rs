//! Records of zap and of component-base's JSON logger.
//!
//! controller-runtime inside the agents writes zap's console format next to klog text; other builds
//! and other components write one JSON object per line. Stack traces below a console line are
//! attached by the scanner.

use std::ops::Range;

use super::json::{self, JsonLine, JsonPair};
use super::line_head::{HeadTime, LineHead, LogFormat, MessageQuoting, RecordLevel};
use super::time::{epoch, parse_stamp, stamp_len};

/// The longest level word is `WARNING`; it bounds the look behind a timestamp.
const MAX_LEVEL: usize = 8;

/// Returns the level and where it ends, if a level word follows the blanks at `at`.
pub(crate) fn level_at(line: &str, at: usize) -> Option<(RecordLevel, usize)> {
    let bytes = line.as_bytes();
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = at + bytes.get(at..)?.iter().take_while(|byte| blank(byte)).count();
    let tail = bytes.get(start..)?;
    let len = tail.iter().take(MAX_LEVEL).take_while(|byte| byte.is_ascii_uppercase()).count();
    if start == at || tail.get(len).is_some_and(|byte| !blank(byte)) {
        return None;
    }
    Some((RecordLevel::from_word(line.get(start..start + len)?)?, start + len))
}

/// Reads `TIME<TAB>LEVEL<TAB>[logger<TAB>][caller<TAB>]message[<TAB>{…}]`.
///
/// Pasting may have turned the tabs into blanks; then two or more of them separate the parts.
pub(crate) fn parse_console(line: &str) -> Option<LineHead> {
    let stamp = stamp_len(line.as_bytes())?;
    let (level, after) = level_at(line, stamp)?;
    let (separator, object) =
        if line.get(after..)?.contains('\t') { ("\t", "\t{") } else { ("  ", " {\"") };
    let tail = line.get(after..)?;
    let front_end = after + tail.find(object).unwrap_or(tail.len());
    let rest = after + tail.find(object).map_or(tail.len(), |at| at + 1);

    let mut head = LineHead {
        form: LogFormat::Zap,
        level: Some(level),
        time: HeadTime::Stamp(stamp),
        file: 0..0,
        line: 0,
        logger: 0..0,
        message: front_end..front_end,
        quoting: MessageQuoting::Plain,
        rest,
    };
    let parts = parts(line, after..front_end, separator);
    let (message, names) = parts.split_last()?;
    head.message = message.clone();
    for name in names {
        match split_caller(line, name.clone()) {
            Some((file, number)) => (head.file, head.line) = (file, number),
            None => head.logger = name.clone(),
        }
    }
    Some(head)
}

/// Splits the text between level and object, leaving out empty parts; the last one is the message.
fn parts(line: &str, range: Range<usize>, separator: &str) -> Vec<Range<usize>> {
    let text = line.get(range.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let mut at = range.start;
    for part in text.split(separator) {
        let start = at + (part.len() - part.trim_start().len());
        let end = at + part.trim_end().len();
        at += part.len() + separator.len();
        if start < end {
            found.push(start..end);
        }
    }
    if found.is_empty() {
        found.push(range.end..range.end);
    }
    found
}

/// Splits `dir/file.go:67`.
fn split_caller(line: &str, range: Range<usize>) -> Option<(Range<usize>, u32)> {
    let text = line.get(range.clone())?;
    let (file, number) = text.rsplit_once(':')?;
    let number = number.parse().ok().filter(|_| file.ends_with(".go"))?;
    Some((range.start..range.start + file.len(), number))
}

/// Reads a JSON record: `msg` and a time or a level make an object one.
///
/// An object that the end of the file cut is one too; one that goes on over lines is not.
pub(crate) fn parse_json(line: &str) -> Option<LineHead> {
    let object = json::object(line, 0)?;
    if object.end.is_some_and(|end| line.get(end..).is_none_or(|tail| !tail.trim().is_empty())) {
        return None;
    }
    let message =
        string_of(&object, line, "msg").or_else(|| string_of(&object, line, "message"))?;
    let time = object.get(line, "ts").or_else(|| object.get(line, "time"));
    let level = string_of(&object, line, "level");
    if time.is_none() && level.is_none() {
        return None;
    }
    let word = level.and_then(|range| RecordLevel::from_word(line.get(range)?));
    // component-base has no level: a verbosity stands for information, its absence for an error.
    let bare = if object.get(line, "v").is_some() { RecordLevel::Info } else { RecordLevel::Error };
    let (file, number) = string_of(&object, line, "caller")
        .and_then(|range| split_caller(line, range))
        .unwrap_or((0..0, 0));
    Some(LineHead {
        form: LogFormat::Json,
        level: Some(word.unwrap_or(bare)),
        time: time.map_or(HeadTime::None, time_of),
        file,
        line: number,
        logger: string_of(&object, line, "logger").unwrap_or(0..0),
        message,
        quoting: MessageQuoting::Quoted,
        rest: 0,
    })
}

/// Returns the pairs of a JSON record that are its own, without those that make up the head.
///
/// A key of the head that occurs a second time is a pair again: the loggers do not check.
pub(crate) fn own_pairs(object: JsonLine, line: &str) -> Vec<JsonPair> {
    let mut head = vec!["level", "caller", "v"];
    head.push(if object.get(line, "ts").is_some() { "ts" } else { "time" });
    head.push(if object.get(line, "msg").is_some() { "msg" } else { "message" });
    let mut pairs = object.pairs;
    pairs.retain(|pair| {
        let key = line.get(pair.key.clone()).unwrap_or_default();
        head.iter().position(|name| *name == key).map(|at| head.swap_remove(at)).is_none()
    });
    pairs
}

fn time_of(value: &str) -> HeadTime {
    let instant = match value.strip_prefix('"') {
        Some(text) => parse_stamp(text.trim_end_matches('"')),
        None => value.parse().ok().and_then(epoch),
    };
    instant.map_or(HeadTime::None, HeadTime::Instant)
}

/// Returns the range inside the quotes of a string value.
fn string_of(object: &JsonLine, line: &str, key: &str) -> Option<Range<usize>> {
    let pair = object.pairs.iter().find(|pair| line.get(pair.key.clone()) == Some(key))?;
    let value = pair.value.clone();
    (line.as_bytes().get(value.start) == Some(&b'"')).then(|| value.start + 1..value.end - 1)
}

#[cfg(test)]
mod tests {
    use super::super::line_head::RecordHead;
    use super::*;

    fn look(line: &str) -> (Option<RecordLevel>, String, String, String, u32, String) {
        let head = super::super::line_head::find_head(line).unwrap_or_else(|| panic!("{line}"));
        let look = RecordHead { line, head: &head };
        let (file, number) = (look.file().to_owned(), look.file_line());
        let message = look.message().into_owned();
        (look.level(), look.logger().to_owned(), message, file, number, look.rest().to_owned())
    }

    #[test]
    fn console_lines_with_and_without_logger_caller_and_object() {
        let t = "2026-11-16T02:16:15Z";
        assert_eq!(
            look(&format!("{t}\tINFO\tcontroller-runtime.metrics\tServing\t{{\"a\": 1}}")),
            (
                Some(RecordLevel::Info),
                "controller-runtime.metrics".into(),
                "Serving".into(),
                "".into(),
                0,
                "{\"a\": 1}".into()
            )
        );
        assert_eq!(
            look(&format!("{t}\tDPANIC\tlog\tzap/x.go:7\tOdd number")),
            (
                Some(RecordLevel::Fatal),
                "log".into(),
                "Odd number".into(),
                "zap/x.go".into(),
                7,
                "".into()
            )
        );
        let blanks = format!("{t}  ERROR   Reconciler error  {{\"controller\": \"c\"}}");
        assert_eq!(look(&blanks).2, "Reconciler error");
        assert_eq!(look(&blanks).5, "{\"controller\": \"c\"}");
        assert_eq!(
            look(&format!("{t} ERROR Reconciler error {{\"controller\": \"c\"}}")).2,
            "Reconciler error"
        );
        assert_eq!(look(&format!("{t}\tINFO\t")).2, "");
        assert_eq!(parse_console(&format!("{t} stderr F x")), None);
        assert_eq!(parse_console(&format!("{t} INFORMED text")), None);
        assert_eq!(parse_console(t), None);
    }

    #[test]
    fn json_lines_of_component_base_and_of_zap() {
        let line =
            r#"{"ts":1794795375620.605,"caller":"klogsample/main.go:67","msg":"say \"hi\"","v":0}"#;
        let (level, _, message, file, number, _) = look(line);
        assert_eq!(
            (level, &*message, &*file, number),
            (Some(RecordLevel::Info), "say \"hi\"", "klogsample/main.go", 67)
        );
        assert_eq!(
            look(r#"{"ts":1794795375620.605,"caller":"a.go:1","msg":"m","err":"e"}"#).0,
            Some(RecordLevel::Error)
        );
        let zap = r#"{"level":"warn","ts":1794795375.6,"logger":"l","msg":"m"}"#;
        assert_eq!((look(zap).0, &*look(zap).1), (Some(RecordLevel::Warning), "l"));
        assert_eq!(look(r#"{"level":"info","ts":"2026-11-15T22:49:51Z","msg":"m"}"#).2, "m");
        assert_eq!(look(r#"{"ts":1794795375620.6,"msg":"m","v":0,"k":"cut"#).2, "m");
    }

    #[test]
    fn other_objects_are_no_records() {
        for line in [
            "{",
            r#"{"kind":"Pod","metadata":{"msg":"x","ts":1}}"#,
            r#"{"msg":"x"}"#,
            r#"{"ts":1,"msg":"x"}, "#,
            r#"{"log":"x\n","stream":"stderr","time":"2026-11-15T22:40:01.000000000Z"}"#,
        ] {
            assert_eq!(parse_json(line), None, "{line}");
        }
    }
}
