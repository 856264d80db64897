//! Built-in describers: what a diagnosis needs stands where YAML has it.

use super::{at, node_at, parse_one};
use fleetlens::internals::syntax::Syntax;

#[test]
fn a_job_gives_its_counts() {
    let job = parse_one(
        "Name:             import\nNamespace:        etl\nSelector:         batch.kubernetes.io/controller-uid=77\n\
         Labels:           app=import\nAnnotations:      <none>\nParallelism:      1\nCompletions:      3\n\
         Completion Mode:  NonIndexed\nSuspend:          false\nBackoff Limit:    4\n\
         Start Time:       Mon, 16 Nov 2026 14:00:00 +0100\n\
         Pods Statuses:    1 Active (0 Ready) / 2 Succeeded / 5 Failed\nPod Template:\n  Labels:  app=import\n  Containers:\n   \
         import:\n    Image:      example.com/import:1\n  Volumes:         <none>\nEvents:            <none>\n",
    );
    assert_eq!(job.head.kind.as_deref(), Some("Job"));
    assert_eq!(job.syntax, Syntax::DescribeBuiltin);
    for (path, value) in [
        ("spec.completions", "3"),
        ("spec.suspend", "false"),
        ("status.active", "1"),
        ("status.ready", "0"),
        ("status.succeeded", "2"),
        ("status.failed", "5"),
        ("status.startTime", "2026-11-16T13:00:00Z"),
        ("spec.template.spec.containers.0.name", "import"),
        ("spec.template.spec.containers.0.image", "example.com/import:1"),
    ] {
        assert_eq!(at(&job, path), value, "{path}");
    }
}

#[test]
fn sets_give_their_replicas() {
    let set = parse_one(
        "Name:               db\nNamespace:          shop\nCreationTimestamp:  Mon, 16 Nov 2026 12:00:00 +0000\n\
         Selector:           app=db\nLabels:             <none>\nAnnotations:        <none>\n\
         Replicas:           3 desired | 2 total\nUpdate Strategy:    RollingUpdate\n  Partition:        1\n\
         Pods Status:        2 Running / 0 Waiting / 0 Succeeded / 0 Failed\n",
    );
    assert_eq!(set.head.kind.as_deref(), Some("StatefulSet"));
    assert_eq!(at(&set, "spec.replicas"), "3");
    assert_eq!(at(&set, "status.replicas"), "2");
    assert_eq!(at(&set, "spec.updateStrategy.rollingUpdate.partition"), "1");

    let set = parse_one(
        "Name:           agent\nSelector:       app=agent\nNode-Selector:  <none>\nLabels:         app=agent\nAnnotations:    <none>\n\
         Desired Number of Nodes Scheduled: 3\nCurrent Number of Nodes Scheduled: 2\n\
         Number of Nodes Scheduled with Up-to-date Pods: 2\nNumber of Nodes Scheduled with Available Pods: 1\n\
         Number of Nodes Misscheduled: 0\nPods Status:  1 Running / 1 Waiting / 0 Succeeded / 0 Failed\n",
    );
    assert_eq!(set.head.kind.as_deref(), Some("DaemonSet"));
    assert_eq!(at(&set, "status.desiredNumberScheduled"), "3");
    assert_eq!(at(&set, "status.numberAvailable"), "1");
}

#[test]
fn a_budget_of_disruptions_gives_its_counts() {
    let budget = parse_one(
        "Name:             web\nNamespace:        shop\nMin available:    2\nSelector:         app=web\nStatus:\n    \
         Allowed disruptions:  0\n    Current:              1\n    Desired:              2\n    Total:                3\n\
         Events:                   <none>\n",
    );
    assert_eq!(budget.head.kind.as_deref(), Some("PodDisruptionBudget"));
    assert_eq!(budget.head.namespace.as_deref(), Some("shop"));
    assert!(budget.problems.is_empty(), "{:?}", budget.problems);
    for (path, value) in [
        ("spec.minAvailable", "2"),
        ("spec.selector.matchLabels.app", "web"),
        ("status.disruptionsAllowed", "0"),
        ("status.currentHealthy", "1"),
        ("status.desiredHealthy", "2"),
        ("status.expectedPods", "3"),
    ] {
        assert_eq!(at(&budget, path), value, "{path}");
    }
}

