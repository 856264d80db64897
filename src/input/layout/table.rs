//! The known bundle layouts, as data: which path says what.
//!
//! Sources: `oc adm must-gather` and `oc adm inspect`, the support bundles of troubleshoot.sh,
//! `kubectl cluster-info dump`, KubeFleet's `test/e2e/collect-logs.sh`, kubelet's `/var/log/pods`, and
//! folders made by hand with one folder per cluster. How rows are applied is [`super`]'s matter.
//! Invariant: a row claims only what the tool that made the layout guarantees.

/// A path pattern and what it says about the file. The first row that matches wins.
pub(super) struct LayoutRow {
    pub(super) layout: &'static str,
    /// Matched against the end of the path; captures are `cluster`, `namespace`, `pod`, `container` and
    /// `member` (the cluster of a `fleet-member-…` namespace of the hub).
    pub(super) path: &'static str,
    /// A file that must stand beside, as seen from where the match begins.
    pub(super) beside: Option<&'static str>,
    pub(super) cluster: Option<&'static str>,
    pub(super) container: Option<&'static str>,
    pub(super) previous: bool,
}

const fn row(layout: &'static str, path: &'static str) -> LayoutRow {
    LayoutRow { layout, path, beside: None, cluster: None, container: None, previous: false }
}

impl LayoutRow {
    const fn beside(mut self, path: &'static str) -> Self {
        self.beside = Some(path);
        self
    }

    const fn on_hub(mut self) -> Self {
        self.cluster = Some(HUB);
        self
    }

    const fn container(mut self, name: &'static str) -> Self {
        self.container = Some(name);
        self
    }

    const fn previous(mut self) -> Self {
        self.previous = true;
        self
    }
}

/// How the hub is called in an [`Origin`](crate::source::Origin).
pub(super) const HUB: &str = "hub";

/// The layout of files that no tool put in a place of their own.
pub(super) const LOOSE: &str = "loose";

/// What single files are.
pub(super) static ROWS: &[LayoutRow] = &[
    row("inspect", "namespaces/{namespace}/pods/{pod}/{container}/*/logs/previous*.log").previous(),
    row("inspect", "namespaces/{namespace}/pods/{pod}/{container}/*/logs/current*.log"),
    row("inspect", "namespaces/{namespace}/pods/{pod}/{container}/*/logs/rotated/*"),
    row("inspect", "namespaces/{namespace}/**"),
    row("inspect", "cluster-scoped-resources/**"),
    row("troubleshoot", "cluster-resources/pods/logs/{namespace}/{pod}/{container}-previous.log")
        .previous(),
    row("troubleshoot", "cluster-resources/pods/logs/{namespace}/{pod}/{container}.log"),
    row("troubleshoot", "cluster-resources/custom-resources/*/{namespace}.json"),
    row("troubleshoot", "cluster-resources/custom-resources/*/{namespace}.yaml"),
    row("troubleshoot", "cluster-resources/custom-resources/*"),
    row("troubleshoot", "cluster-resources/*/{namespace}.json"),
    row("troubleshoot", "cluster-resources/**"),
    row("collect-logs", "{cluster}/nodes/*/hub-agent-{container}_*.log"),
    row("collect-logs", "{cluster}/nodes/*/member-agent-{container}_*.log"),
    row("collect-logs", "{cluster}-debug-info.txt").beside("summary.txt"),
    row("cluster-info", "{namespace}/{pod}/logs.txt")
        .beside("{namespace}/replication-controllers.json"),
    row("cluster-info", "{namespace}/*.json").beside("{namespace}/replication-controllers.json"),
    row("kubelet", "{namespace}_{pod}_{uid}/{container}/*.log*"),
    row(LOOSE, "*.fleet-member-{member}.describe.txt").on_hub(),
    row(LOOSE, "*.fleet-member-{member}.txt").on_hub(),
    row(LOOSE, "*.fleet-member-{member}.yaml").on_hub(),
    row(LOOSE, "*.fleet-member-{member}.json").on_hub(),
    row(LOOSE, "*hub-agent*previous*.log*").on_hub().container("hub-agent").previous(),
    row(LOOSE, "*hub-agent*.log*").on_hub().container("hub-agent"),
    row(LOOSE, "*member-agent*previous*.log*").container("member-agent").previous(),
    row(LOOSE, "*member-agent*.log*").container("member-agent"),
];

/// What the presence of a path says about the folder it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The folder was taken from the hub.
    Hub,
    /// The folder was taken from some member cluster.
    Member,
    /// The folder was taken from one cluster, whichever.
    Cluster,
}

