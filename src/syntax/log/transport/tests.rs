//! One line through each transport, and through several.

use super::*;

fn text(line: &str) -> String {
    strip(line).payload.text().into_owned()
}

const KLOG: &str = "I1115 22:42:51.700112       1 a/b.go:73] \"m\" k=\"v\"";

#[test]
fn layers_come_off_outermost_first() {
    let stamp = "2026-11-15T22:40:02.000000037Z";
    for (line, transports) in [
        (KLOG.to_owned(), vec![]),
        (format!("\u{feff}{KLOG}\r"), vec![]),
        (format!("[pod/p/c] {KLOG}"), vec![Transport::Prefix]),
        (format!("{stamp} {KLOG}"), vec![Transport::Timestamps]),
        (format!("[pod/p/c] {stamp} {KLOG}"), vec![Transport::Prefix, Transport::Timestamps]),
        (format!("{stamp} stderr F {KLOG}"), vec![Transport::Cri]),
        (format!("{stamp} stdout F:tag {KLOG}"), vec![Transport::Cri]),
        (format!("Nov  5 22:44:08 host hub-agent[1]: {KLOG}"), vec![Transport::Journald]),
        (format!("pod-1 c {KLOG}"), vec![Transport::Stern]),
        (format!("pod-1 c {stamp} {KLOG}"), vec![Transport::Timestamps, Transport::Stern]),
        (format!("  > {KLOG}"), vec![Transport::Quoted]),
        (format!("    [pod/p/c] {KLOG}"), vec![Transport::Prefix, Transport::Quoted]),
    ] {
        let stripped = strip(&line);
        assert_eq!(stripped.payload.text(), KLOG, "{line}");
        assert_eq!(stripped.transports.iter().collect::<Vec<_>>(), transports, "{line}");
    }
}

#[test]
fn what_the_transport_says_is_kept() {
    let line = "[pod/p/c] 2026-11-15T22:40:02.000000037Z stdout P text";
    let stripped = strip(line);
    assert_eq!(stripped.writer, "p/c");
    assert_eq!(stripped.stamp, Some("2026-11-15T22:40:02.000000037Z"));
    assert!(stripped.is_stdout && stripped.is_partial);
    let line = format!("p c {KLOG}");
    assert_eq!((strip(&line).writer, strip(&line).lead), ("p c", "p c "));
}

#[test]
fn docker_objects_are_opened() {
    let object = |log: &str| {
        format!(r#"{{"log":"{log}","stream":"stderr","time":"2026-11-15T22:40:01.000000000Z"}}"#)
    };
    for (log, expected, is_partial) in [
        (r"plain\n", "plain", false),
        (r"plain\r\n", "plain", false),
        (r"cut", "cut", true),
        (r"a \\n", "a \\n", true),
        (r#"say \"hi\" \u003c\n"#, "say \"hi\" <", false),
        (r"\n", "", false),
    ] {
        let line = object(log);
        let stripped = strip(&line);
        assert_eq!(stripped.payload.text(), expected, "{log}");
        assert_eq!(stripped.is_partial, is_partial, "{log}");
        assert_eq!(stripped.stamp, Some("2026-11-15T22:40:01.000000000Z"), "{log}");
    }
    let cut = r#"{"log":"I1115 22"#;
    assert_eq!(text(cut), cut);
}

#[test]
fn zap_lines_keep_their_own_time() {
    for line in [
        "2026-11-15T22:49:51Z\tERROR\tReconciler error",
        "2026-11-15T22:49:51Z  ERROR  Reconciler error",
        "2026-11-15T22:49:51Z ERROR Reconciler error",
    ] {
        assert_eq!(text(line), line);
        assert_eq!(text(&format!("2026-11-15T22:49:51.5Z {line}")), line);
    }
}

#[test]
fn other_text_is_left_alone() {
    for line in [
        "",
        "\tline of a value",
        " > next=1",
        "  > quoted prose",
        "    indented prose",
        "two words I am",
        "Nov is a month",
        "[pod/with blank/c] x",
        "[other] x",
        "{\"kind\":\"Pod\"}",
        "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).Start",
        "2026-11-15 is a day",
    ] {
        let stripped = strip(line);
        assert_eq!(stripped.payload, Payload::Plain(line, 0));
        assert_eq!(stripped.transports, Transports::default(), "{line}");
    }
    assert_eq!(text("2026-11-15T22:40:02.000000037Z"), "", "an empty line with its time");
}
