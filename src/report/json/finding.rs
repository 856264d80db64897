//! A finding as data. Each field is printed from where it stands: a report may hold ten thousands of findings.

use serde::Serialize;

use crate::engine::{Place, ResolvedFinding, ResolvedFix};
use crate::finding::{Command, Finding, RunsOn, Step};
use crate::model::key::ObjectKey;
use crate::report::paths::Paths;
use crate::report::snippet;
use crate::source::Sources;
use crate::syntax::edit::Edit;

#[derive(Serialize)]
pub(super) struct FindingJson<'r> {
    id: &'r str,
    code: &'r str,
    name: &'r str,
    severity: &'r str,
    certainty: &'r str,
    message: String,
    help: String,
    why: String,
    then: String,
    hint: String,
    object: Option<ObjectJson<'r>>,
    field: &'r str,
    pointer: &'r str,
    primary: PlaceJson<'r>,
    related: Vec<PlaceJson<'r>>,
    explained_by: &'r [String],
    elsewhere: bool,
    commands: Vec<CommandJson<'r>>,
    steps: Vec<StepJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<RemedyJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recoverability: Option<&'r str>,
}

impl<'r> FindingJson<'r> {
    pub(super) fn of(resolved: &'r ResolvedFinding, sources: &Sources, paths: [&Paths; 2]) -> Self {
        let finding = &resolved.finding;
        let place = |place: &'r Place| PlaceJson::of(place, sources, paths);
        Self {
            id: &resolved.id,
            code: finding.code,
            name: finding.name,
            severity: finding.severity.word(),
            certainty: finding.certainty.word(),
            message: snippet::masked(&finding.message),
            help: help(finding),
            why: snippet::clean(&finding.why),
            then: snippet::masked(finding.what_then()),
            hint: snippet::masked(&finding.hint),
            object: resolved.primary.object.as_ref().map(ObjectJson::of),
            field: &resolved.primary.field,
            pointer: &resolved.primary.pointer,
            primary: place(&resolved.primary),
            related: resolved.related.iter().map(place).collect(),
            explained_by: &resolved.explained_by,
            elsewhere: resolved.elsewhere,
            commands: finding.commands().map(CommandJson::of).collect(),
            steps: finding.steps.iter().map(StepJson::of).collect(),
            layer: finding.layer.map(|layer| layer.word()),
            fix: resolved.remedy.as_ref().map(|remedy| RemedyJson::of(remedy, sources)),
            recoverability: finding.recoverability.map(|recoverability| recoverability.word()),
        }
    }
}

/// Tells what helps to understand a finding and to get on: the mechanism, then the hint.
fn help(finding: &Finding) -> String {
    let parts = [snippet::clean(&finding.why), snippet::masked(&finding.hint)];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

#[derive(Serialize)]
struct ObjectJson<'r> {
    cluster: &'r str,
    kind: &'r str,
    namespace: &'r str,
    name: &'r str,
}

impl<'r> ObjectJson<'r> {
    fn of(key: &'r ObjectKey) -> Self {
        let ObjectKey { cluster, kind, namespace, name } = key;
        Self { cluster, kind, namespace, name }
    }
}

/// A place, by the names of what was given and from the root of the bundle.
#[derive(Serialize)]
struct PlaceJson<'r> {
    path: String,
    in_bundle: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: String,
    label: String,
    object: Option<ObjectJson<'r>>,
    field: &'r str,
    pointer: &'r str,
}

impl<'r> PlaceJson<'r> {
    fn of(place: &'r Place, sources: &Sources, [named, paths]: [&Paths; 2]) -> Self {
        Self {
            path: named.show(&place.path),
            in_bundle: paths.show(&place.path),
            line: place.start.line,
            column: place.start.column,
            end_line: place.end.line,
            end_column: place.end.column,
            text: snippet::text(sources.get(place.span.source), place.span),
            label: snippet::clean(&place.label),
            object: place.object.as_ref().map(ObjectJson::of),
            field: &place.field,
            pointer: &place.pointer,
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum StepJson<'r> {
    Run { command: CommandJson<'r> },
    Decide { question: String, choices: Vec<CommandJson<'r>> },
    Create { effect: String, file: String, manifest: &'r str, command: CommandJson<'r> },
}

impl<'r> StepJson<'r> {
    fn of(step: &'r Step) -> Self {
        match step {
            Step::Run(command) => Self::Run { command: CommandJson::of(command) },
            Step::Decide { question, choices } => Self::Decide {
                question: snippet::masked(question),
                choices: choices.iter().map(CommandJson::of).collect(),
            },
            Step::Create(object) => Self::Create {
                effect: snippet::masked(&object.effect),
                file: snippet::clean(&object.file),
                manifest: &object.manifest,
                command: CommandJson::of(&object.create),
            },
        }
    }
}

/// A command as a line for a POSIX shell and for PowerShell, and as the words that it is made of.
#[derive(Serialize)]
struct CommandJson<'r> {
    text: String,
    powershell: String,
    risk: &'r str,
    effect: String,
    argv: &'r [String],
    place: PlaceOfCommand<'r>,
}

impl<'r> CommandJson<'r> {
    fn of(command: &'r Command) -> Self {
        Self {
            text: snippet::clean(&command.posix()),
            powershell: snippet::clean(&command.powershell()),
            risk: command.risk().word(),
            effect: snippet::masked(command.effect()),
            argv: command.argv(),
            place: PlaceOfCommand::of(command.place()),
        }
    }
}

/// Where a command is to be run; a member that nobody named has no `cluster`.
#[derive(Serialize)]
pub(super) struct PlaceOfCommand<'r> {
    on: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<&'r str>,
}

impl<'r> PlaceOfCommand<'r> {
    pub(super) fn of(place: &'r RunsOn) -> Self {
        match place {
            RunsOn::Hub => Self { on: "hub", cluster: None },
            RunsOn::Member(cluster) => Self { on: "member", cluster: Some(cluster) },
            RunsOn::UnknownMember => Self { on: "member", cluster: None },
        }
    }
}

#[derive(Serialize)]
struct RemedyJson<'r> {
    safety: &'r str,
    edits: Vec<EditJson<'r>>,
}

#[derive(Serialize)]
struct EditJson<'r> {
    path: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    /// Not cleaned: it is to be written as it stands, and holds no text of the input.
    replacement: &'r str,
}

impl<'r> RemedyJson<'r> {
    fn of(remedy: &'r ResolvedFix, sources: &Sources) -> Self {
        let edit = |edit: &'r Edit| {
            let file = sources.get(edit.span.source);
            let (start, end) = (file.position(edit.span.lo), file.position(edit.span.hi));
            EditJson {
                path: snippet::clean(file.path()),
                line: start.line,
                column: start.column,
                end_line: end.line,
                end_column: end.column,
                replacement: &edit.replacement,
            }
        };
        Self { safety: remedy.safety.word(), edits: remedy.edits.iter().map(edit).collect() }
    }
}
