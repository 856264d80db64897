//! The layouts as they really come, one path list each.

use super::*;

/// Surveys all paths and says of each: cluster, namespace, pod, container, `-p` for a previous log.
fn placed(paths: &[&str]) -> Vec<String> {
    let mut survey = Survey::default();
    paths.iter().for_each(|path| survey.add(path));
    let told = |path: &&str| {
        let origin = survey.place(path);
        let fields = [&origin.cluster, &origin.namespace, &origin.pod, &origin.container];
        let fields = fields.map(|field| field.as_deref().unwrap_or("."));
        format!("{}{}", fields.join(" "), if origin.previous { " -p" } else { "" })
    };
    paths.iter().map(told).collect()
}

#[test]
fn inspect_of_a_hub_is_known_by_what_only_a_hub_has() {
    let root = "must-gather.local.55/quay-io-image";
    let pod = format!("{root}/namespaces/fleet-system/pods/hub-agent-6b9-x2k/hub-agent/hub-agent");
    let paths = [
        format!(
            "{root}/cluster-scoped-resources/cluster.kubernetes-fleet.io/memberclusters/m1.yaml"
        ),
        format!("{root}/cluster-scoped-resources/core/nodes/n1.yaml"),
        format!("{root}/namespaces/fleet-member-m1/placement.kubernetes-fleet.io/works.yaml"),
        format!("{pod}/logs/current.log"),
        format!("{pod}/logs/previous.insecure.log"),
        format!("{pod}/logs/rotated/0.log.20261115-225000.gz"),
        format!("{root}/version"),
        "must-gather.local.55/timestamp".to_owned(),
    ];
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    assert_eq!(
        placed(&paths),
        [
            "hub . . .",
            "hub . . .",
            "hub fleet-member-m1 . .",
            "hub fleet-system hub-agent-6b9-x2k hub-agent",
            "hub fleet-system hub-agent-6b9-x2k hub-agent -p",
            "hub fleet-system hub-agent-6b9-x2k hub-agent",
            ". . . .",
            ". . . .",
        ]
    );
}

#[test]
fn inspect_without_a_proof_stays_unknown() {
    let paths = ["gather/cluster-scoped-resources/core/nodes/n1.yaml", "gather/notes.txt"];
    assert_eq!(placed(&paths), [". . . .", ". . . ."]);
}

#[test]
fn troubleshoot_bundle() {
    let root = "bundle.tar.gz/support-bundle-2026-11-15T23_10_00/cluster-resources";
    let custom = format!("{root}/custom-resources");
    let paths = [
        format!("{custom}/clusterresourcebindings.placement.kubernetes-fleet.io.json"),
        format!("{custom}/works.placement.kubernetes-fleet.io/fleet-member-m2.json"),
        format!("{custom}/custom-resources-errors.json"),
        format!("{root}/events/default.json"),
        format!("{root}/nodes.json"),
        format!("{root}/pods/logs/fleet-system/hub-agent-x/hub-agent-previous.log"),
    ];
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    assert_eq!(
        placed(&paths),
        [
            "hub . . .",
            "hub fleet-member-m2 . .",
            "hub . . .",
            "hub default . .",
            "hub . . .",
            "hub fleet-system hub-agent-x hub-agent -p",
        ]
    );
}

#[test]
fn cluster_info_dump_needs_its_tell_tale() {
    let paths = [
        "dump/nodes.json",
        "dump/shop/pods.json",
        "dump/shop/replication-controllers.json",
        "dump/shop/web-0/logs.txt",
    ];
    assert_eq!(placed(&paths), [". . . .", ". shop . .", ". shop . .", ". shop web-0 ."]);
    assert_eq!(placed(&["dump/shop/pods.json", "dump/shop/web-0/logs.txt"]), [". . . ."; 2]);
}

