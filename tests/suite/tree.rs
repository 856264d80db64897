//! The tree of whole captures: `testdata/bundles/<story>/tree.*`, wide and narrow, in every format, and
//! the way back from an object.

use std::path::Path;

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::{Config, Focus};
use fleetlens::internals::engine::{judge, marked_tree};
use fleetlens::internals::graph::{self, Graph};
use fleetlens::internals::report::human::Color;
use fleetlens::internals::report::tree::{render, render_dot, render_json, render_mermaid};
use fleetlens::internals::source::{Encoding, Origin, Sources};
use fleetlens::internals::views::tree::{FleetTree, TreeNode, provenance};

use crate::bless::{golden, names_in, report};

const STORY: &str = "run-stuck-image-pull";

fn open(story: &str) -> (Bundle, Graph) {
    let bundle = Bundle::open(&[format!("testdata/bundles/{story}/capture")]);
    let bundle = bundle.expect("the story can be read");
    let graph = graph::build(&bundle, None);
    (bundle, graph)
}

/// Returns the tree of a bundle, with its findings at their nodes.
fn marked(bundle: &Bundle, graph: &Graph, focus: &Focus) -> FleetTree {
    marked_tree(graph, &judge(bundle, &Config::default()), focus, None)
}

fn grow(story: &str, focus: &Focus) -> (FleetTree, Graph) {
    let (bundle, graph) = open(story);
    (marked(&bundle, &graph, focus), graph)
}

fn ask(story: &str, object: &str) -> (FleetTree, Graph) {
    let (bundle, graph) = open(story);
    let wanted = object.parse().expect("an object");
    let judged = judge(&bundle, &Config::default());
    (marked_tree(&graph, &judged, &Focus::default(), Some(&wanted)), graph)
}

fn expect(story: &str, texts: &[(&str, String)]) {
    let folder = Path::new("testdata/bundles").join(story);
    let wrong = texts.iter().filter_map(|(name, text)| golden(&folder.join(name), text).err());
    report(wrong.collect());
}

#[test]
fn every_format_is_drawn_as_expected() {
    let (forest, graph) = grow(STORY, &Focus::default());
    let clock = &graph.clock;
    expect(
        STORY,
        &[
            ("tree.txt", render(&forest, clock, 100, Color::None)),
            ("tree-narrow.txt", render(&forest, clock, 48, Color::None)),
            ("tree.json", render_json(&forest, clock)),
            ("tree.mmd", render_mermaid(&forest, clock)),
            ("tree.dot", render_dot(&forest, clock)),
        ],
    );
}

#[test]
fn placements_without_a_run_have_trees_of_their_own() {
    for story in ["place-quota-configmaps", "place-agent-dead-rollout"] {
        let (forest, graph) = grow(story, &Focus::default());
        expect(story, &[("tree.txt", render(&forest, &graph.clock, 100, Color::None))]);
    }
}

#[test]
fn an_object_is_led_back_to_its_run() {
    let (forest, graph) = ask(STORY, "deploy/mailer/mailer-api");
    let clock = &graph.clock;
    expect(
        STORY,
        &[
            ("tree-object.txt", render(&forest, clock, 100, Color::None)),
            ("tree-object.json", render_json(&forest, clock)),
        ],
    );
}

#[test]
fn a_pod_is_led_back_by_its_owners() {
    let (_, graph) = open(STORY);
    let pod = graph.pods.as_slice().first().expect("the story has pods");
    let wanted = format!("pod/{}", pod.meta.name()).parse().expect("an object");
    let forest = provenance(&graph, &wanted);
    let roots: Vec<&str> = forest.roots.iter().map(|root| root.name.as_str()).collect();
    assert_eq!(roots, ["Deployment mailer/mailer-api"]);
}

/// Opens a capture of one file.
fn open_text(text: &str) -> (Bundle, Graph) {
    let mut sources = Sources::default();
    sources.add(
        "member3/a.yaml",
        Origin { cluster: Some("member3".into()), ..Origin::default() },
        Encoding::Utf8,
        text,
    );
    let bundle = Bundle::parse(sources, &|_| true);
    let graph = graph::build(&bundle, None);
    (bundle, graph)
}

#[test]
fn selectors_and_applied_works_are_evidence_too() {
    let text = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: ClusterResourcePlacement\nmetadata:\n  name: shop\nspec:\n  resourceSelectors:\n  - {group: '', version: v1, kind: Namespace, name: shop}\n  strategy: {type: External}\n---\napiVersion: placement.kubernetes-fleet.io/v1\nkind: AppliedWork\nmetadata:\n  name: bank-work\nspec:\n  workName: bank-work\n  workNamespace: fleet-member-member3\nstatus:\n  appliedResources:\n  - {group: apps, version: v1, kind: Deployment, namespace: bank, name: web}\n";
    let (_, graph) = open_text(text);
    let told = |object: &str| {
        let forest = provenance(&graph, &object.parse().expect("an object"));
        render(&forest, &graph.clock, 200, Color::None)
    };
    let selected = told("Deployment/shop/web");
    assert!(selected.contains("its selectors take it"), "{selected}");
    let applied = told("Deployment/bank/web");
    assert!(applied.contains("Work fleet-member-member3/bank-work"), "{applied}");
    let neither = told("Deployment/else/web");
    assert!(neither.contains("nothing in the bundle tells"), "{neither}");
}

