//! The verdict as data: who is not well and why, and the findings grouped by cause.

use serde_json::{Value, json};

use super::object_json;
use crate::engine::Report;
use crate::engine::verdict::{Cause, Health, Standing, StandingReason};
use crate::report::snippet;

/// Tells the verdict; findings are named by their ids.
pub(super) fn verdict_json(report: &Report) -> Value {
    let verdict = &report.verdict;
    let id = |index: &usize| report.findings.get(*index).map(|resolved| resolved.id.as_str());
    let ids = |indexes: &[usize]| indexes.iter().filter_map(id).collect::<Vec<_>>();
    let reason = |reason: &StandingReason| {
        json!({
            "finding": id(&reason.finding),
            "code": reason.code,
            "text": snippet::masked(&reason.text),
        })
    };
    let standing = |standing: &Standing| {
        json!({
            "object": object_json(Some(&standing.object)),
            "state": standing.state.word(),
            "words": snippet::clean(&standing.words),
            "since": standing.since.map(|since| since.to_string()),
            "updated": standing.updated.map(|(done, _)| done),
            "clusters": standing.updated.map(|(_, all)| all),
            "reasons": standing.reasons.iter().map(reason).collect::<Vec<_>>(),
            "by_log": standing.by_log,
        })
    };
    let all = |standings: &[Standing]| standings.iter().map(standing).collect::<Vec<_>>();
    let cause = |(index, cause): (usize, &Cause)| {
        let held = cause.holds.iter().filter_map(|at| verdict.unwell.get(*at));
        json!({
            "number": index + 1,
            "finding": id(&cause.finding),
            "holds": held.map(|it| object_json(Some(&it.object))).collect::<Vec<_>>(),
            "symptoms": ids(&cause.symptoms),
        })
    };
    // Those that say the same are told one by one here, under the number that they share.
    let causes = verdict.causes.iter().enumerate();
    let causes = causes.flat_map(|(index, cause)| cause.members().map(move |it| (index, it)));
    json!({
        "well": report.health() == Health::Well,
        "unwell": all(&verdict.unwell),
        "planned": all(&verdict.planned),
        "superseded": all(&verdict.superseded),
        "succeeded": all(&verdict.succeeded),
        "available": all(&verdict.available),
        "causes": causes.map(cause).collect::<Vec<_>>(),
        "remarks": ids(&verdict.remarks),
        "bookkeeping": ids(&verdict.bookkeeping),
    })
}
