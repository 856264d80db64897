//! Opened records: names, ranges, values.

use super::super::{GroupId, Retention, scan_text};
use super::*;

fn open<T>(text: &str, look: impl Fn(RecordText<'_>) -> T) -> T {
    let scan = scan_text(text, &|_| Retention::Keep(GroupId(0)).into());
    look(scan.records[0].open(text))
}

const HEAD: &str = "I1116 02:16:15.592475   20595 klogsample/main.go:90] ";

#[test]
fn one_object_is_written_in_many_ways() {
    let name = |value: &str| {
        open(&format!("{HEAD}\"m\" run={value}"), |record| {
            record.field("run")?.value.as_object().map(|name| (name.namespace, name.name))
        })
    };
    let expected = |namespace: &str, name: &str| Some((namespace.into(), name.into()));
    assert_eq!(name("\"example-run\""), expected("", "example-run"));
    assert_eq!(name("\"/example-run\""), expected("", "example-run"));
    assert_eq!(name("\"ns/web\""), expected("ns", "web"));
    assert_eq!(name(r#"{"name":"web","namespace":"ns"}"#), expected("ns", "web"));
    assert_eq!(name(r#"{"name":"example-run"}"#), expected("", "example-run"));
    assert_eq!(name("\"\""), None);
    assert_eq!(name("null"), None);
    assert_eq!(name(r#"{"name":""}"#), None);
}

#[test]
fn ranges_cut_the_right_characters_out() {
    let text =
        format!("é\n{HEAD}\"say \\\"é\\\"\" time elapsed=\"5m0s\" err=<\n\tline é\n > n=1\n");
    open(&text, |record| {
        let slice = |range: Range<u32>| &text[range.start as usize..range.end as usize];
        assert_eq!(slice(record.caller_range()), "klogsample/main.go:90");
        assert_eq!(slice(record.message_range()), "say \\\"é\\\"");
        assert_eq!(record.message(), "say \"é\"");
        let fields = record.fields();
        assert_eq!(slice(fields[0].key_range.clone()), "time elapsed");
        assert_eq!(slice(fields[0].range.clone()), "\"5m0s\"");
        assert_eq!(fields[1].value.as_str(), "line é");
        assert_eq!(slice(fields[1].range.clone()), "<\n\tline é\n >");
        assert_eq!(slice(fields[2].range.clone()), "1");
    });
}

#[test]
fn a_json_record_has_the_pairs_that_are_its_own() {
    let text = r#"{"ts":1794795375620.605,"caller":"a.go:1","msg":"m","v":0,"v":{"a":1},"time":"t","logger":"l"}"#;
    let keys = |text: &str| {
        open(text, |record| {
            record.fields().iter().map(|field| field.key.to_owned()).collect::<Vec<_>>()
        })
    };
    assert_eq!(keys(text), ["v", "time", "logger"]);
    let zap = r#"{"level":"info","time":"2026-11-15T22:49:51Z","message":"m","msgs":2}"#;
    assert_eq!(keys(zap), ["msgs"]);
}

#[test]
fn a_caller_without_a_place_has_an_empty_range() {
    open("2026-11-15T22:49:51Z\tINFO\tm", |record| {
        assert!(record.caller_range().is_empty());
        assert_eq!(record.fields(), []);
    });
}
