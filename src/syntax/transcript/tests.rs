//! Transcripts of every kind, from text to sections.

use super::*;
use crate::source::{Encoding, Origin, Sources};

/// Returns form, clean text and context of each section, and the number of absences.
fn sections(text: &str) -> (Vec<(SectionSyntax, String, Context)>, usize) {
    let mut sources = Sources::default();
    let id = sources.add("ticket.md", Origin::default(), Encoding::Utf8, text);
    let (base, _) = clean(sources.get(id));
    let transcript = split(&base, &Context::default());
    let sections = transcript.sections.into_iter();
    let sections = sections.map(|it| (it.form, it.view.text().to_owned(), it.context)).collect();
    (sections, transcript.absences.len())
}

fn texts(text: &str) -> Vec<(SectionSyntax, String)> {
    sections(text).0.into_iter().map(|(form, text, _)| (form, text)).collect()
}

#[test]
fn a_command_without_output_speaks_of_the_next_block() {
    let text = "```bash\n$ kubectl get sur web -n shop -o yaml\n```\nsome prose\n```yml\nstatus:\n  conditions: []\n```\n```\nspec:\n  state: Run\n```\n";
    let (found, _) = sections(text);
    let [(_, first, told), (_, second, untold)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(first, "status:\n  conditions: []\n");
    assert_eq!(told.kind.as_deref(), Some("StagedUpdateRun"));
    assert_eq!((told.name.as_deref(), told.namespace.as_deref()), (Some("web"), Some("shop")));
    assert_eq!(second, "spec:\n  state: Run\n");
    assert_eq!((untold.kind.as_deref(), untold.name.as_deref()), (None, None));
}

#[test]
fn the_cluster_is_carried_forward() {
    let text = "kubectl config use-context member2\n\nkubectl get pods -n shop\nNAME   READY   STATUS   RESTARTS   AGE\na      0/1     Error    0          1m\n\nkubectl --context hub get csur\nNAME   PLACEMENT\nb      c\n";
    let (found, _) = sections(text);
    let clusters: Vec<_> = found.iter().map(|(_, _, context)| context.cluster.as_deref()).collect();
    assert_eq!(clusters, [Some("member2"), Some("hub")]);
}

#[test]
fn continued_commands_and_here_documents_are_no_output() {
    let text = "$ kubectl patch careq x \\\n  -p '{\"status\": {}}' \\\n  --type=merge\n$ cat <<EOF | kubectl apply -f -\napiVersion: v1\nkind: ConfigMap\nEOF\nconfigmap/a created\n";
    assert_eq!(
        texts(text),
        [(SectionSyntax::Yaml, "apiVersion: v1\nkind: ConfigMap\n".to_owned())]
    );
}

#[test]
fn quotes_indentation_and_cuts_are_taken_out() {
    let text = "> > $ kubectl get csur blue -o yaml\n> >     ...\n> >     status:\n> >       a: 1\n> >       ...\n> >       b: 2\n> thanks\n";
    let (found, _) = sections(text);
    let [(SectionSyntax::Yaml, text, _)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(text, "status:\n  a: 1\n  b: 2\n");
}

#[test]
fn a_first_line_that_lost_its_indentation_gets_it_back() {
    let text = "Here it is:\n\napiVersion: v1\n    kind: Pod\n    metadata:\n      name: a\n";
    let want = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n";
    assert_eq!(texts(text), [(SectionSyntax::Yaml, want.to_owned())]);
}

#[test]
fn wrapped_yaml_and_json_lines_are_joined() {
    let text = "He wrote:\n\nstatus:\n  conditions:\n  - message: the run is stuck waiting for\nmember2 in stage dev\n    type: Progressing\nplease help\n";
    let want = "status:\n  conditions:\n  - message: the run is stuck waiting for member2 in stage dev\n    type: Progressing\n";
    assert_eq!(texts(text), [(SectionSyntax::Yaml, want.to_owned())]);
    let text = "see\n{\"kind\": \"Pod\",\n \"message\": \"wrapped\nhere\"}\nbye\n";
    let want = "{\"kind\": \"Pod\",\n \"message\": \"wrapped here\"}\n";
    assert_eq!(texts(text), [(SectionSyntax::Json, want.to_owned())]);
}

#[test]
fn two_objects_without_a_border_are_two_sections() {
    let text = "look:\napiVersion: v1\nkind: A\napiVersion: v1\nkind: B\n";
    let want = ["apiVersion: v1\nkind: A\n", "apiVersion: v1\nkind: B\n"];
    assert_eq!(texts(text), want.map(|text| (SectionSyntax::Yaml, text.to_owned())));
}

#[test]
fn a_list_is_one_section_whatever_its_items_begin_with() {
    let list = "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n- apiVersion: v1\n  kind: B\nkind: List\n";
    let text = format!("$ kubectl get a,b -o yaml\n{list}$ kubectl get c\n");
    assert_eq!(texts(&text), [(SectionSyntax::Yaml, list.to_owned())]);
}

#[test]
fn describe_text_ends_with_its_events_or_before_prose() {
    let text = "\
Name:         web
Namespace:    shop
Spec:
  State:  Run
Events:   <none>
The strategy it uses:
Name:         gates
Namespace:    shop
Spec:
  Note:  first line

spilled after a blank line
  State:  Run

We see this since Monday.
";
    let found = texts(text);
    let [(SectionSyntax::Describe, first), (SectionSyntax::Describe, second)] = found.as_slice()
    else {
        panic!("{found:?}")
    };
    assert!(first.ends_with("Events:   <none>\n"));
    assert!(second.starts_with("Name:         gates") && second.ends_with("  State:  Run\n"));
}

#[test]
fn data_of_a_described_config_map_is_not_searched() {
    let text = "$ kubectl describe cm a\nName:         a\nNamespace:    b\n\nData\n====\nk:\n----\nfirst\n\napiVersion: v1\nkind: Pod\n\n\nBinaryData\n====\n\nEvents:  <none>\n\napiVersion: v1\nkind: Node\n";
    let found = texts(text);
    let [(SectionSyntax::Describe, first), (SectionSyntax::Yaml, second)] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert!(first.contains("kind: Pod") && !second.contains("Pod"));
}

#[test]
fn standard_error_is_evidence_and_not_output() {
    let text = "$ kubectl get csus a b\nE1116 02:17:22.601820   22980 memcache.go:265] \"x\"\nNAME   AGE\na      5m\nError from server (NotFound): clusterstagedupdatestrategies.placement.kubernetes-fleet.io \"b\" not found\n$ kubectl get sur -n shop\nNo resources found in shop namespace.\n";
    let (found, absences) = sections(text);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].1, "NAME   AGE\na      5m\n");
    assert_eq!(absences, 2);
}

