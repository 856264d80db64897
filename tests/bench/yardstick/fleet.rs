//! Captures of large fleets: the stories of the testdata with more clusters, or more placements.

use std::path::Path;

use crate::template::{LIST, Seeded, Template, around, objects, push_item, read};

const RUN: &str = "bundles/run-stuck-image-pull/capture";
const ROLLOUT: &str = "bundles/place-rollout-held/capture";

/// Writes a file, and its folder before it.
pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("room on the disk");
    std::fs::write(path, text).expect("room on the disk");
}

/// A run over so many clusters, the last `stuck` of which do not get an image.
pub(crate) fn clusters(folder: &Path, number: usize, stuck: usize, seeded: &mut Seeded) {
    let names: Vec<String> = (1..=number).map(|number| format!("member-{number:05}")).collect();
    let (well, ill) = names.split_at(number - stuck);
    let run = objects(&read(&format!("{RUN}/hub/stagedupdateruns.yaml"))).remove(0);
    write(folder, "hub/stagedupdateruns.yaml", &run_of(&run, well, ill, seeded));
    let placement = read(&format!("{RUN}/hub/resourceplacements.yaml"));
    write(folder, "hub/resourceplacements.yaml", &placement_of(&placement, well, ill, seeded));

    let bindings = objects(&read(&format!("{RUN}/hub/resourcebindings.yaml")));
    let works = ["member1", "member2"]
        .map(|name| read(&format!("{RUN}/hub/works.fleet-member-{name}.yaml")));
    let members =
        "hub/cluster-scoped-resources/cluster.kubernetes-fleet.io/memberclusters/member1.yaml";
    let internal = "hub/namespaces/fleet-member-member1/cluster.kubernetes-fleet.io/internalmemberclusters.yaml";
    let kinds = [
        ("resourcebindings", [bindings[0].clone(), bindings[1].clone()]),
        ("works", works),
        ("memberclusters", [members, members].map(|path| read(&format!("{ROLLOUT}/{path}")))),
        (
            "internalmemberclusters",
            [internal, internal].map(|path| objects(&read(&format!("{ROLLOUT}/{path}"))).remove(0)),
        ),
    ];
    let words = [["member1", "a5f78fe0"], ["member2", "4bb05028"]];
    let words_of_member = ["member1", "a5f78fe0"];
    let hashes: Vec<String> =
        names.iter().map(|_| format!("{:08x}", seeded.next() >> 32)).collect();
    for (file, [good, bad]) in kinds {
        let bad = Template::new(
            &bad,
            if file.ends_with("memberclusters") { &words_of_member } else { &words[1] },
        );
        let good = Template::new(&good, &words[0]);
        let mut list = LIST.0.to_owned();
        for (index, (name, hash)) in names.iter().zip(&hashes).enumerate() {
            let template = if index < well.len() { &good } else { &bad };
            let mut object = String::new();
            template.fill(&[name, hash], seeded, &mut object);
            push_item(&mut list, &object);
        }
        write(folder, &format!("hub/{file}.yaml"), &(list + LIST.1));
    }
    let mut member = LIST.0.to_owned();
    for file in ["deployments", "replicasets", "pods", "events"] {
        for object in objects(&read(&format!("{RUN}/member2/{file}.yaml"))) {
            push_item(&mut member, &object);
        }
    }
    let member = Template::new(&(member + LIST.1), &["member2"]);
    for name in ill {
        let mut text = String::new();
        member.fill(&[name], seeded, &mut text);
        write(folder, &format!("{name}/objects.yaml"), &text);
    }
}

fn repeat(text: &str, first: &str, old: &str, names: &[String], seeded: &mut Seeded) -> String {
    let (before, item, behind) = around(text, first);
    let template = Template::new(item, &[old]);
    let mut out = before.to_owned();
    for name in names {
        template.fill(&[name], seeded, &mut out);
    }
    out + behind
}

