//! What reports and views are made of, as plain data.

pub use crate::config::{Focus, Ignore, Level, Pattern, Policy};
pub use crate::engine::verdict::{Basis, Cause, Health, Reason, Standing, State};
pub use crate::engine::{
    Bar, Board, BoardCluster, BoardStage, By, CauseList, CauseRow, Chronicle, Coverage, Elsewhere,
    Fixed, GateCard, Handover, Lane, Lanes, LogReading, NotEvaluated, Picture, Place, Progress,
    Provenance, Remedy, Report, Resolved, RunLine, SelectedCluster, SelectorRow, SelectorTable,
    Subject, Suppressed, ToldEvent, Verdict,
};
pub use crate::error::Fault;
pub use crate::finding::{
    Certainty, Command, Event, Finding, Fix, Label, Layer, Matter, NewObject, Outlook,
    Recoverability, Risk, RunsOn, Safety, Severity, Step, Topic,
};
pub use crate::graph::{Clock, ClockSource};
pub use crate::input::{Error as InputError, InputDigest};
pub use crate::manifest::{Surroundings, Webhooks};
pub use crate::model::approval::Side;
pub use crate::model::key::ObjectKey;
pub use crate::report::human::{Asks, Color, Detail, Shell};
pub use crate::rule::Ask;
pub use crate::source::{Encoding, Position, SourceFile, SourceId, Sources, Span, Spanned};

pub mod timeline {
    //! What a timeline consists of.

    pub use crate::views::timeline::{Moment, Origin, Period, Timeline};
}

pub mod tree {
    //! What a tree consists of.

    pub use crate::views::tree::{Branch, Forest, Mark, Mood, Sort, State, Wanted};
}

pub mod plan {
    //! What a plan consists of.

    pub use crate::views::plan::{
        Basis, Plan, PlannedCluster, PlannedStage, PlannedTask, Plans, Problem,
    };
}
