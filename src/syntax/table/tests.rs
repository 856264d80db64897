//! Tables of every layout, from text to rows.

use smol_str::SmolStr;

use super::*;
use crate::source::{Encoding, Origin, SourceFile, Sources, Span};
use crate::syntax::tree::{Fidelity, Node, Value};

fn with_table(text: &str, context: &Context, check: impl Fn(&SourceFile, Vec<Document>)) {
    let mut sources = Sources::default();
    let id = sources.add("table.txt", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    check(source, parse_table(&TextView::whole(source, source.span()), context));
}

fn command(kind: &str, namespace: Option<&str>) -> Context {
    let command = Some(Span::new(crate::source::SourceId(0), 0, 0));
    let namespace = namespace.map(SmolStr::from);
    Context { command, kind: Some(kind.into()), namespace, ..Context::default() }
}

fn at<'d>(document: &'d Document, path: &[&str]) -> Option<&'d Node> {
    document.root.as_ref().and_then(|root| root.at(path))
}

fn text_at<'d>(document: &'d Document, path: &[&str]) -> Option<&'d str> {
    at(document, path).and_then(Node::as_str)
}

/// Returns the status of a condition with its node.
fn condition<'d>(document: &'d Document, ty: &str) -> Option<&'d Node> {
    let conditions = at(document, &["status", "conditions"])?;
    let own = |item: &&Node| item.get("type").and_then(Node::as_str) == Some(ty);
    conditions.items().iter().find(own)?.get("status")
}

const RUNS: &str = "\
NAME     PLACEMENT   RESOURCE-SNAPSHOT-INDEX   POLICY-SNAPSHOT-INDEX   INITIALIZED   PROGRESSING   SUCCEEDED   AGE
blue-7   blue        3                         0                       True          False                     24m
";

#[test]
fn cells_are_sliced_by_offset_and_point_at_their_text() {
    with_table(RUNS, &Context::default(), |source, rows| {
        let [row] = rows.as_slice() else { panic!("{rows:?}") };
        assert_eq!(row.head.kind.as_deref(), Some("ClusterStagedUpdateRun"));
        assert_eq!(row.head.name.as_deref(), Some("blue-7"));
        assert_eq!(at(row, &["kind"]).unwrap().fidelity, Fidelity::Inferred);
        assert_eq!(text_at(row, &["spec", "resourceSnapshotIndex"]), Some("3"));
        assert_eq!(text_at(row, &["x-age"]), Some("24m"));
        assert_eq!(condition(row, "Succeeded"), None);
        let progressing = condition(row, "Progressing").unwrap();
        assert_eq!(progressing.as_str(), Some("False"));
        assert_eq!(source.slice(progressing.span), "False");
        assert_eq!(
            source.slice(row.span),
            "blue-7   blue        3                         0                       True          False                     24m"
        );
        assert!(row.partial && !row.listed);
    });
}

#[test]
fn the_command_names_the_kind_and_the_namespace() {
    with_table(
        "NAME   AGE\ngates  5m\n",
        &command("StagedUpdateStrategy", Some("shop")),
        |_, rows| {
            assert_eq!(rows[0].head.kind.as_deref(), Some("StagedUpdateStrategy"));
            assert_eq!(rows[0].head.namespace.as_deref(), Some("shop"));
            assert_eq!(at(&rows[0], &["kind"]).unwrap().fidelity, Fidelity::Read);
            assert!(rows[0].listed);
        },
    );
    // Nothing tells of what kind these are.
    with_table("NAME   AGE\ngates  5m\n", &Context::default(), |_, rows| {
        assert_eq!(rows[0].head.kind, None);
    });
    // A table of another kind under the command: the columns win.
    with_table(RUNS, &command("Pod", None), |_, rows| {
        assert_eq!(rows[0].head.kind.as_deref(), Some("ClusterStagedUpdateRun"));
    });
}

#[test]
fn a_namespace_column_tells_twins_apart() {
    let text = "NAMESPACE   NAME         WORKSYNCHRONIZED   RESOURCESAPPLIED   AGE\nshop        web-m1-aa1   True               False              20m\n";
    with_table(text, &Context::default(), |source, rows| {
        assert_eq!(rows[0].head.kind.as_deref(), Some("ResourceBinding"));
        assert_eq!(rows[0].head.namespace.as_deref(), Some("shop"));
        assert_eq!(source.slice(condition(&rows[0], "Applied").unwrap().span), "False");
    });
}

#[test]
fn kinds_before_names_and_several_tables_are_understood() {
    let text = "\
NAME                                                        AGE
appliedwork.placement.kubernetes-fleet.io/web-work          3h

NAME                READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/web   0/3     3            0           9m54s
";
    with_table(text, &Context::default(), |source, rows| {
        let heads: Vec<_> =
            rows.iter().map(|row| (row.head.kind.as_deref(), row.head.name.as_deref())).collect();
        assert_eq!(
            heads,
            [(Some("AppliedWork"), Some("web-work")), (Some("Deployment"), Some("web"))]
        );
        assert_eq!(source.slice(at(&rows[1], &["metadata", "name"]).unwrap().span), "web");
        let ready = at(&rows[1], &["status", "readyReplicas"]).unwrap();
        assert_eq!((&ready.value, source.slice(ready.span)), (&Value::Int(0), "0"));
        assert_eq!(at(&rows[1], &["spec", "replicas"]).unwrap().value, Value::Int(3));
    });
}

