//! Sanitizing: every text of a report is made safe to print here, before any renderer sees it.
//!
//! The data of Secrets and credentials are hidden, and what could steer a terminal is made visible. Every type is taken
//! apart field by field: a text that is added to one of them does not compile until it is decided here.

mod diagram;

use std::borrow::Cow;

use smol_str::SmolStr;

use super::provenance::Provenance;
use super::verdict::Standing;
use super::{
    ClusterTakeover, Coverage, FixedFinding, HistoryEvent, LogReading, NotEvaluated, Place, Report,
    ReportHistory, ResolvedFinding, RunLine, Suppressed, Verdict,
};
use crate::finding::{Finding, Label, NewObject, Step};
use crate::model::key::ObjectKey;
use crate::rule::Ask;
use crate::source::{Sources, clean, clean_lines, is_clean};
use crate::views::timeline::{Moment, Timeline};
use crate::views::tree::{FleetTree, NodeState, TreeMark, TreeNode};

/// What is made harmless.
pub trait Sanitize {
    /// Hides and cleans every text of it.
    fn sanitize(&mut self, sources: &Sources);
}

/// Seals something that is finished.
pub fn sanitized<T: Sanitize>(mut it: T, sources: &Sources) -> T {
    it.sanitize(sources);
    it
}

/// Hides what must not be shown, and makes visible what must not steer.
fn text(text: &mut String, sources: &Sources) {
    if let Cow::Owned(hidden) = sources.hide(text) {
        *text = hidden;
    }
    name(text);
}

/// Cleans a name or a path, of which nothing may be hidden without breaking it.
fn name(name: &mut String) {
    if !is_clean(name) {
        *name = clean(name);
    }
}

fn boxed(name: &mut SmolStr) {
    if !is_clean(name) {
        *name = clean(name).into();
    }
}

fn all<T: Sanitize>(items: &mut [T], sources: &Sources) {
    items.iter_mut().for_each(|item| item.sanitize(sources));
}

impl Sanitize for Report {
    fn sanitize(&mut self, sources: &Sources) {
        let Self {
            subject: _,
            coverage,
            logs,
            clock: _,
            runs,
            verdict,
            rest_of_hub: _,
            diagram,
            history: chronicle,
            provenance,
            takeovers: handovers,
            findings,
            suppressed,
            judged: _,
            not_evaluated,
            asks,
            fixed,
            // An address is made of harmless characters alone.
            pages: _,
        } = self;
        let Coverage {
            inputs,
            files: _,
            unread_files: _,
            binary: _,
            objects,
            skipped_objects: _,
            logs: _,
            log_lines: _,
            unknown_documents: _,
            unread_lines: _,
            holds_kubefleet: _,
            powershell: _,
            decoded,
            version,
        } = coverage;
        inputs.iter_mut().chain(decoded).chain(version).for_each(name);
        objects.iter_mut().for_each(|(kind, _)| name(kind));
        for log in logs {
            let LogReading { path, cluster, timing, .. } = log;
            [path, timing].into_iter().chain(cluster).for_each(name);
        }
        for NotEvaluated { code: _, name: _, lacks } in not_evaluated {
            name(lacks);
        }
        for FixedFinding { code: _, name: _, path, line: _, message } in fixed {
            name(path);
            text(message, sources);
        }
        for Suppressed { code: _, name: _, place, by: _, reason } in suppressed {
            place.sanitize(sources);
            text(reason, sources);
        }
        all(runs, sources);
        verdict.sanitize(sources);
        diagram.iter_mut().for_each(|diagram| diagram.sanitize(sources));
        if let Some(ReportHistory { events, lanes, of: _ }) = chronicle {
            lanes.iter_mut().for_each(name);
            for HistoryEvent { time: _, lane, words, cause: _, span: _ } in events {
                name(lane);
                text(words, sources);
            }
        }
        if let Some(Provenance { inputs, flags }) = provenance {
            inputs.iter_mut().for_each(|input| name(&mut input.name));
            flags.iter_mut().for_each(|flag| text(flag, sources));
        }
        all(handovers, sources);
        all(findings, sources);
        all(asks, sources);
    }
}

impl Sanitize for RunLine {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { object, stage, stage_name, .. } = self;
        object.sanitize(sources);
        stage.iter_mut().chain(stage_name).for_each(name);
    }
}

