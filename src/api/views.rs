//! `timeline`, `tree` and `plan`: what can be shown without a verdict.

use jiff::Timestamp;

use crate::bundle::Bundle;
use crate::config::{Config, Focus};
use crate::engine::{judge_graph, marked_tree, sanitized};
use crate::error::Error;
use crate::graph::{self, Clock};
use crate::input::Input;
use crate::report::human::Color;
use crate::report::{plan as plan_text, timeline as timeline_text, tree as tree_text};
use crate::source::Sources;
use crate::views::plan::{Plans, plans};
use crate::views::timeline::{Period, Timeline, timeline as timeline_of};
use crate::views::tree::{FleetTree, ObjectQuery};

/// What is shown, with the texts that it points into.
#[derive(Debug)]
pub struct View<T> {
    /// The timeline, tree or plan itself.
    pub content: T,
    /// When the input was captured.
    pub clock: Clock,
    /// The texts; every span of the content points into one of them.
    pub sources: Sources,
}

impl<T> View<T> {
    /// Returns a text without any value of a Secret.
    fn finished(&self, text: &str) -> String {
        self.sources.hide_known(text).into_owned()
    }
}

/// What a timeline shows.
#[derive(Clone, Debug, Default)]
pub struct TimelineOptions {
    /// The moment of capture, which tells the year of logs; without it the newest timestamp.
    pub now: Option<Timestamp>,
    /// Which part of the fleet is asked about.
    pub focus: Focus,
    /// Which part of its history is asked for.
    pub period: Period,
}

/// Puts everything that has a time in order.
///
/// ```
/// use fleetlens::{Input, TimelineOptions, timeline};
///
/// let run = "\
/// apiVersion: placement.kubernetes-fleet.io/v1beta1
/// kind: ClusterStagedUpdateRun
/// metadata: {name: web-2, creationTimestamp: \"2026-11-16T12:00:00Z\"}
/// spec: {placementName: web, stagedRolloutStrategyName: rings, state: Run}
/// ";
/// let shown = timeline(&[Input::bytes("runs.yaml", run)], &TimelineOptions::default())?;
/// assert_eq!(shown.content.moments.len(), 1);
/// assert!(shown.to_text(80).contains("12:00:00"));
/// # Ok::<(), fleetlens::Error>(())
/// ```
pub fn timeline(inputs: &[Input], options: &TimelineOptions) -> Result<View<Timeline>, Error> {
    let bundle = Bundle::read(inputs)?;
    let graph = graph::build(&bundle, options.now);
    let found = timeline_of(&graph, &options.focus, &options.period);
    let content = sanitized(found, &bundle.sources);
    Ok(View { content, clock: graph.clock, sources: bundle.sources })
}

impl View<Timeline> {
    /// Returns a table for people, of some columns.
    pub fn to_text(&self, width: usize) -> String {
        self.finished(&timeline_text::render(&self.content, &self.sources, width))
    }

    /// Returns a list for programs, one entry per event.
    pub fn to_json(&self) -> String {
        self.finished(&timeline_text::render_json(&self.content, &self.sources))
    }
}

/// What a tree shows.
#[derive(Clone, Debug, Default)]
pub struct TreeOptions {
    /// The moment of capture; without it the newest timestamp.
    pub now: Option<Timestamp>,
    /// Which part of the fleet is asked about.
    pub focus: Focus,
    /// An object on a member, whose way there is asked for instead of the whole tree.
    pub object: Option<ObjectQuery>,
}

/// Shows runs and placements down to pods, or what put an object on a member; findings stand at their nodes.
///
/// ```
/// use fleetlens::{Input, TreeOptions, tree};
///
/// let run = "\
/// apiVersion: placement.kubernetes-fleet.io/v1beta1
/// kind: ClusterStagedUpdateRun
/// metadata: {name: web-2}
/// spec: {placementName: web, stagedRolloutStrategyName: rings, state: Run}
/// ";
/// let shown = tree(&[Input::bytes("runs.yaml", run)], &TreeOptions::default())?;
/// assert!(shown.to_text(80).contains("ClusterStagedUpdateRun web-2"));
/// # Ok::<(), fleetlens::Error>(())
/// ```
pub fn tree(inputs: &[Input], options: &TreeOptions) -> Result<View<FleetTree>, Error> {
    let bundle = Bundle::read(inputs)?;
    let graph = graph::build(&bundle, options.now);
    let config = Config { now: options.now, ..Config::default() };
    let report = judge_graph(&bundle, &graph, &config);
    let forest = marked_tree(&graph, &report, &options.focus, options.object.as_ref());
    let content = sanitized(forest, &bundle.sources);
    Ok(View { content, clock: graph.clock, sources: bundle.sources })
}

impl View<FleetTree> {
    /// Returns a drawing for people, of some columns.
    pub fn to_text(&self, width: usize) -> String {
        self.finished(&tree_text::render(&self.content, &self.clock, width, Color::None))
    }

    /// Returns the tree for programs.
    pub fn to_json(&self) -> String {
        self.finished(&tree_text::render_json(&self.content, &self.clock))
    }

    /// Returns the text of a Mermaid drawing.
    pub fn to_mermaid(&self) -> String {
        self.finished(&tree_text::render_mermaid(&self.content, &self.clock))
    }

    /// Returns the text of a Graphviz drawing.
    pub fn to_dot(&self) -> String {
        self.finished(&tree_text::render_dot(&self.content, &self.clock))
    }
}

/// What a plan is made of besides its inputs.
#[derive(Clone, Debug, Default)]
pub struct PlanOptions {
    /// Dumps of member clusters, for their labels.
    pub members: Vec<Input>,
}

/// Shows which cluster lands in which stage, in what order, and how long that takes at least.
///
/// ```
/// use fleetlens::{Input, PlanOptions, plan};
///
/// let strategy = "\
/// apiVersion: placement.kubernetes-fleet.io/v1beta1
/// kind: ClusterStagedUpdateStrategy
/// metadata: {name: rings}
/// spec:
///   stages:
///   - {name: canary, labelSelector: {matchLabels: {ring: canary}}}
/// ";
/// let shown = plan(&[Input::bytes("rings.yaml", strategy)], &PlanOptions::default())?;
/// assert_eq!(shown.content.plans[0].stages[0].name, "canary");
/// # Ok::<(), fleetlens::Error>(())
/// ```
pub fn plan(inputs: &[Input], options: &PlanOptions) -> Result<View<Plans>, Error> {
    let bundle = Bundle::read(inputs)?;
    let graph = graph::build(&bundle, None);
    let more = graph::build(&Bundle::read(&options.members)?, None);
    let content = plans(&graph, (!options.members.is_empty()).then_some(&more));
    Ok(View { content, clock: graph.clock, sources: bundle.sources })
}

impl View<Plans> {
    /// Returns tables for people, of some columns.
    pub fn to_text(&self, width: usize) -> String {
        self.finished(&plan_text::render(&self.content, width))
    }

    /// Returns the plans for programs.
    pub fn to_json(&self) -> String {
        self.finished(&plan_text::render_json(&self.content))
    }
}
