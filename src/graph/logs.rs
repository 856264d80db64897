//! From the kept records of logs to events with typed references.

use jiff::Timestamp;

use crate::bundle::{Bundle, KeptLog};
use crate::grammar::message::{Role, key_role, log_template};
use crate::model::log::{Agent, Log, LogEvent, LogRef};
use crate::source::Span;
use crate::syntax::log::{ClockHints, FieldValue, LogClock, Record};

/// Reads all logs of a bundle; `capture` is the newest stamp of its objects.
pub(super) fn read_logs(bundle: &Bundle, capture: Option<Timestamp>) -> (Vec<Log>, Vec<LogEvent>) {
    let mut logs = Vec::new();
    let mut events = Vec::new();
    for kept in &bundle.logs {
        let source = bundle.sources.get(kept.source);
        let hints =
            ClockHints { capture, rotated: ClockHints::rotation_of(source.path()), modified: None };
        let clock = LogClock::find(&kept.scan.evidence, &hints);
        let instant = |when: Option<crate::syntax::log::When>| {
            when.and_then(|when| when.instant(clock.as_ref()))
        };
        let first = events.len();
        for record in &kept.scan.records {
            events.push(read_event(kept, record, source.text(), logs.len(), clock.as_ref()));
        }
        let own = events.get(first..).unwrap_or_default();
        logs.push(Log {
            source: kept.source,
            agent: agent_of(source.path(), own),
            cluster: kept.scan.cluster.clone().or_else(|| source.origin().cluster.clone()),
            counts: kept.scan.counts,
            covers: instant(kept.scan.first).zip(instant(kept.scan.last)),
            head_cut: kept.scan.head_cut,
            tail_cut: kept.scan.tail_cut,
            clock,
        });
    }
    (logs, events)
}

fn read_event(
    kept: &KeptLog,
    record: &Record,
    text: &str,
    log: usize,
    clock: Option<&LogClock>,
) -> LogEvent {
    let at = |range: std::ops::Range<u32>| {
        Span::new(kept.source, kept.base + range.start as usize, kept.base + range.end as usize)
    };
    let opened = record.open(text.get(kept.base..).unwrap_or_default());
    let message = opened.message().into_owned();
    let file = opened.head().map(|head| head.file().to_owned()).unwrap_or_default();
    let template = log_template(&file, &message);
    let mut refs = Vec::new();
    let mut error = None;
    for field in opened.fields() {
        let known =
            template.and_then(|template| template.keys.iter().find(|(key, _)| key == field.key));
        let Some(role) = known.map(|(_, role)| *role).or_else(|| key_role(field.key)) else {
            continue;
        };
        let span = at(field.range.clone());
        if role == Role::Error && error.is_none() {
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
        level: record.level,
        time: record.when.instant(clock),
        span: at(record.range()),
        line: record.line,
        message: message.into(),
        refs,
        error,
    }
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
