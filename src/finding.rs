//! Findings: what a rule says, as plain data.
//!
//! Owns [`Finding`] and its parts. Nothing here knows how a report looks. A rule gives spans; which
//! object and field they are is looked up once, by the engine, from the span alone.
//! Invariant: every finding has a primary label.

mod command;
mod fix;
mod incident;
mod outlook;
mod step;
mod topic;

pub use command::{Command, CommandBuilder, Risk, RunsOn};
pub use fix::{Fix, Safety};
pub use incident::Incident;
pub use outlook::Outlook;
pub use step::{NewObject, Step};
pub use topic::Topic;

use crate::kube::field_path::FieldPath;
use crate::model::age::Overdue;
use crate::model::key::ObjectKey;
use crate::source::Span;
use crate::syntax::edit::TextEdit;

/// The severity of a finding, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// State worth knowing.
    Note,
    /// It will break, or is probably not meant.
    Warning,
    /// Something is broken and stays so without a person.
    Error,
}

impl Severity {
    /// Returns the word used in reports and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// How far a bundle proves a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// One explanation among others.
    Possible,
    /// Follows from inferred or incomplete data.
    Likely,
    /// The bundle shows it.
    Shown,
}

impl Certainty {
    /// Returns the word used in machine-readable reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Likely => "likely",
            Self::Shown => "shown",
        }
    }

    /// Returns the word shown to people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Possible => "possible",
            Self::Likely => "likely",
            Self::Shown => "proven",
        }
    }
}

/// What it takes to get out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recoverability {
    /// The controllers go on by themselves.
    ResumesByItself,
    /// It goes on once the cause is repaired; the run itself needs nothing.
    ResumesAfterRepair,
    /// A person has to decide.
    WaitsForPerson,
    /// An object has to be changed.
    NeedsPatch,
    /// The run has ended for good: make a new one.
    RunIsDead,
    /// Nothing to do.
    NothingToDo,
}

impl Recoverability {
    /// Returns the word used in machine-readable reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::ResumesByItself => "resumes-by-itself",
            Self::ResumesAfterRepair => "resumes-after-repair",
            Self::WaitsForPerson => "waits-for-person",
            Self::NeedsPatch => "needs-patch",
            Self::RunIsDead => "run-is-dead",
            Self::NothingToDo => "nothing-to-do",
        }
    }

    /// Returns the sentence shown to people.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::ResumesByItself => "No action needed: the controllers continue by themselves.",
            Self::ResumesAfterRepair => "The controllers continue by themselves after the repair.",
            Self::WaitsForPerson => "A person has to decide.",
            Self::NeedsPatch => "An object has to be changed; the controllers continue after that.",
            Self::RunIsDead => "This run cannot be resumed. Create a new run.",
            Self::NothingToDo => "No action needed.",
        }
    }
}

/// Who stands against a manifest (`check`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// The API server refuses it.
    ApiServer,
    /// An admission webhook of the hub refuses it.
    Webhook,
    /// It is accepted, and a controller fails it.
    Controller,
    /// It is accepted and does not do what its author means.
    Advice,
}

impl Layer {
    /// Returns the word used in machine-readable reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::ApiServer => "api-server",
            Self::Webhook => "webhook",
            Self::Controller => "controller",
            Self::Advice => "advice",
        }
    }

    /// Returns the words shown to people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::ApiServer => "refused by the API server",
            Self::Webhook => "refused by the webhook",
            Self::Controller => "accepted, then failed by a controller",
            Self::Advice => "accepted",
        }
    }
}

/// A place and what to say there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The text that is underlined.
    pub span: Span,
    /// What is said there.
    pub text: String,
    /// The object the place speaks of, where the text is not the object's own (a log line).
    pub subject: Option<Box<ObjectKey>>,
    /// The field path, where the place stands for a field that is absent.
    pub field: Option<String>,
}

/// What a finding speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matter {
    /// The fleet.
    Fleet,
    /// The fleet, where what was sent does not tell whether anything is wrong at all.
    Unsettled,
    /// What was sent: its form, its moments, how much of it there is.
    Input,
    /// Something in it that could not be read, so that silence about it means nothing.
    Loss,
}