#[test]
fn events_become_events() {
    let text = "\
LAST SEEN   TYPE      REASON          OBJECT        MESSAGE
3h19m       Warning   InspectFailed   pod/web-1     Failed to apply default image tag \"a:b:c\": invalid
reference format
3h29m       Normal    Scheduled       csur/blue-7   ok
";
    with_table(text, &command("Event", Some("shop")), |source, rows| {
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].head.kind.as_deref(), Some("Event"));
        assert_eq!(text_at(&rows[0], &["involvedObject", "kind"]), Some("Pod"));
        assert_eq!(text_at(&rows[0], &["involvedObject", "name"]), Some("web-1"));
        assert_eq!(text_at(&rows[0], &["x-last-seen"]), Some("3h19m"));
        let message = text_at(&rows[0], &["message"]).unwrap();
        assert!(message.ends_with("invalid reference format"), "{message}");
        assert!(source.slice(rows[0].span).ends_with("reference format"));
        assert_eq!(text_at(&rows[1], &["involvedObject", "kind"]), Some("ClusterStagedUpdateRun"));
    });
}

#[test]
fn labels_watch_events_and_own_columns_are_kept() {
    let text = "\
EVENT     NAME     UPDATE-RUN   STAGE   APPROVED   AGE   X      LABELS
DELETED   blue-b   blue-7       dev     True       9s    here   a/b=c,d=e
";
    with_table(text, &Context::default(), |source, rows| {
        assert_eq!(rows[0].head.kind.as_deref(), Some("ClusterApprovalRequest"));
        assert_eq!(text_at(&rows[0], &["x-event"]), Some("DELETED"));
        assert_eq!(text_at(&rows[0], &["x-x"]), Some("here"));
        let labels = at(&rows[0], &["metadata", "labels"]).unwrap();
        assert_eq!(labels.get("a/b").and_then(Node::as_str), Some("c"));
        assert_eq!(source.slice(labels.entry("d").unwrap().key_span), "d");
    });
}

#[test]
fn rows_without_headers_are_split_at_blanks() {
    let context = command("ClusterStagedUpdateRun", None);
    with_table("blue-7   blue   3     1     True   False   True   4h17m\n", &context, |_, rows| {
        assert_eq!(condition(&rows[0], "Succeeded").and_then(Node::as_str), Some("True"));
    });
    // A cell is empty: only what is certain is kept.
    with_table("blue-7   blue   3     1     True   False   4h17m\n", &context, |_, rows| {
        assert_eq!(rows[0].head.name.as_deref(), Some("blue-7"));
        assert_eq!(at(&rows[0], &["status"]), None);
        assert_eq!(text_at(&rows[0], &["x-age"]), Some("4h17m"));
    });
    with_table("blue-7   blue\n", &Context::default(), |_, rows| assert!(rows.is_empty()));
}

#[test]
fn a_narrow_terminal_wraps_head_and_rows() {
    let text = "\
NAME     UPDATE-RUN   STAGE   APP
ROVED   AGE
blue-b   blue-7       dev     Tru
e       9s
blue-c   blue-7       prod
        8s
";
    with_table(text, &Context::default(), |_, rows| {
        assert_eq!(rows.len(), 2, "{rows:?}");
        assert_eq!(condition(&rows[0], "Approved").and_then(Node::as_str), Some("True"));
        assert_eq!(condition(&rows[1], "Approved"), None);
        assert_eq!(text_at(&rows[1], &["x-age"]), Some("8s"));
    });
}

#[test]
fn cut_cells_and_edited_rows_are_marked_or_repaired() {
    let text = "\
NAME     UPDATE-RUN   STAGE   APPR...
blu...   blue-lon...   dev     True
blue-with-a-long-name   blue-7       dev     True
blue-with-a-long-name   blue-7               True
";
    with_table(text, &Context::default(), |_, rows| {
        assert_eq!(rows[0].head.name, None);
        assert_eq!(at(&rows[0], &["metadata", "name"]).unwrap().fidelity, Fidelity::Cut);
        assert_eq!(rows[1].head.name.as_deref(), Some("blue-with-a-long-name"));
        for row in &rows[1..] {
            assert_eq!(condition(row, "Approved").and_then(Node::as_str), Some("True"));
        }
        assert_eq!(at(&rows[2], &["spec", "targetStage"]), None);
    });
}

#[test]
fn tabs_and_collapsed_blanks_are_understood() {
    with_table("NAME\tSTATUS\tAGE\nshop\tActive\t2d\n", &Context::default(), |source, rows| {
        assert_eq!(source.slice(at(&rows[0], &["status", "phase"]).unwrap().span), "Active");
    });
    let text = "NAME READY STATUS RESTARTS AGE\nweb-1 0/1 Error 2 (7h16m ago) 9h\n";
    with_table(text, &Context::default(), |_, rows| {
        assert_eq!(rows[0].head.kind.as_deref(), Some("Pod"));
        assert_eq!(text_at(&rows[0], &["x-restarts"]), Some("2 (7h16m ago)"));
        assert_eq!(text_at(&rows[0], &["x-status"]), Some("Error"));
    });
}

#[test]
fn prose_below_a_table_is_no_row() {
    let text = format!("{RUNS}The run hangs since noon.\nthanks\n");
    with_table(&text, &Context::default(), |_, rows| assert_eq!(rows.len(), 1));
    let text = "NAME            VALID   EXECUTED\nevict-new               \nevict-ok        True    True\n";
    with_table(text, &Context::default(), |_, rows| assert_eq!(rows.len(), 2));
}