fn run_of(run: &str, well: &[String], ill: &[String], seeded: &mut Seeded) -> String {
    let run = if ill.is_empty() {
        // The second stage did as well as the first.
        let (before, dev, _) = around(run, "  - clusters:\n    - clusterName: member1\n");
        let staging =
            dev.replace("member1", "member2").replace("stageName: dev", "stageName: staging");
        let (start, progressing, behind) =
            around(before, "  - lastTransitionTime: \"2026-11-16T12:39:18Z\"\n");
        let (end, _, _) = around(behind, "  stagesStatus:\n");
        let done = |kind: &str, status: &str| {
            let message = "    message: All stages are completed\n    observedGeneration: 4\n";
            let first = progressing.lines().next().expect("a line");
            format!(
                "{first}\n{message}    reason: UpdateRunSucceeded\n    status: \"{status}\"\n    type: {kind}\n"
            )
        };
        let done = done("Progressing", "False") + &done("Succeeded", "True");
        format!("{start}{done}{end}  stagesStatus:\n{dev}{staging}")
    } else {
        let said: Vec<&str> = ill.iter().take(3).map(String::as_str).collect();
        let more = if ill.len() > 3 { "..." } else { "" };
        run.replace("for member2 cluster(s)", &format!("for {}{more} cluster(s)", said.join(", ")))
    };
    let (first, second) = if ill.is_empty() { well.split_at(well.len() / 2) } else { (well, ill) };
    let run = repeat(&run, "    - clusterName: member1\n", "member1", first, seeded);
    let run = repeat(&run, "    - clusterName: member2\n", "member2", second, seeded);
    let count = format!("policyObservedClusterCount: {}", well.len() + ill.len());
    run.replace("policyObservedClusterCount: 2", &count)
}

fn placement_of(text: &str, well: &[String], ill: &[String], seeded: &mut Seeded) -> String {
    let text = repeat(text, "    - member1\n", "member1", well, seeded);
    let text = repeat(&text, "    - member2\n", "member2", ill, seeded);
    let text = repeat(&text, "  - clusterName: member1\n", "member1", well, seeded);
    let text = repeat(&text, "  - clusterName: member2\n", "member2", ill, seeded);
    let number = well.len() + ill.len();
    let text =
        text.replace("found\n      2 cluster(s)", &format!("found\n      {number} cluster(s)"));
    let text = text.replace("All 2 cluster(s)", &format!("All {number} cluster(s)"));
    let text = text.replace("in 2 target", &format!("in {number} target"));
    let text = text.replace("to 2 cluster(s)", &format!("to {number} cluster(s)"));
    if ill.is_empty() {
        let text = text.replace(
            "resources in 1 cluster(s) are still not available yet\n    observedGeneration: 1\n    reason: ResourceNotAvailableYet\n    status: \"False\"",
            &format!("resources in {number} cluster(s) are available now\n    observedGeneration: 1\n    reason: ResourceAvailable\n    status: \"True\""),
        );
        return text;
    }
    text.replace("in 1 cluster(s) are", &format!("in {} cluster(s) are", ill.len()))
}

/// So many placements whose rollout is held, on the four members of the story.
pub(crate) fn placements(folder: &Path, number: usize, seeded: &mut Seeded) {
    let root = crate::template::testdata(ROLLOUT);
    let files = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let mut shared = LIST.0.to_owned();
    let mut cloned: Vec<(String, Template)> = Vec::new();
    for file in files.filter(|file| file.path().extension().is_some_and(|ending| ending == "yaml"))
    {
        let path =
            file.path().strip_prefix(&root).expect("below the root").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(file.path()).expect("testdata");
        if !path.starts_with("hub/") || path.contains("appliedworks") {
            continue;
        }
        for object in objects(&text) {
            if object.contains("mailer") {
                cloned.push((path.clone(), Template::new(&object, &["mailer"])));
            } else {
                push_item(&mut shared, &object);
            }
        }
    }
    write(folder, "hub/fleet.yaml", &(shared + LIST.1));
    let mut list = LIST.0.to_owned();
    for number in 1..=number {
        let name = format!("app-{number:04}");
        for (_, template) in &cloned {
            let mut object = String::new();
            template.fill(&[&name], seeded, &mut object);
            push_item(&mut list, &object);
        }
    }
    write(folder, "hub/placements.yaml", &(list + LIST.1));
}