#[test]
fn an_applied_work_adds_nothing_to_the_work_that_carries_the_object() {
    let applied = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: AppliedWork\nmetadata:\n  name: bank-work\nspec:\n  workName: bank-work\n  workNamespace: fleet-member-member3\nstatus:\n  appliedResources:\n  - {group: apps, version: v1, kind: Deployment, namespace: bank, name: web}\n";
    let work = "apiVersion: placement.kubernetes-fleet.io/v1\nkind: Work\nmetadata:\n  name: bank-work\n  namespace: fleet-member-member3\nspec:\n  workload:\n    manifests:\n    - apiVersion: apps/v1\n      kind: Deployment\n      metadata: {name: web, namespace: bank}\n";
    let (_, graph) = open_text(&format!("{applied}---\n{work}"));
    let forest = provenance(&graph, &"Deployment/bank/web".parse().expect("an object"));
    let told = render(&forest, &graph.clock, 200, Color::None);
    assert_eq!(told.matches("bank-work").count(), 1, "{told}");
}

#[test]
fn like_leaves_are_folded_and_colour_adds_nothing_else() {
    let report = |n: usize| {
        format!(
            "  - {{identifier: {{ordinal: {n}, version: v1, kind: ConfigMap, namespace: shop, name: part-{n}}}, conditions: [{{type: Applied, status: 'True', reason: Applied}}, {{type: Available, status: 'True', reason: Available}}]}}\n"
        )
    };
    let reports: String = (0..9).map(report).collect();
    let text = format!(
        "apiVersion: placement.kubernetes-fleet.io/v1\nkind: Work\nmetadata:\n  name: shop-work\n  namespace: fleet-member-member3\nstatus:\n  manifestConditions:\n{reports}"
    );
    let (bundle, graph) = open_text(&text);
    let forest = marked(&bundle, &graph, &Focus::default());
    let plain = render(&forest, &graph.clock, 80, Color::None);
    assert!(plain.contains("part-2 ") && !plain.contains("part-3"), "{plain}");
    assert!(plain.contains("and 6 more like these"), "{plain}");
    let painted = render(&forest, &graph.clock, 80, Color::Ansi);
    assert!(painted.contains("\u{1b}[32m✓\u{1b}[0m"), "{painted}");
    let bare = painted.replace("\u{1b}[32m", "").replace("\u{1b}[0m", "").replace("\u{1b}[33m", "");
    assert_eq!(bare, plain);
}

#[test]
fn what_nothing_carries_is_said_so() {
    let (forest, graph) = ask(STORY, "ConfigMap/elsewhere");
    assert!(forest.roots.is_empty());
    let text = render(&forest, &graph.clock, 100, Color::None);
    assert!(text.contains("no Work carries it"), "{text}");
    assert!("Deployment".parse::<fleetlens::internals::views::tree::ObjectQuery>().is_err());
}

#[test]
fn narrow_trees_stay_within_their_width_and_lose_nothing() {
    for story in names_in("testdata/bundles") {
        let (forest, graph) = grow(&story, &Focus::default());
        let text = render(&forest, &graph.clock, 40, Color::None);
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(widest <= 40, "{story}: {widest}\n{text}");
        let bare = |text: &str| text.replace(['│', '├', '└', '─', ' ', '\n'], "");
        assert_eq!(bare(&text), bare(&render(&forest, &graph.clock, 1000, Color::None)), "{story}");
    }
}

#[test]
fn every_finding_is_somewhere() {
    fn collect(branch: &TreeNode, ids: &mut Vec<String>) {
        ids.extend(branch.marks.iter().map(|mark| mark.id.clone()));
        branch.children.iter().for_each(|child| collect(child, ids));
    }
    for story in names_in("testdata/bundles") {
        let (bundle, graph) = open(&story);
        let judged = judge(&bundle, &Config::default());
        let forest = marked_tree(&graph, &judged, &Focus::default(), None);
        let mut ids: Vec<String> = forest.elsewhere.iter().map(|mark| mark.id.clone()).collect();
        forest.roots.iter().for_each(|root| collect(root, &mut ids));
        let lost = judged.findings.iter().filter(|found| !ids.contains(&found.id));
        assert_eq!(lost.count(), 0, "{story}");
    }
}

#[test]
fn a_focus_keeps_its_run_and_cluster() {
    let focus = Focus { cluster: Some("member2".to_owned()), ..Focus::default() };
    let (forest, graph) = grow(STORY, &focus);
    let text = render(&forest, &graph.clock, 100, Color::None);
    assert!(text.contains("cluster member2") && !text.contains("cluster member1"), "{text}");
    let focus = Focus { run: Some("other".to_owned()), ..Focus::default() };
    assert!(grow(STORY, &focus).0.roots.is_empty());
}

#[test]
fn hostile_names_end_no_label() {
    let text = concat!(
        "apiVersion: placement.kubernetes-fleet.io/v1\n",
        "kind: ClusterResourcePlacement\n",
        "metadata:\n  name: \"a\\\"]\\e[31m\\\\\\n<b>`#\"\n",
    );
    let mut sources = Sources::default();
    sources.add("x.yaml", Origin::default(), Encoding::Utf8, text);
    let bundle = Bundle::parse(sources, &|_| true);
    let graph = graph::build(&bundle, None);
    let forest = marked(&bundle, &graph, &Focus::default());
    let mermaid = render_mermaid(&forest, &graph.clock);
    assert!(mermaid.contains("a#34;]␛[31m#92; #60;b#62;#96;#35;"), "{mermaid}");
    let dot = render_dot(&forest, &graph.clock);
    assert!(dot.contains(r#"a\"]␛[31m\\ <b>`#"#), "{dot}");
    assert!(!render(&forest, &graph.clock, 100, Color::None).contains('\u{1b}'));
}
