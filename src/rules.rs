//! The rules, one file each, in areas.
//!
//! The lists below are written by the registry test under `BLESS=1` from the files in `src/rules/`;
//! adding a rule means adding a file and a folder under `testdata/rules/`.

pub mod execute;
pub mod failure;
pub mod gates;
pub mod held;
pub mod initialize;
pub mod input;
pub mod manifest_member;
pub mod manifest_override;
pub mod manifest_policy;
pub mod manifest_run;
pub mod manifest_selector;
pub mod manifest_shape;
pub mod manifest_strategy;
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
    &manifest_shape::malformed_manifest::MALFORMED_MANIFEST,
    &manifest_shape::duplicate_key::DUPLICATE_KEY,
    &manifest_shape::unknown_kind::UNKNOWN_KIND,
    &manifest_shape::version_not_served::VERSION_NOT_SERVED,
    &manifest_shape::removed_group::REMOVED_GROUP,
    &manifest_shape::old_version::OLD_VERSION,
    &manifest_shape::preview_group::PREVIEW_GROUP,
    &manifest_shape::unknown_field::UNKNOWN_FIELD,
    &manifest_shape::wrong_type::WRONG_TYPE,
    &manifest_shape::missing_field::MISSING_FIELD,
    &manifest_shape::value_not_allowed::VALUE_NOT_ALLOWED,
    &manifest_shape::limit_crossed::LIMIT_CROSSED,
    &manifest_shape::pattern_mismatch::PATTERN_MISMATCH,
    &manifest_shape::bad_name::BAD_NAME,
    &manifest_shape::bad_namespace::BAD_NAMESPACE,
    &manifest_shape::bad_label::BAD_LABEL,
    &manifest_shape::bad_metadata::BAD_METADATA,
    &manifest_shape::changed_immutable_field::CHANGED_IMMUTABLE_FIELD,
    &manifest_strategy::concurrency_below_one::CONCURRENCY_BELOW_ONE,
    &manifest_strategy::wait_missing::WAIT_MISSING,
    &manifest_strategy::wait_on_approval::WAIT_ON_APPROVAL,
    &manifest_strategy::timed_wait_before_stage::TIMED_WAIT_BEFORE_STAGE,
    &manifest_run::name_too_long::NAME_TOO_LONG,
    &manifest_run::forbidden_transition::FORBIDDEN_TRANSITION,
    &manifest_policy::field_not_for_type::FIELD_NOT_FOR_TYPE,
    &manifest_policy::cluster_count_missing::CLUSTER_COUNT_MISSING,
    &manifest_policy::bad_toleration::BAD_TOLERATION,
    &manifest_policy::removed_policy::REMOVED_POLICY,
    &manifest_policy::changed_placement_type::CHANGED_PLACEMENT_TYPE,
    &manifest_policy::left_external::LEFT_EXTERNAL,
    &manifest_policy::report_back_without_destination::REPORT_BACK_WITHOUT_DESTINATION,
    &manifest_selector::name_and_label::NAME_AND_LABEL,
    &manifest_selector::mixed_namespace_selectors::MIXED_NAMESPACE_SELECTORS,
    &manifest_selector::bad_status_scope::BAD_STATUS_SCOPE,
    &manifest_override::namespaced_scope_in_cluster_override::NAMESPACED_SCOPE_IN_CLUSTER_OVERRIDE,
    &manifest_override::changed_override_placement::CHANGED_OVERRIDE_PLACEMENT,
    &manifest_member::both_budget_limits::BOTH_BUDGET_LIMITS,
    &manifest_member::bad_budget_number::BAD_BUDGET_NUMBER,
];

/// Finds a rule by its code or its name.
pub fn find_rule(text: &str) -> Option<&'static Rule> {
    ALL.iter().copied().find(|rule| rule.code.eq_ignore_ascii_case(text) || rule.name == text)
}