/// Paths that exist only on the hub, only on members, or only below the folder of one cluster.
pub(super) static PROOFS: &[(Proof, &str)] = &[
    (Proof::Hub, "cluster-scoped-resources/cluster.kubernetes-fleet.io/memberclusters/**"),
    (Proof::Hub, "cluster-scoped-resources/cluster.kubernetes-fleet.io/memberclusters.yaml"),
    (Proof::Hub, "cluster-scoped-resources/placement.kubernetes-fleet.io/cluster*/**"),
    (Proof::Hub, "cluster-scoped-resources/placement.kubernetes-fleet.io/cluster*.yaml"),
    (Proof::Hub, "namespaces/fleet-member-*/**"),
    (Proof::Hub, "namespaces/*/pods/hub-agent-*/**"),
    (Proof::Hub, "cluster-resources/custom-resources/memberclusters.cluster.kubernetes-fleet.io*"),
    (Proof::Hub, "cluster-resources/custom-resources/cluster*.placement.kubernetes-fleet.io*"),
    (Proof::Hub, "cluster-resources/pods/logs/*/hub-agent-*/*"),
    (Proof::Hub, "*/hub-agent-*/logs.txt"),
    (Proof::Member, "cluster-scoped-resources/placement.kubernetes-fleet.io/appliedworks/**"),
    (Proof::Member, "cluster-scoped-resources/placement.kubernetes-fleet.io/appliedworks.yaml"),
    (Proof::Member, "namespaces/*/pods/member-agent-*/**"),
    (
        Proof::Member,
        "cluster-resources/custom-resources/appliedworks.placement.kubernetes-fleet.io*",
    ),
    (Proof::Member, "cluster-resources/pods/logs/*/member-agent-*/*"),
    (Proof::Member, "*/member-agent-*/logs.txt"),
    (Proof::Member, "nodes/*/member-agent-*.log*"),
    (Proof::Member, "appliedworks.*"),
    (Proof::Member, "*member-agent*.log*"),
    (Proof::Cluster, "cluster-scoped-resources/**"),
    (Proof::Cluster, "namespaces/*/**"),
    (Proof::Cluster, "cluster-resources/**"),
];

/// Paths of the hub that name a member cluster.
pub(super) static MEMBERS: &[&str] = &[
    "cluster-scoped-resources/cluster.kubernetes-fleet.io/memberclusters/{member}.yaml",
    "namespaces/fleet-member-{member}/**",
    "custom-resources/works.placement.kubernetes-fleet.io/fleet-member-{member}.json",
    "memberclusters-{member}.yaml",
    "*.fleet-member-{member}.describe.txt",
    "*.fleet-member-{member}.txt",
    "*.fleet-member-{member}.yaml",
    "*.fleet-member-{member}.json",
];

/// Resources of a workload cluster; a file `PLURAL.…` or `PLURAL-NAME.…` of one makes its folder look
/// like that of a cluster.
pub(super) static WORKLOADS: &[&str] = &[
    "configmaps",
    "cronjobs",
    "daemonsets",
    "deployments",
    "events",
    "ingresses",
    "jobs",
    "namespaces",
    "networkpolicies",
    "nodes",
    "persistentvolumeclaims",
    "poddisruptionbudgets",
    "pods",
    "replicasets",
    "resourcequotas",
    "secrets",
    "services",
    "statefulsets",
    "validatingwebhookconfigurations",
];

/// Folder names that mean the hub.
pub(super) static HUB_FOLDERS: &[&str] = &["hub", "hub-cluster", "fleet-hub"];

/// Folders whose subfolders are member clusters.
pub(super) static MEMBER_FOLDERS: &[&str] = &["members", "member-clusters"];

/// Folders that a collecting tool makes inside the folder of a cluster: nothing below names a cluster.
pub(super) static INSIDE_CLUSTER: &[&str] =
    &["cluster-resources", "cluster-scoped-resources", "namespaces", "nodes", "pods"];

/// Words that make a folder's name something other than a cluster's.
pub(super) static NOT_A_NAME: &[&str] = &[
    "agent",
    "agents",
    "attachments",
    "bundle",
    "capture",
    "dump",
    "events",
    "files",
    "gather",
    "json",
    "log",
    "logs",
    "manifests",
    "members",
    "objects",
    "output",
    "resources",
    "support",
    "system",
    "ticket",
    "tmp",
    "yaml",
];

/// Endings under which archives and packed files are shown as folders and files.
pub(super) static PACKED: &[&str] =
    &[".tar.gz", ".tar.zst", ".tgz", ".tzst", ".tar", ".zip", ".gz", ".zst"];