/// Begins a sentence with a capital where it begins with what has no name (`the run`); a name is left as it is spelled.
fn begun(text: String) -> String {
    match text.strip_prefix("the ") {
        Some(rest) => format!("The {rest}"),
        None => text,
    }
}

/// Adds to a list that seldom has more than a few items: there may be thousands of findings, and each has four lists.
fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() < 4 {
        list.reserve_exact(1);
    }
    list.push(item);
}

/// One diagnosis.
#[derive(Clone, Debug)]
#[must_use]
pub struct Finding {
    /// The rule's number.
    pub code: &'static str,
    /// The rule's name.
    pub name: &'static str,
    /// What it speaks of.
    pub matter: Matter,
    /// The severity; a rule may lower or raise its own.
    pub severity: Severity,
    /// How far the bundle proves it.
    pub certainty: Certainty,
    /// What is wrong, in one sentence with names.
    pub message: String,
    /// How it comes about: the mechanism, never a remedy.
    pub why: String,
    /// What happens next and when, for this object in this state; empty where [`Self::recoverability`] says enough.
    pub then: String,
    /// One hint for the reader (`did you mean …`).
    pub hint: String,
    /// The text that is underlined first.
    pub primary: Label,
    /// What else belongs to it.
    pub related: Vec<Label>,
    /// What it takes to get out of it.
    pub recoverability: Option<Recoverability>,
    /// What to do next, in this order.
    pub steps: Vec<Step>,
    /// What it is about: deeper findings name these to explain it.
    pub about: Vec<Topic>,
    /// The topics whose findings become symptoms of this one.
    pub explains: Vec<Topic>,
    /// What happened, where others may suffer from the same.
    pub incident: Option<Incident>,
    /// Who stands against the manifest; only findings of `check` have it.
    pub layer: Option<Layer>,
    /// The field of the primary place, where the rule knows it better than the span tells.
    pub path: Option<FieldPath>,
    /// What would repair it.
    pub fix: Option<Fix>,
}

impl Finding {
    /// Begins its sentences with a capital letter where an object without a name stands first.
    pub fn begin_sentences(&mut self) {
        for text in [&mut self.message, &mut self.why, &mut self.then, &mut self.hint] {
            // A name keeps its letters; an article does not.
            for (small, capital) in [("the ", "T"), ("an ", "A"), ("a ", "A")] {
                if text.starts_with(small) {
                    text.replace_range(..1, capital);
                }
            }
        }
    }

    /// Returns what happens next, in the rule's words or in those of the recoverability; empty if nobody said.
    pub fn what_then(&self) -> &str {
        match self.then.as_str() {
            "" => self.recoverability.map(Recoverability::sentence).unwrap_or_default(),
            own => own,
        }
    }

    /// Says that it speaks of what was sent.
    pub fn of_input(mut self) -> Self {
        self.matter = Matter::Input;
        self
    }

    /// Says that nothing tells whether it is wrong.
    pub fn unsettled(mut self) -> Self {
        self.matter = Matter::Unsettled;
        self
    }

    /// Says that it speaks of something that could not be read.
    pub fn of_loss(mut self) -> Self {
        self.matter = Matter::Loss;
        self
    }

