//! Plans for people: stage by stage, what would end the run, and how long it takes at least.
//!
//! JSON for programs is in [`json`]. All text of the input is cleaned on its way out, and lines are
//! broken at the width that the caller gives.

mod json;

use std::fmt::Write as _;

use super::clean;
use super::prose::{count, wrap};
use crate::kube::time::show_duration;
use crate::views::plan::{ClusterEvidence, Plan, PlannedStage, PlannedTask, Plans};

pub use json::{SCHEMA, render_json};

/// Renders plans, `width` columns wide.
pub fn render(plans: &Plans, width: usize) -> String {
    let mut out = String::new();
    for (index, plan) in plans.plans.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        one(&mut out, plan, width);
    }
    if plans.plans.is_empty() {
        out.push_str("neither a run to be planned nor a strategy in the input\n");
    }
    if plans.succeeded > 0 {
        let runs = count(plans.succeeded, "run");
        let _ = writeln!(out, "\n{runs} left out: succeeded already");
    }
    out
}

fn one(out: &mut String, plan: &Plan, width: usize) {
    let strategy = plan.strategy.as_ref().map(|key| clean(&key.to_string()));
    let strategy = strategy.unwrap_or_else(|| "no strategy".to_owned());
    let head = match (&plan.run, &plan.placement) {
        (Some(run), placement) => {
            let of = placement.as_ref().map(|key| format!(" of {key}")).unwrap_or_default();
            format!("{}{}, by {strategy}", clean(&run.to_string()), clean(&of))
        }
        (None, _) => format!("{strategy}, named by no run"),
    };
    wrap(out, "", "  ", &head, width);
    let basis = if plan.clusters == 0 && plan.basis == ClusterEvidence::Assumed {
        "no member cluster in the input, and nothing that tells which are picked".to_owned()
    } else {
        format!("{}, {}", count(plan.clusters, "cluster"), plan.basis.phrase())
    };
    wrap(out, "  ", "  ", &basis, width);
    for (index, planned) in plan.stages.iter().enumerate() {
        stage(out, index + 1, planned, plan, width);
    }
    removals(out, plan, width);
    lost(out, "in no stage", &plan.unplaced, width);
    lost(out, "stage not known", &plan.unknown, width);
    if !plan.stages.is_empty() {
        out.push('\n');
        wrap(out, "  ", "  ", &duration(plan), width);
    }
    if let Some(missing) = &plan.missing {
        wrap(out, "  × ", "    ", &format!("nothing can be planned: {}", clean(missing)), width);
    }
    if !plan.problems.is_empty() {
        let who = if plan.run.is_some() { "the run" } else { "a run" };
        let _ = writeln!(out, "\n  {who} would fail at its initialization:");
        for problem in &plan.problems {
            let open = problem.cluster.is_some() && !plan.basis.is_settled();
            let when = if open { " (if it is picked)" } else { "" };
            wrap(out, "  × ", "    ", &format!("{}{when}", clean(&problem.words)), width);
        }
    }
    if !plan.notes.is_empty() {
        out.push('\n');
    }
    for note in &plan.notes {
        wrap(out, "  ☞ ", "    ", &clean(note), width);
    }
}

fn stage(out: &mut String, number: usize, stage: &PlannedStage, plan: &Plan, width: usize) {
    let _ = writeln!(out, "\n  {number}. {}", clean(&stage.name));
    let row = |out: &mut String, word: &str, text: &str| {
        wrap(out, &format!("     {word:9}"), "              ", text, width);
    };
    row(out, "selects", &selection(stage));
    if stage.clusters.is_empty() {
        let certain = plan.unknown.is_empty() && !plan.is_blank();
        row(
            out,
            "clusters",
            if certain {
                "none: it is skipped with its tasks (up to v0.3.1 its tasks are run)"
            } else {
                "none that is known"
            },
        );
    }
    if !stage.before.is_empty() {
        row(out, "before", &tasks(&stage.before));
    }
    if !stage.clusters.is_empty() {
        row(out, "updates", &pace(stage));
        let widest = stage.clusters.len().to_string().len();
        for (index, cluster) in stage.clusters.iter().enumerate() {
            let order = match (&stage.sorted_by, &cluster.order) {
                (Some(key), Some(value)) => format!(" ({}={})", clean(key), clean(value)),
                (Some(key), None) => format!(" (no {})", clean(key)),
                (None, _) => String::new(),
            };
            let place = format!("              {:>widest$} ", index + 1);
            wrap(
                out,
                &place,
                "                ",
                &format!("{}{order}", clean(&cluster.name)),
                width,
            );
        }
    }
    if !stage.after.is_empty() {
        row(out, "after", &tasks(&stage.after));
    }
}

