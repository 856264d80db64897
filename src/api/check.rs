//! `check`: what a hub would refuse in manifests, and what would not do what is meant.

use super::Judgement;
use crate::check::{CheckExtent, CheckSettings, check as judge_manifests};
use crate::config::Policy;
use crate::error::Error;
use crate::input::{Input, InputFile, Limits, read_inputs};
use crate::manifest::{FileRole, Repository, Setting, Surroundings, Webhooks};
use crate::source::Sources;

/// What a check is to know and to do.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// What is stored so far: manifests of the same name are judged as edits of it.
    pub old: Vec<Input>,
    /// What else is there, to look things up in.
    pub context: Vec<Input>,
    /// Dumps of member clusters, for their labels.
    pub members: Vec<Input>,
    /// Whether the hub has its admission webhooks.
    pub webhooks: Webhooks,
    /// Whether what is not here does not exist.
    pub surroundings: Surroundings,
    /// Rules whose findings are wanted, by code, beginning of a code, or name; empty means all.
    pub select: Vec<String>,
    /// Rules whose findings are counted only.
    pub ignore: Vec<String>,
    /// Levels of rules, and what is ignored.
    pub policy: Policy,
}

/// Judges manifests before they are applied.
///
/// Files that are named are read whatever they are called; of folders and archives those that end with `.yaml`, `.yml`
/// or `.json`. What git ignores or has stored is for the command line.
///
/// ```
/// use fleetlens::{CheckOptions, Input, check};
///
/// let strategy = "\
/// apiVersion: placement.kubernetes-fleet.io/v1beta1
/// kind: ClusterStagedUpdateStrategy
/// metadata: {name: rings}
/// spec:
///   stages:
///   - {name: canary, labelSelector: {matchLabels: {ring: canary}}}
///   - {name: canary, labelSelector: {matchLabels: {ring: all}}}
/// ";
/// let judged = check(&[Input::bytes("rings.yaml", strategy)], &CheckOptions::default())?;
/// let found = judged.report.findings.first().expect("a finding");
/// assert_eq!(found.primary.start.line, 7, "{}", found.finding.message);
/// # Ok::<(), fleetlens::Error>(())
/// ```
pub fn check(inputs: &[Input], options: &CheckOptions) -> Result<Judgement, Error> {
    let mut sources = Sources::default();
    let mut roles = Vec::new();
    let parts = [
        (inputs, FileRole::Judged),
        (&options.old, FileRole::Old),
        (&options.members, FileRole::Members),
        (&options.context, FileRole::Context),
    ];
    for (inputs, role) in parts {
        read_manifests(inputs, &mut sources)?;
        roles.resize(sources.iter().count(), role);
    }
    let (webhooks, surroundings) = (options.webhooks, options.surroundings);
    let repository = Repository::read(&sources, &roles, Setting { webhooks, surroundings });
    let settings = CheckSettings {
        select: options.select.clone(),
        ignore: options.ignore.clone(),
        policy: options.policy.clone(),
        baseline: None,
        extent: CheckExtent::Part,
    };
    let mut report = judge_manifests(&repository, &sources, &settings);
    report.coverage.inputs = inputs.iter().map(Input::name).collect();
    Ok(Judgement { report, sources })
}

/// Says whether a file holds manifests, by its name.
fn has_manifests(path: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|ending| path.ends_with(ending))
}

/// Adds the manifests of some inputs.
fn read_manifests(inputs: &[Input], sources: &mut Sources) -> Result<(), Error> {
    let named: Vec<String> = inputs.iter().map(Input::name).collect();
    let mut texts = Vec::new();
    let mut sink = |member: InputFile<'_>| {
        let wanted = named.iter().any(|name| name == member.path) || has_manifests(member.path);
        let text = wanted.then(|| member.body.into_text()).flatten();
        texts.push((member.path.to_owned(), text));
    };
    let outcome = read_inputs(inputs, &Limits::default(), &mut sink)?;
    for ((path, text), origin) in texts.into_iter().zip(outcome.origins) {
        if let Some(text) = text {
            sources.add(path, origin, text.encoding, text.text);
        }
    }
    Ok(())
}
