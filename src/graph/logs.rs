//! From the kept records of logs to events that name objects by kind, namespace and name.
//!
//! Owns the reading of records and what is known of a log as a whole: who wrote it, on which cluster, by what
//! clock. What unknown lines mention is found by `mentions`. Invariant: events stand log by log in file order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::FixedState;
use jiff::Timestamp;
use smol_str::SmolStr;

use super::Graph;
use super::mentions::Directory;

use crate::bundle::{Bundle, KeptLog, group_of};
use crate::grammar::kind::find_kind;
use crate::grammar::message::{self, HoleRole, LogTemplate, key_role, log_template};
use crate::model::key::ObjectKey;
use crate::model::log::{Agent, Log, LogEvent, LogRef, Mention, Times};
use crate::syntax::log::{
    ClockHints, FieldValue, GroupId, LogClock, Record, RecordLevel, RecordText,
};

/// Reads all logs of a bundle; `capture` is the newest stamp of its objects.
pub(super) fn read_logs(bundle: &Bundle, capture: Option<Timestamp>) -> (Vec<Log>, Vec<LogEvent>) {
    let mut logs = Vec::new();
    let mut events = Vec::new();
    for kept in &bundle.logs {
        let source = bundle.sources.get(kept.source);
        let modified = source.origin().modified;
        let modified = modified.and_then(|seconds| Timestamp::from_second(seconds).ok());
        let rotated = ClockHints::rotation_of(source.path());
        let hints = ClockHints { capture, rotated, modified };
        let clock = LogClock::find(&kept.scan.evidence, &hints);
        let first = events.len();
        events.reserve(kept.scan.records.len());
        let mut statements = Statements::default();
        for record in &kept.scan.records {
            let (text, log) = (kept.text(source), logs.len());
            events.push(read_event(kept, record, text, log, clock.as_ref(), &mut statements));
        }
        let own = events.get(first..).unwrap_or_default();
        let agent = agent_of(source.path(), own);
        let told = kept.scan.cluster.clone().or_else(|| source.origin().cluster.clone());
        let times = match (kept.scan.evidence.is_civil(), kept.scan.extent.is_empty()) {
            (true, _) => Times::Civil,
            (false, false) => Times::Full,
            (false, true) => Times::None,
        };
        logs.push(Log {
            source: kept.source,
            agent,
            cluster: told.or_else(|| cluster_by_lines(agent, own)),
            counts: kept.scan.counts,
            attached: kept.scan.counts.attached,
            covers: kept.scan.extent.instants(clock.as_ref()),
            tail_cut: kept.scan.tail_cut,
            clock,
            times,
        });
    }
    (logs, events)
}

/// Says whether a line is known, complains, or has to do with an object.
fn says_something(event: &LogEvent) -> bool {
    let complains = event.level.is_some_and(|level| level >= RecordLevel::Warning);
    event.template.is_some() || complains || names_object(event) || !event.mentions.is_empty()
}

fn names_object(event: &LogEvent) -> bool {
    event.refs.iter().any(|found| found.role.is_object())
}

/// Attaches unknown lines that name no object to the objects that they mention.
pub(super) fn attach_mentions(graph: &mut Graph, bundle: &Bundle) {
    let is_open = |event: &LogEvent| event.template.is_none() && !names_object(event);
    if !graph.log_events.iter().any(is_open) {
        return;
    }
    let mut events = std::mem::take(&mut graph.log_events);
    let directory = Directory::new(graph, &events);
    let mut first = 0;
    for (number, (kept, log)) in bundle.logs.iter().zip(&mut graph.logs).enumerate() {
        let text = kept.text(bundle.sources.get(kept.source));
        let own = events.get_mut(first..).unwrap_or_default().iter_mut();
        let own = own.take_while(|event| event.log == number);
        let mut told: BTreeMap<GroupId, u64> = BTreeMap::new();
        for (event, record) in own.zip(&kept.scan.records) {
            first += 1;
            if !is_open(event) {
                continue;
            }
            let opened = record.open(text);
            let Some((range, objects)) = directory.find(opened.text()) else { continue };
            let span = kept.place(opened.locate_text(range));
            event.mentions = objects.into_iter().map(|object| Mention { object, span }).collect();
            // Where free text is grouped by its whole text, all lines of the group mention what one does.
            let is_free = opened.head().is_some_and(|head| !head.is_structured());
            let alike = is_free && record.template == group_of(&event.message);
            let seen = kept.scan.templates.get(&record.template).map_or(1, |count| count.seen);
            let count = told.entry(record.template).or_default();
            *count = if alike { seen } else { *count + 1 };
        }
        log.attached += told.values().sum::<u64>();
    }
    events.retain(says_something);
    graph.log_events = events;
}