fn selection(stage: &PlannedStage) -> String {
    let what = match &stage.selects {
        None => "nothing: it has no labelSelector".to_owned(),
        Some(demands) if demands.is_empty() => "every cluster".to_owned(),
        Some(demands) => clean(&demands.join(" and ")),
    };
    match &stage.sorted_by {
        Some(key) => format!("{what}; sorted by {}", clean(key)),
        None => format!("{what}; sorted by name"),
    }
}

fn pace(stage: &PlannedStage) -> String {
    let clusters = count(stage.clusters.len(), "cluster");
    let written = clean(&stage.concurrency);
    let (Some(at_once), Some(rounds)) = (stage.at_once, stage.rounds) else {
        return format!("{clusters}; `{written}` is no number of clusters");
    };
    let from = if written.ends_with('%') { format!(" ({written})") } else { String::new() };
    format!("{clusters}, {at_once} at once{from}: {}", count(rounds, "round"))
}

fn tasks(tasks: &[PlannedTask]) -> String {
    let word = |task: &PlannedTask| match task {
        PlannedTask::Approval(Some(request)) => format!("approval {}", clean(request)),
        PlannedTask::Approval(None) => "approval".to_owned(),
        PlannedTask::Wait(time) => format!("wait {}", show_duration(*time)),
        PlannedTask::Unreadable => "a task that cannot be read".to_owned(),
    };
    tasks.iter().map(word).collect::<Vec<_>>().join(" and at the same time ")
}

fn removals(out: &mut String, plan: &Plan, width: usize) {
    match plan.removals.as_deref() {
        Some([]) => {}
        Some(clusters) => lost(out, "removed at the end", clusters, width),
        None if plan.run.is_some() && !plan.stages.is_empty() => {
            let text = "what is removed at the end is not known: bindings are not in the input";
            out.push('\n');
            wrap(out, "  ", "  ", text, width);
        }
        None => {}
    }
}

fn lost(out: &mut String, what: &str, clusters: &[String], width: usize) {
    if !clusters.is_empty() {
        let names = clean(&clusters.join(", "));
        out.push('\n');
        wrap(out, "  ", "    ", &format!("{what}: {names}"), width);
    }
}

fn duration(plan: &Plan) -> String {
    let mut parts = Vec::new();
    if !plan.waits().is_zero() {
        parts.push(format!("{} of waits", show_duration(plan.waits())));
    }
    if plan.rounds() > 0 {
        let removal = plan.removals.as_ref().is_some_and(|clusters| !clusters.is_empty());
        let removal = if removal { " and the removal" } else { "" };
        let rounds = count(plan.rounds(), "round");
        parts.push(format!("15s, from look to look, for each of {rounds}{removal}"));
    }
    if parts.is_empty() {
        parts.push("no waits".to_owned());
    }
    let approvals = match plan.approvals() {
        0 => String::new(),
        number => format!(", and {} by a person", count(number, "approval")),
    };
    if plan.is_blank() {
        let parts = parts.join(" and ");
        return format!("with clusters in every stage: {parts}{approvals}, and the updates");
    }
    let all = if plan.basis.is_settled() { "" } else { "if all of these are picked, " };
    format!("{all}at least {}: {}{approvals}", show_duration(plan.shortest()), parts.join(" and "))
}
