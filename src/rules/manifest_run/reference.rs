//! A name in a run that leads to nothing in the run's own scope.

use crate::finding::{Finding, Severity};
use crate::manifest::Draft;
use crate::model::object::Typed;
use crate::model::read::Text;
use crate::model::run::Run;
use crate::rule::{Cx, Rule};

/// Finds a name that no object of a family has where the run looks for it; `scopes` says who looks where.
pub fn lost_reference<T: Typed>(
    cx: &Cx<'_>,
    rule: &'static Rule,
    run: Draft<'_, Run>,
    name: &Text,
    noun: &str,
    scopes: &'static str,
) -> Option<Finding> {
    let repository = cx.repository();
    let wanted = T::KIND.in_scope(run.manifest.scope());
    let (span, namespace) = (run.manifest.span, run.meta.namespace());
    if repository.find(wanted, namespace, name).is_some() {
        return None;
    }
    let other = repository
        .all::<T>()
        .find(|other| repository.is_together(span, other.manifest.span) && other.name() == &**name);
    let finding = rule.at_field(&name.place(), "not found in the run's scope");
    Some(match other {
        Some(other) => finding
            .severity(Severity::Error)
            .also(other.manifest.name_place().span, "this one is in another scope")
            .message(format!("{} cannot see {}", run.show(), other.show()))
            .why(scopes),
        None => cx
            .missing(finding)
            .message(format!("the {noun} {} of run {} is not found here", &**name, run.name()))
            .why("if it does not exist when the run is made, the run fails permanently")
            .meant(repository.nearest(span, wanted, namespace, name)),
    })
}
