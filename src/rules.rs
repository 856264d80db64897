//! The rules, one file each, in areas.
//!
//! The lists below are written by the registry test under `BLESS=1` from the files in `src/rules/`;
//! adding a rule means adding a file and a folder under `testdata/rules/`.

pub mod agents;
pub mod capture;
pub mod chain;
pub mod delivery;
pub mod execute;
pub mod failure;
pub mod gates;
pub mod held;
pub mod initialize;
pub mod input;
pub mod member;
pub mod placing;
pub mod preempt;
pub mod staging;
pub mod wording;

use crate::rule::Rule;

/// Every rule, by code.
#[rustfmt::skip]
pub static ALL: &[&Rule] = &[
    &input::refused_input::REFUSED_INPUT,
    &input::broken_document::BROKEN_DOCUMENT,
    &input::duplicate_key::DUPLICATE_KEY,
    &input::unknown_wording::UNKNOWN_WORDING,
    &input::broken_rule::BROKEN_RULE,
    &initialize::missing_placement::MISSING_PLACEMENT,
    &initialize::placement_not_external::PLACEMENT_NOT_EXTERNAL,
    &initialize::missing_strategy::MISSING_STRATEGY,
    &initialize::invalid_stage_tasks::INVALID_STAGE_TASKS,
    &initialize::invalid_stage_selector::INVALID_STAGE_SELECTOR,
    &initialize::cluster_in_two_stages::CLUSTER_IN_TWO_STAGES,
    &initialize::cluster_in_no_stage::CLUSTER_IN_NO_STAGE,
    &initialize::unusable_sorting_label::UNUSABLE_SORTING_LABEL,
    &initialize::missing_snapshot_index::MISSING_SNAPSHOT_INDEX,
    &initialize::broken_snapshot_group::BROKEN_SNAPSHOT_GROUP,
    &initialize::policy_not_scheduled::POLICY_NOT_SCHEDULED,
    &initialize::no_clusters_picked::NO_CLUSTERS_PICKED,
    &initialize::binding_count_mismatch::BINDING_COUNT_MISMATCH,
    &initialize::broken_policy_snapshot::BROKEN_POLICY_SNAPSHOT,
    &initialize::failed_override_lookup::FAILED_OVERRIDE_LOOKUP,
    &initialize::unselectable_resources::UNSELECTABLE_RESOURCES,
    &initialize::untouched_run::UNTOUCHED_RUN,
    &initialize::unexplained_failure::UNEXPLAINED_FAILURE,
    &execute::changed_apply_strategy::CHANGED_APPLY_STRATEGY,
    &execute::changed_policy::CHANGED_POLICY,
    &execute::changed_cluster_count::CHANGED_CLUSTER_COUNT,
    &execute::changed_stage_clusters::CHANGED_STAGE_CLUSTERS,
    &execute::unscheduled_cluster::UNSCHEDULED_CLUSTER,
    &execute::pruned_snapshot::PRUNED_SNAPSHOT,
    &execute::broken_run_status::BROKEN_RUN_STATUS,
    &execute::unsupported_state::UNSUPPORTED_STATE,
    &execute::dying_placement::DYING_PLACEMENT,
    &execute::edited_strategy::EDITED_STRATEGY,
    &execute::outdated_overrides::OUTDATED_OVERRIDES,
    &execute::skipped_override::SKIPPED_OVERRIDE,
    &execute::late_change::LATE_CHANGE,
    &preempt::preempted_run::PREEMPTED_RUN,
    &preempt::disturbed_binding::DISTURBED_BINDING,
    &preempt::rival_runs::RIVAL_RUNS,
    &preempt::idle_rival::IDLE_RIVAL,
    &preempt::overwritten_cluster::OVERWRITTEN_CLUSTER,
    &preempt::doubled_binding::DOUBLED_BINDING,
    &held::stuck_run::STUCK_RUN,
    &held::overdue_cluster::OVERDUE_CLUSTER,
    &held::recovered_still_stuck::RECOVERED_STILL_STUCK,
    &held::silent_hold::SILENT_HOLD,
    &held::hanging_deletion::HANGING_DELETION,
    &held::stop_limbo::STOP_LIMBO,
    &held::stopped_run::STOPPED_RUN,
    &held::created_stopped::CREATED_STOPPED,
    &held::left_in_initialize::LEFT_IN_INITIALIZE,
    &held::between_stages::BETWEEN_STAGES,
    &held::empty_stage::EMPTY_STAGE,
    &held::undeletable_run::UNDELETABLE_RUN,
    &held::unprocessed_change::UNPROCESSED_CHANGE,
    &gates::stale_approval::STALE_APPROVAL,
    &gates::open_approval::OPEN_APPROVAL,
    &gates::wrong_gate_approved::WRONG_GATE_APPROVED,
    &gates::approval_while_stopped::APPROVAL_WHILE_STOPPED,
    &gates::unanswered_approval::UNANSWERED_APPROVAL,
    &gates::denied_approval::DENIED_APPROVAL,
    &gates::missing_request::MISSING_REQUEST,
    &gates::foreign_request::FOREIGN_REQUEST,
    &gates::mislabelled_request::MISLABELLED_REQUEST,
    &gates::leftover_approval::LEFTOVER_APPROVAL,
    &gates::orphan_request::ORPHAN_REQUEST,
    &gates::withdrawn_approval::WITHDRAWN_APPROVAL,
    &gates::timed_wait::TIMED_WAIT,
    &gates::overdue_timed_wait::OVERDUE_TIMED_WAIT,
    &placing::external_without_run::EXTERNAL_WITHOUT_RUN,
    &placing::mixed_versions::MIXED_VERSIONS,
    &delivery::quota_exceeded::QUOTA_EXCEEDED,
    &delivery::admission_denied::ADMISSION_DENIED,
    &delivery::webhook_unreachable::WEBHOOK_UNREACHABLE,
    &delivery::pod_security_violated::POD_SECURITY_VIOLATED,
    &delivery::namespace_missing::NAMESPACE_MISSING,
    &delivery::namespace_terminating::NAMESPACE_TERMINATING,
    &delivery::kind_not_served::KIND_NOT_SERVED,
    &delivery::immutable_field::IMMUTABLE_FIELD,
    &delivery::field_owned_elsewhere::FIELD_OWNED_ELSEWHERE,
    &delivery::agent_lacks_right::AGENT_LACKS_RIGHT,
    &delivery::object_owned_elsewhere::OBJECT_OWNED_ELSEWHERE,
    &delivery::takeover_differs::TAKEOVER_DIFFERS,
    &delivery::takeover_forbidden::TAKEOVER_FORBIDDEN,
    &delivery::drift_blocks_apply::DRIFT_BLOCKS_APPLY,
    &delivery::manifest_not_applied::MANIFEST_NOT_APPLIED,
    &delivery::object_not_available::OBJECT_NOT_AVAILABLE,
    &delivery::outdated_availability::OUTDATED_AVAILABILITY,
    &delivery::degraded_diff_uncounted::DEGRADED_DIFF_UNCOUNTED,
    &delivery::diff_not_reported::DIFF_NOT_REPORTED,
    &delivery::drift_tolerated::DRIFT_TOLERATED,
    &delivery::differences_reported::DIFFERENCES_REPORTED,
    &delivery::envelope_content_refused::ENVELOPE_CONTENT_REFUSED,
    &delivery::work_not_written::WORK_NOT_WRITTEN,
    &delivery::work_name_taken::WORK_NAME_TAKEN,
    &delivery::work_deletion_hangs::WORK_DELETION_HANGS,
    &delivery::work_not_processed::WORK_NOT_PROCESSED,
    &delivery::untrackable_wait::UNTRACKABLE_WAIT,
    &delivery::stale_placement_status::STALE_PLACEMENT_STATUS,
    &delivery::duplicate_envelope_works::DUPLICATE_ENVELOPE_WORKS,
    &delivery::selected_namespace_terminating::SELECTED_NAMESPACE_TERMINATING,
    &member::silent_member_agent::SILENT_MEMBER_AGENT,
    &member::leaving_member::LEAVING_MEMBER,
    &member::never_joined_member::NEVER_JOINED_MEMBER,
    &member::unhealthy_member::UNHEALTHY_MEMBER,
    &member::image_not_pulled::IMAGE_NOT_PULLED,
    &member::container_crashing::CONTAINER_CRASHING,
    &member::configuration_missing::CONFIGURATION_MISSING,
    &member::pod_unschedulable::POD_UNSCHEDULABLE,
    &member::probe_failing::PROBE_FAILING,
    &member::rollout_held_back::ROLLOUT_HELD_BACK,
    &member::load_balancer_pending::LOAD_BALANCER_PENDING,
    &member::claim_pending::CLAIM_PENDING,
    &member::job_failed_unnoticed::JOB_FAILED_UNNOTICED,
    &member::pods_not_created::PODS_NOT_CREATED,
    &capture::two_moments::TWO_MOMENTS,
    &capture::contradicting_sightings::CONTRADICTING_SIGHTINGS,
    &capture::impossible_condition::IMPOSSIBLE_CONDITION,
    &agents::hub_agent_down::HUB_AGENT_DOWN,
];

/// Finds a rule by its code or its name.
pub fn find_rule(text: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(text) || rule.name == text)
}
