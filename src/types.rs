//! What reports and views are made of, as plain data.

pub use crate::config::{Focus, Ignore, Level, Pattern, Policy};
pub use crate::engine::verdict::{Basis, Cause, Health, Standing, StandingReason, StandingState};
pub use crate::engine::{
    Bar, Board, BoardCluster, BoardStage, CauseList, CauseRow, ClusterProgress, ClusterTakeover,
    Coverage, Diagram, FixedFinding, GateCard, HistoryEvent, Lane, Lanes, LogReading, NotEvaluated,
    Place, Provenance, Report, ReportHistory, ResolvedFinding, ResolvedFix, RestOfHub, RunLine,
    SelectedCluster, SelectorRow, SelectorTable, Subject, Suppressed, SuppressedBy, Verdict,
};
pub use crate::error::Fault;
pub use crate::finding::{
    Certainty, Command, Finding, Fix, Incident, Label, Layer, Matter, NewObject, Outlook,
    Recoverability, Risk, RunsOn, Safety, Severity, Step, Topic,
};
pub use crate::graph::{Clock, ClockSource};
pub use crate::input::{InputDigest, InputError};
pub use crate::manifest::{Surroundings, Webhooks};
pub use crate::model::approval::Side;
pub use crate::model::key::ObjectKey;
pub use crate::report::human::{Asks, Color, Detail, Shell};
pub use crate::rule::Ask;
pub use crate::source::{Encoding, Position, SourceFile, SourceId, Sources, Span, Spanned};

pub mod timeline {
    //! What a timeline consists of.

    pub use crate::views::timeline::{Moment, MomentSource, Period, Timeline};
}

pub mod tree {
    //! What a tree consists of.

    pub use crate::views::tree::{
        FleetTree, NodeKind, NodeProgress, NodeState, ObjectQuery, TreeMark, TreeNode,
    };
}

pub mod plan {
    //! What a plan consists of.

    pub use crate::views::plan::{
        ClusterEvidence, Plan, PlanProblem, PlannedCluster, PlannedStage, PlannedTask, Plans,
    };
}
