//! What must hold for any text: no panic, spans in range, and a cut loses at most the last object.

use std::path::PathBuf;

use proptest::prelude::*;

use super::{describe_files, parse, read, root, same};

/// Lines as they come in describe text, and as they should not.
fn line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "(Name|Namespace|Labels|Annotations|API Version|Kind|Metadata|Spec|Status|Events|Conditions|Stages Status|Clusters|Cluster Name)",
        "(Reason|Type|Message|Stage Name|Placement Statuses|Match Labels|Managed Fields|Containers|Replicas|State|Resource|Data|Manifests)",
        "[A-Za-z :.é/-]{0,12}",
    ];
    let value = prop_oneof![
        "(ClusterStagedUpdateRun|ClusterResourcePlacement|Work|Pod|<none>|<nil>|true|7|UpdateRunStuck|StageUpdatingFailed)",
        "\\PC{0,20}",
        Just(String::new()),
    ];
    let pad =
        prop_oneof![Just(":  "), Just(": "), Just(":"), Just(""), Just(":\t"), Just("\u{a0}")];
    (
        0usize..9,
        word,
        pad,
        value,
        prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n"), Just("\n...\n"), Just("")],
    )
        .prop_map(|(indent, word, pad, value, end)| {
            format!("{}{word}{pad}{value}{end}", " ".repeat(indent))
        })
}

/// A real describe text with lines left out, doubled or shifted.
fn mangled() -> impl Strategy<Value = String> {
    let texts: Vec<String> = describe_files().iter().map(|path| read(path)).collect();
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0u8..5), 0..12);
    (prop::sample::select(texts), edits).prop_map(|(text, edits)| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for (index, edit) in edits {
            let at = index.index(lines.len());
            match edit {
                0 if lines.len() > 1 => drop(lines.remove(at)),
                1 => lines.insert(at, lines[at].clone()),
                2 => lines[at] = format!("  {}", lines[at]),
                3 => lines[at] = lines[at].trim_start().to_owned(),
                _ => lines[at] = "...".to_owned(),
            }
        }
        lines.join("\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_a_panic(text in "\\PC{0,200}|[ -~\n]{0,400}") {
        parse(&text);
    }

    #[test]
    fn any_lines_are_read_without_a_panic(lines in prop::collection::vec(line(), 0..60)) {
        parse(&lines.concat());
    }

    #[test]
    fn mangled_text_is_read_without_a_panic(text in mangled()) {
        parse(&text);
    }
}

/// A text of several objects, cut at many places.
#[test]
fn a_cut_loses_at_most_the_last_object() {
    let stuck = |path: &&PathBuf| path.to_string_lossy().contains("same/stuck/");
    let texts: Vec<String> = describe_files().iter().filter(stuck).map(|path| read(path)).collect();
    let text = texts.join("\n\n");
    let whole = parse(&text);
    assert_eq!(whole.len(), texts.len());
    for at in (0..text.len()).step_by(53).filter(|&at| text.is_char_boundary(at)) {
        let cut = parse(&text[..at]);
        let complete = whole.iter().take_while(|document| document.span.hi as usize <= at).count();
        assert!(complete <= cut.len() && cut.len() <= complete + 1, "at {at}");
        for (before, after) in whole.iter().zip(&cut).take(complete) {
            assert_eq!(before.head, after.head, "at {at}");
            assert!(same(root(before), root(after)), "at {at}");
        }
    }
}