#[test]
fn a_quota_gives_what_is_used_and_allowed() {
    let quota = parse_one(
        "Name:            team\nNamespace:       shop\nResource         Used   Hard\n--------         ----   ----\n\
         pods             4      4\nrequests.cpu     900m   1\n",
    );
    assert_eq!(quota.head.kind.as_deref(), Some("ResourceQuota"));
    let used = node_at(&quota, "status.used");
    assert_eq!(used.get("requests.cpu").unwrap().as_str(), Some("900m"));
    assert_eq!(at(&quota, "status.hard.pods"), "4");
}

#[test]
fn a_claim_a_service_and_a_node_give_their_state() {
    let claim = parse_one(
        "Name:          data\nNamespace:     shop\nStorageClass:  fast\nStatus:        Pending\nVolume:        \n\
         Labels:        <none>\nAnnotations:   <none>\nFinalizers:    [kubernetes.io/pvc-protection]\nCapacity:      \n\
         Access Modes:  \nVolumeMode:    Filesystem\nUsed By:       db-0\nEvents:\n  Type     Reason              Age   From                         Message\n  \
         ----     ------              ----  ----                         -------\n  \
         Warning  ProvisioningFailed  3s    persistentvolume-controller  storageclass \"fast\" not found\n",
    );
    assert_eq!(claim.head.kind.as_deref(), Some("PersistentVolumeClaim"));
    assert_eq!(at(&claim, "status.phase"), "Pending");
    assert_eq!(at(&claim, "spec.storageClassName"), "fast");
    assert_eq!(at(&claim, "events.0.message"), "storageclass \"fast\" not found");

    let service = parse_one(
        "Name:                     web\nNamespace:                shop\nLabels:                   <none>\nAnnotations:              <none>\n\
         Selector:                 app=web,tier=front\nType:                     LoadBalancer\nIP:                       10.0.0.7\n\
         LoadBalancer Ingress:     203.0.113.9 (VIP)\nPort:                     http  80/TCP\nTargetPort:               8080/TCP\n\
         NodePort:                 http  31234/TCP\nEndpoints:                10.1.0.4:8080\nSession Affinity:         None\nEvents:                   <none>\n",
    );
    assert_eq!(service.head.kind.as_deref(), Some("Service"));
    assert_eq!(at(&service, "status.loadBalancer.ingress.0.ip"), "203.0.113.9");
    assert_eq!(at(&service, "spec.ports.0.targetPort"), "8080");
    assert_eq!(at(&service, "spec.ports.0.nodePort"), "31234");
    assert_eq!(at(&service, "spec.selector.tier"), "front");

    let node = parse_one(
        "Name:               node-1\nRoles:              <none>\nLabels:             beta=1\nAnnotations:        <none>\n\
         CreationTimestamp:  Mon, 16 Nov 2026 12:00:00 +0000\nTaints:             dedicated=gpu:NoSchedule\n                    \
         node.kubernetes.io/unreachable:NoExecute\nUnschedulable:      true\nConditions:\n  \
         Type    Status   LastHeartbeatTime                 LastTransitionTime                Reason             Message\n  \
         ----    ------   -----------------                 ------------------                ------             -------\n  \
         Ready   Unknown  Mon, 16 Nov 2026 12:00:00 +0000   Mon, 16 Nov 2026 12:05:00 +0000   NodeStatusUnknown  Kubelet stopped posting node status.\n\
         Addresses:\n  InternalIP:  10.224.0.4\nCapacity:\n  cpu:     2\n  memory:  7Gi\n",
    );
    assert_eq!(node.head.kind.as_deref(), Some("Node"));
    assert_eq!(at(&node, "status.conditions.0.reason"), "NodeStatusUnknown");
    assert_eq!(at(&node, "status.conditions.0.lastTransitionTime"), "2026-11-16T12:05:00Z");
    assert_eq!(at(&node, "spec.taints.1.effect"), "NoExecute");
    assert_eq!(at(&node, "spec.unschedulable"), "true");
    assert_eq!(at(&node, "status.capacity.memory"), "7Gi");
}