    /// Adds a related place.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        push(&mut self.related, Label { span, text: text.into(), subject: None, field: None });
        self
    }

    /// Adds a related place if there is one.
    pub fn also_at(self, span: Option<Span>, text: impl Into<String>) -> Self {
        match span {
            Some(span) => self.also(span, text),
            None => self,
        }
    }

    /// Adds a related log line that speaks of `subject`.
    pub fn also_log(
        mut self,
        span: Span,
        text: impl Into<String>,
        subject: Option<ObjectKey>,
    ) -> Self {
        let subject = subject.map(Box::new);
        push(&mut self.related, Label { span, text: text.into(), subject, field: None });
        self
    }

    /// Says what is wrong.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = begun(message.into());
        self
    }

    /// Says how it comes about.
    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.why = begun(why.into());
        self
    }

    /// Says what happens next, and when.
    pub fn then(mut self, then: impl Into<String>) -> Self {
        self.then = begun(then.into());
        self
    }

    /// Gives the reader a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Asks whether another word was meant, if one is near.
    pub fn meant(self, word: Option<&str>) -> Self {
        match word {
            Some(word) => self.hint(format!("did you mean `{word}`?")),
            None => self,
        }
    }

    /// Overrides the rule's severity.
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }

    /// Lowers the certainty; it never rises.
    pub fn certainty(mut self, certainty: Certainty) -> Self {
        self.certainty = self.certainty.min(certainty);
        self
    }

    /// Says that it rests on an age: where that may still be within bounds, it is likely at most, and warns.
    pub fn rests_on(self, overdue: &Overdue) -> Self {
        if overdue.is_proven() {
            return self;
        }
        let severity = self.severity.min(Severity::Warning);
        self.severity(severity).certainty(Certainty::Likely)
    }

    /// Says what it takes to get out of it.
    pub fn recover(mut self, recoverability: Recoverability) -> Self {
        self.recoverability = Some(recoverability);
        self
    }

    /// Says what becomes of the rollout; its steps follow those that were added before.
    pub fn outlook(mut self, outlook: Outlook) -> Self {
        self.steps.extend(outlook.steps);
        self.then(outlook.then).recover(outlook.recoverability)
    }

    /// Adds a command, if it can be given.
    pub fn command(mut self, command: Option<Command>) -> Self {
        if let Some(command) = command {
            push(&mut self.steps, Step::Run(command));
        }
        self
    }

    /// Adds a command and says what it does to the cluster or tells the reader, if it can be given.
    pub fn step(self, command: Option<Command>, effect: impl Into<String>) -> Self {
        self.command(command.map(|command| command.with_effect(effect)))
    }

    /// Adds a decision with a command for each way out; those that cannot be given are left out.
    pub fn decide(mut self, question: impl Into<String>, choices: Vec<Option<Command>>) -> Self {
        let choices: Vec<Command> = choices.into_iter().flatten().collect();
        if !choices.is_empty() {
            self.steps.push(Step::Decide { question: question.into(), choices });
        }
        self
    }

    /// Adds steps that were made elsewhere.
    pub fn steps(mut self, steps: Vec<Step>) -> Self {
        self.steps.extend(steps);
        self
    }

    /// Adds an object to create, if it can be given.
    pub fn create(mut self, manifest: Option<NewObject>) -> Self {
        self.steps.extend(manifest.map(|manifest| Step::Create(Box::new(manifest))));
        self
    }

    /// Returns all commands of its steps, in their order.
    pub fn commands(&self) -> impl Iterator<Item = &Command> {
        self.steps.iter().flat_map(Step::commands)
    }

    /// Names what it is about.
    pub fn about(mut self, topic: Topic) -> Self {
        push(&mut self.about, topic);
        self
    }

    /// Names what it explains.
    pub fn explains(mut self, topic: Topic) -> Self {
        push(&mut self.explains, topic);
        self
    }

    /// Names what happened, so that all who suffer from it are told together.
    pub fn of_event(mut self, event: Incident) -> Self {
        self.incident = Some(event);
        self
    }

    /// Names the field that the primary place stands for, when the field itself is absent.
    pub fn for_field(mut self, field: impl Into<String>) -> Self {
        self.primary.field = Some(field.into());
        self
    }

    /// Says what would repair it, if it can be changed at all.
    pub fn fix(mut self, safety: Safety, change: impl Into<Option<TextEdit>>) -> Self {
        self.fix = change.into().map(|change| Fix { safety, changes: vec![change] });
        self
    }

    /// Says which changes, made together, would repair it.
    pub fn fix_all(mut self, safety: Safety, changes: Option<Vec<TextEdit>>) -> Self {
        self.fix = changes.map(|changes| Fix { safety, changes });
        self
    }

    /// Says who stands against the manifest, where it is not the rule's usual layer.
    pub fn layer(mut self, layer: Layer) -> Self {
        self.layer = Some(layer);
        self
    }

    /// Names the object that the primary place speaks of, when the place is not in the object's own text.
    pub fn for_object(mut self, subject: ObjectKey) -> Self {
        self.primary.subject = Some(Box::new(subject));
        self
    }
}
