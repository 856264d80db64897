//! The first difference between a strategy and the copy of it that a run keeps.

use crate::model::read::SpanOr;
use crate::model::selector::LabelSelector;
use crate::model::strategy::{Stage, Task};
use crate::source::Span;

/// A difference, for people.
pub struct StageDifference<'s> {
    /// What differs, to be read after the stage's name.
    pub what: &'static str,
    /// The stage in which it does, as the run has it or, for an added one, as the strategy has it.
    pub stage: Option<&'s Stage>,
    /// Where the strategy says otherwise.
    pub new: Option<Span>,
    /// Where the run keeps the old.
    pub old: Option<Span>,
}

/// Compares stage by stage; defaults and the wait time of approvals, which the copy drops, do not count.
pub fn first_difference<'s>(new: &'s [Stage], old: &'s [Stage]) -> Option<StageDifference<'s>> {
    for (new, old) in new.iter().zip(old) {
        if let Some(difference) = compare(new, old) {
            return Some(difference);
        }
    }
    let added =
        new.get(old.len()).map(|stage| ("was added", Some(stage), Some(stage.site.span), None));
    let removed =
        old.get(new.len()).map(|stage| ("was removed", Some(stage), None, Some(stage.site.span)));
    let (what, stage, new, old) = added.or(removed)?;
    Some(StageDifference { what, stage, new, old })
}

/// Returns where a stage is pointed at for what it does not have: its name.
fn place_of(stage: &Stage) -> Option<Span> {
    Some(stage.name.span_or(stage.site.span))
}

fn compare<'s>(new: &'s Stage, old: &'s Stage) -> Option<StageDifference<'s>> {
    let at = |what, new_span: Option<Span>, old_span: Option<Span>| {
        Some(StageDifference {
            what,
            stage: Some(old),
            new: new_span.or_else(|| place_of(new)),
            old: old_span.or_else(|| place_of(old)),
        })
    };
    if new.name() != old.name() {
        return at(
            "has another name",
            new.name.as_ref().map(|name| name.span),
            old.name.as_ref().map(|name| name.span),
        );
    }
    if selector_text(new.selector.as_ref()) != selector_text(old.selector.as_ref()) {
        let span = |stage: &Stage| stage.selector.as_ref().map(|selector| selector.span);
        return at("has another labelSelector", span(new), span(old));
    }
    for (other, none, new_tasks, old_tasks) in [
        (
            "has other beforeStageTasks",
            "has no beforeStageTasks any more",
            &new.before,
            &old.before,
        ),
        ("has other afterStageTasks", "has no afterStageTasks any more", &new.after, &old.after),
    ] {
        if tasks_text(new_tasks) != tasks_text(old_tasks) {
            let what = if new_tasks.is_empty() { none } else { other };
            let span = |tasks: &[Task]| tasks.first().map(|task| task.site.span);
            return at(what, span(new_tasks), span(old_tasks));
        }
    }
    let concurrency = |stage: &Stage| stage.max_concurrency.as_deref().unwrap_or("1").to_owned();
    if concurrency(new) != concurrency(old) {
        let span = |stage: &Stage| stage.max_concurrency.as_ref().map(|text| text.span);
        return at("has another maxConcurrency", span(new), span(old));
    }
    let sorting = |stage: &Stage| stage.sorting_label.as_deref().unwrap_or_default().to_owned();
    if sorting(new) != sorting(old) {
        let span = |stage: &Stage| stage.sorting_label.as_ref().map(|text| text.span);
        return at("has another sortingLabelKey", span(new), span(old));
    }
    None
}

/// Writes a selector in one fixed form; the case of keys does not count, since describe text loses it.
fn selector_text(selector: Option<&LabelSelector>) -> Option<Vec<String>> {
    let selector = selector?;
    let mut parts: Vec<String> = selector
        .labels
        .iter()
        .map(|pair| format!("{}={}", pair.key.to_lowercase(), &*pair.value))
        .collect();
    parts.extend(selector.expressions.iter().map(|item| {
        let mut values: Vec<&str> = item.values.iter().map(|value| &**value).collect();
        values.sort_unstable();
        format!("{} {} {}", item.key.to_lowercase(), &*item.operator, values.join(","))
    }));
    parts.sort_unstable();
    Some(parts)
}

fn tasks_text(tasks: &[Task]) -> Vec<String> {
    let text = |task: &Task| {
        let wait = task.wait_time().filter(|_| task.is_timed_wait());
        format!("{:?} {wait:?}", task.kind.as_deref())
    };
    tasks.iter().map(text).collect()
}
