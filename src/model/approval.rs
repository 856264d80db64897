//! Approval requests.

use std::sync::Arc;

use super::condition::{Condition, find_condition, read_conditions};
use super::meta::Meta;
use super::read::{Text, read_text};

/// A (Cluster)ApprovalRequest.
#[derive(Clone, Debug)]
pub struct ApprovalRequest {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `spec.parentStageRollout`: the run.
    pub run: Option<Text>,
    /// `spec.targetStage`.
    pub stage: Option<Text>,
    /// `status.conditions`.
    pub conditions: Vec<Condition>,
}

/// On which side of a stage a gate stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Before the stage's clusters are touched.
    Before,
    /// After all of them are done.
    After,
}

impl Side {
    /// Returns the word used in request names and messages.
    pub fn word(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

impl ApprovalRequest {
    /// Reads an approval request.
    pub fn read(meta: Arc<Meta>) -> Self {
        let spec = meta.root.get("spec");
        Self {
            run: spec.and_then(|spec| read_text(spec, "parentStageRollout")),
            stage: spec.and_then(|spec| read_text(spec, "targetStage")),
            conditions: meta
                .root
                .get("status")
                .map(|s| read_conditions(s, "conditions"))
                .unwrap_or_default(),
            meta,
        }
    }

    /// Returns the name under which a run looks for the request of a stage.
    pub fn name_of(run: &str, side: Side, stage: &str) -> String {
        format!("{run}-{}-{stage}", side.word())
    }

    /// Returns its name for a sentence; a piece without one is told by its stage and run.
    pub fn show(&self) -> String {
        match (&*self.meta.key.name, self.stage_name(), self.run_name()) {
            ("", Some(stage), Some(run)) => format!("the request for stage {stage} of {run}"),
            _ => self.meta.name().to_owned(),
        }
    }

    /// Returns the user's word.
    pub fn approved(&self) -> Option<&Condition> {
        find_condition(&self.conditions, "Approved")
    }

    /// Returns the controller's word.
    pub fn accepted(&self) -> Option<&Condition> {
        find_condition(&self.conditions, "ApprovalAccepted")
    }

    /// Returns the run that the request belongs to, by its spec, else by its label (both spellings).
    pub fn run_name(&self) -> Option<&str> {
        let label = || {
            let keys =
                ["kubernetes-fleet.io/targetUpdateRun", "kubernetes-fleet.io/targetupdaterun"];
            keys.iter().find_map(|key| self.meta.label(key))
        };
        self.run.as_deref().or_else(|| label().map(|text| &*text.value))
    }

    /// Returns the stage that the request belongs to, by its spec, else by its label.
    pub fn stage_name(&self) -> Option<&str> {
        let label = || self.meta.label("kubernetes-fleet.io/targetUpdatingStage");
        self.stage.as_deref().or_else(|| label().map(|text| &*text.value))
    }

    /// Returns the side of the stage, by label, else by the name `<run>-<side>-<stage>`.
    pub fn side(&self) -> Option<Side> {
        match self.meta.label("kubernetes-fleet.io/taskType").map(|text| &*text.value) {
            Some("beforeStage") => return Some(Side::Before),
            Some("afterStage") => return Some(Side::After),
            _ => {}
        }
        let rest = self.meta.name().strip_prefix(self.run_name()?)?;
        let stage = self.stage_name()?;
        [Side::Before, Side::After]
            .into_iter()
            .find(|side| rest == format!("-{}-{stage}", side.word()))
    }
}