#[test]
fn collect_logs() {
    let paths = [
        "logs/20261115-231000/hub/nodes/hub-control-plane/hub-agent-hub-agent_0.log",
        "logs/20261115-231000/cluster-1/nodes/c1/member-agent-member-agent_2.log",
        "logs/20261115-231000/cluster-1-debug-info.txt",
        "logs/20261115-231000/summary.txt",
    ];
    assert_eq!(
        placed(&paths),
        ["hub . . hub-agent", "cluster-1 . . member-agent", "cluster-1 . . .", ". . . ."]
    );
    assert_eq!(placed(&["cluster-1-debug-info.txt"]), [". . . ."]);
}

#[test]
fn kubelet_logs() {
    let path = "node1/fleet-system_member-agent-7c-x_0f0e/member-agent/1.log.20261115-225000.gz";
    assert_eq!(placed(&[path]), [". fleet-system member-agent-7c-x member-agent"]);
}

#[test]
fn folders_beside_a_hub_are_members_if_they_look_like_clusters() {
    let paths = [
        "ticket/hub/clusterresourceplacements.yaml",
        "ticket/hub/works.fleet-member-member2.yaml",
        "ticket/member1/deployments-web.yaml",
        "ticket/member1/flags.yaml",
        "ticket/member1/namespaces/shop/core/pods.yaml",
        "ticket/member2/whatever.txt",
        "ticket/screenshots/one.txt",
        "ticket/events/events.yaml",
        "ticket/README.md",
    ];
    assert_eq!(
        placed(&paths),
        [
            "hub . . .",
            "hub fleet-member-member2 . .",
            "member1 . . .",
            "member1 . . .",
            "member1 shop . .",
            "member2 . . .",
            ". . . .",
            ". . . .",
            ". . . .",
        ]
    );
}

#[test]
fn a_word_is_not_a_cluster() {
    // No hub beside, no proof: these could be namespaces, teams or days.
    assert_eq!(placed(&["t/shop/pods.yaml", "t/bank/pods.yaml"]), [". . . ."; 2]);
    // A member agent's log proves a member, but the only folder may be named after the ticket.
    assert_eq!(placed(&["sr-4711/member-agent.log"]), [". . . member-agent"]);
    assert_eq!(placed(&["t/logs/member-agent.log", "t/run.txt"])[0], ". . . member-agent");
    assert_eq!(placed(&["t/member1/member-agent.log", "t/run.txt"])[0], "member1 . . member-agent");
    // A namespace called like a member or like the hub.
    let paths = [
        "t/hub/cluster-scoped-resources/cluster.kubernetes-fleet.io/memberclusters/shop.yaml",
        "t/west/namespaces/shop/pods.yaml",
        "t/west/namespaces/hub/core/pods.yaml",
    ];
    assert_eq!(placed(&paths)[1..], ["west shop . .", "west hub . ."]);
}

#[test]
fn members_may_have_a_folder_of_their_own_or_archives() {
    let paths = ["t/hub.tgz", "t/east.zip", "t/east.zip/pods.yaml", "t/hub.tgz/runs.yaml"];
    assert_eq!(placed(&paths)[2..], ["east . . .", "hub . . ."]);
    let paths = ["t/members/east/pods.yaml", "t/members/list.txt"];
    assert_eq!(placed(&paths), ["east . . .", ". . . ."]);
}

#[test]
fn agent_logs_are_known_by_name() {
    let paths = ["hub-agent.log.gz", "fleet-hub-agent-previous.log", "member-agent.1.log"];
    assert_eq!(placed(&paths), ["hub . . hub-agent", "hub . . hub-agent -p", ". . . member-agent"]);
}

#[test]
fn a_hostile_path_costs_little() {
    let deep = "a/".repeat(2000) + "pods.yaml";
    assert_eq!(placed(&[&deep, "", "/", "//hub//"]).len(), 4);
}

#[test]
fn only_a_folder_that_is_a_cluster_is_a_layout() {
    let mut survey = Survey::default();
    let paths = ["bundle/hub/memberclusters.yaml", "bundle/member1/pods.yaml", "bundle/notes.txt"];
    paths.iter().for_each(|path| survey.add(path));
    let told = paths.map(|path| {
        let origin = survey.place(path);
        (origin.cluster.is_some(), origin.layout)
    });
    assert_eq!(told, [(true, Some("folders")), (true, Some("folders")), (false, None)]);
}