/// Tells the cluster of a member agent by the namespace on the hub that its lines name.
fn cluster_by_lines(agent: Agent, events: &[LogEvent]) -> Option<SmolStr> {
    let refs = events.iter().flat_map(|event| &event.refs);
    let names: BTreeSet<&str> =
        refs.filter_map(|found| found.namespace.strip_prefix("fleet-member-")).collect();
    let mut names = names.into_iter();
    match (agent, names.next(), names.next()) {
        (Agent::Member, Some(only), None) => Some(only.into()),
        _ => None,
    }
}

/// The messages of a log with what the catalogue knows of them, by caller and message as they are written: a statement of
/// a program writes the same one each time.
#[derive(Default)]
struct Statements {
    known: HashMap<SmolStr, (SmolStr, Option<&'static LogTemplate>), FixedState>,
}

impl Statements {
    fn read(&mut self, opened: &RecordText<'_>) -> (SmolStr, Option<&'static LogTemplate>) {
        let Some(head) = opened.head() else { return ("".into(), log_template("", "")) };
        let look_up = || {
            let message = head.message();
            let template = log_template(head.file(), &message);
            (message.into(), template)
        };
        let words = head.caller_and_message().filter(|_| head.is_structured());
        let Some(words) = words else { return look_up() };
        if let Some(known) = self.known.get(words) {
            return known.clone();
        }
        let found = look_up();
        self.known.insert(words.into(), found.clone());
        found
    }
}

fn read_event(
    kept: &KeptLog,
    record: &Record,
    text: &str,
    log: usize,
    clock: Option<&LogClock>,
    statements: &mut Statements,
) -> LogEvent {
    let at = |range: std::ops::Range<u32>| kept.place(range);
    let opened = record.open(text);
    let (message, template) = statements.read(&opened);
    let mut refs = Vec::new();
    let mut mentions = Vec::new();
    let mut error = None;
    for field in opened.fields() {
        let known =
            template.and_then(|template| template.keys.iter().find(|(key, _)| *key == field.key));
        let Some(role) = known.map(|(_, role)| *role).or_else(|| key_role(field.key)) else {
            continue;
        };
        let span = at(field.range.clone());
        if field.key == "object" {
            mentions.extend(typed_object(&field.value).map(|object| Mention { object, span }));
        }
        if role == HoleRole::Error && error.is_none() {
            error = Some((field.value.as_str().into(), span));
            continue;
        }
        let (namespace, name) = match (&field.value, field.value.as_object()) {
            (_, Some(object)) => (object.namespace, object.name),
            (FieldValue::Cut(_), None) => continue,
            (value, None) => ("".into(), value.as_str().into()),
        };
        refs.push(LogRef { role, namespace, name, span });
    }
    if let Some(template) = template {
        let place = at(opened.message_range());
        refs.extend(template.refs(&message).into_iter().map(|found| LogRef {
            role: found.role,
            namespace: "".into(),
            name: message.get(found.range.clone()).unwrap_or_default().into(),
            span: place,
        }));
    }
    LogEvent {
        log,
        template,
        level: record.level.or_else(|| template.map(|template| told_level(template.level))),
        time: record.when.instant(clock),
        civil: record.when.civil.map(|civil| (civil, record.when.turn)),
        span: at(record.range()),
        line: record.line,
        message,
        refs,
        mentions,
        error,
    }
}

/// Returns the level at which a line is written, for one that has lost its head.
fn told_level(level: message::LogLevel) -> RecordLevel {
    match level {
        message::LogLevel::Info => RecordLevel::Info,
        message::LogLevel::Warning => RecordLevel::Warning,
        message::LogLevel::Error => RecordLevel::Error,
    }
}

/// Reads a value that tells the kind of its object, as the events that agents send do.
///
/// Agents send events about objects of the hub, also those of members.
fn typed_object(value: &FieldValue<'_>) -> Option<ObjectKey> {
    let kind = find_kind(value.as_kind()?)?;
    let object = value.as_object()?;
    Some(ObjectKey::on_hub(kind.name, &object.namespace, &object.name))
}

/// Tells by name, else by what it writes, whose log it is.
fn agent_of(path: &str, events: &[LogEvent]) -> Agent {
    let name = path.to_lowercase();
    if name.contains("hub-agent") {
        return Agent::Hub;
    }
    if name.contains("member-agent") {
        return Agent::Member;
    }
    let wrote = |folder: &str| {
        events
            .iter()
            .any(|event| event.template.is_some_and(|template| template.file.starts_with(folder)))
    };
    match (wrote("updaterun/") || wrote("scheduler/") || wrote("rollout/"), wrote("workapplier/")) {
        (true, false) => Agent::Hub,
        (false, true) => Agent::Member,
        _ => Agent::Unknown,
    }
}