#[test]
fn logs_are_sections_of_whole_lines() {
    let text = "Log:\n\n    I1115 22:42:51.700112       1 a.go:73] \"x\"\n    goroutine 1\n\nmore prose\n$ kubectl logs hub-agent-1\nno head here\n\n==== START logs for container a of pod b/c ====\nplain\n==== END logs for container a of pod b/c ====\nplain too\n";
    let mut sources = Sources::default();
    let id = sources.add("t", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let (base, _) = clean(source);
    let found = split(&base, &Context::default()).sections;
    assert!(found.iter().all(|section| section.form == SectionSyntax::Log));
    let lines: Vec<&str> = found.iter().map(|section| source.slice(section.lines)).collect();
    let first = "    I1115 22:42:51.700112       1 a.go:73] \"x\"\n    goroutine 1\n";
    assert_eq!(lines, [first, "no head here\n", "plain\n"]);
}

#[test]
fn a_command_in_prose_is_a_hint() {
    let text =
        "Output of `kubectl get csur blue-7 -o yaml`:\n\n```\nstatus:\n  conditions: []\n```\n";
    let (found, _) = sections(text);
    assert_eq!(found[0].2.name.as_deref(), Some("blue-7"));
    let text = "kubectl get csur gives\n\nstatus:\n  conditions: []\n";
    let (found, _) = sections(text);
    assert_eq!(found[0].2.kind.as_deref(), Some("ClusterStagedUpdateRun"));
    assert_eq!(found[0].2.name, None);
}

#[test]
fn a_comment_in_yaml_is_no_command_of_root() {
    let text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n# kubectl get pods\ndata:\n  b: c\n";
    assert_eq!(texts(text), [(SectionSyntax::Yaml, text.to_owned())]);
}

#[test]
fn a_table_within_yaml_is_no_wrapped_line() {
    let yaml = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";
    let table = "NAME   READY   STATUS   RESTARTS   AGE\n";
    let found = texts(&format!("{yaml}{table}  labels:\n    b: c\n"));
    assert_eq!(found.first(), Some(&(SectionSyntax::Yaml, yaml.to_owned())), "{found:?}");
}