impl Sanitize for Verdict {
    fn sanitize(&mut self, sources: &Sources) {
        let Self {
            unwell,
            planned,
            superseded,
            succeeded,
            available,
            causes,
            remarks: _,
            bookkeeping: _,
            unread: _,
            unsettled: _,
            narrowed: _,
            basis,
        } = self;
        for standings in [unwell, planned, superseded, succeeded, available] {
            all(standings, sources);
        }
        for cause in causes {
            name(&mut cause.name);
            cause.alike.iter_mut().for_each(|alike| name(&mut alike.name));
        }
        basis.newest.iter_mut().for_each(|(object, _)| object.sanitize(sources));
    }
}

impl Sanitize for Standing {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { object, name: called, words, reasons, .. } = self;
        object.sanitize(sources);
        name(called);
        text(words, sources);
        reasons.iter_mut().for_each(|reason| text(&mut reason.text, sources));
    }
}

impl Sanitize for ClusterTakeover {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { placement, cluster, runs } = self;
        [placement, cluster].into_iter().for_each(name);
        runs.iter_mut().for_each(|(run, _)| run.sanitize(sources));
    }
}

impl Sanitize for Ask {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { command, decides } = self;
        command.rewrite(&|word| text(word, sources));
        text(decides, sources);
    }
}

impl Sanitize for ResolvedFinding {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { id, finding, primary, related, explained_by, elsewhere: _, remedy: _ } = self;
        name(id);
        explained_by.iter_mut().for_each(name);
        finding.sanitize(sources);
        primary.sanitize(sources);
        all(related, sources);
    }
}

impl Sanitize for Place {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { span: _, path, start: _, end: _, label, object, field, pointer: _ } = self;
        name(path);
        text(label, sources);
        text(field, sources);
        object.iter_mut().for_each(|object| object.sanitize(sources));
    }
}

impl Sanitize for Finding {
    fn sanitize(&mut self, sources: &Sources) {
        let Self {
            code: _,
            name: _,
            matter: _,
            severity: _,
            certainty: _,
            message,
            why,
            then,
            hint,
            primary,
            related,
            recoverability: _,
            steps,
            about: _,
            explains: _,
            // Joins findings, and is never shown.
            incident: _,
            layer: _,
            path: _,
            fix: _,
        } = self;
        [message, why, then, hint].into_iter().for_each(|it| text(it, sources));
        primary.sanitize(sources);
        all(related, sources);
        all(steps, sources);
    }
}

impl Sanitize for Label {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { span: _, text: label, subject, field } = self;
        text(label, sources);
        field.iter_mut().for_each(|field| text(field, sources));
        subject.iter_mut().for_each(|subject| subject.sanitize(sources));
    }
}

impl Sanitize for Step {
    fn sanitize(&mut self, sources: &Sources) {
        let hidden = |word: &mut String| text(word, sources);
        match self {
            Self::Run(command) => command.rewrite(&hidden),
            Self::Decide { question, choices } => {
                text(question, sources);
                choices.iter_mut().for_each(|command| command.rewrite(&hidden));
            }
            Self::Create(object) => {
                let NewObject { effect, manifest, file, create } = &mut **object;
                text(effect, sources);
                *manifest = clean_lines(&sources.hide(manifest));
                name(file);
                create.rewrite(&hidden);
            }
        }
    }
}

impl Sanitize for ObjectKey {
    fn sanitize(&mut self, _: &Sources) {
        let Self { cluster, kind, namespace, name } = self;
        [cluster, kind, namespace, name].into_iter().for_each(boxed);
    }
}

impl Sanitize for FleetTree {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { roots, elsewhere, notes } = self;
        all(roots, sources);
        elsewhere.iter_mut().for_each(|TreeMark { id, .. }| name(id));
        notes.iter_mut().for_each(|note| text(note, sources));
    }
}

impl Sanitize for TreeNode {
    fn sanitize(&mut self, sources: &Sources) {
        name(&mut self.name);
        let NodeState { words, mood: _, since: _, more } = &mut self.state;
        [words, more].into_iter().for_each(|it| text(it, sources));
        self.object.iter_mut().for_each(|object| object.sanitize(sources));
        self.marks.iter_mut().for_each(|TreeMark { id, .. }| name(id));
        all(&mut self.children, sources);
    }
}

impl Sanitize for Timeline {
    fn sanitize(&mut self, sources: &Sources) {
        let Self { moments, undated, left_out: _ } = self;
        let undated = undated.iter_mut().flat_map(|(_, moments)| moments);
        moments.iter_mut().chain(undated).for_each(|moment| moment.sanitize(sources));
    }
}

impl Sanitize for Moment {
    fn sanitize(&mut self, sources: &Sources) {
        text(&mut self.what, sources);
        self.object.iter_mut().for_each(|object| object.sanitize(sources));
        self.cluster.iter_mut().for_each(boxed);
    }
}
