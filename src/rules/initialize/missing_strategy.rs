//! FL0103 missing-strategy.

use crate::declare_rule;
use crate::facts::after_repair::Repair;
use crate::facts::new_run::{NewRunVersion, Order};
use crate::finding::{Finding, Outlook, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::graph::Listing;
use crate::kube::spelling::nearest_name;
use crate::model::read::SpanOr;
use crate::model::run::Run;
use crate::model::strategy::Strategy;
use crate::rule::Cx;
use crate::rules::commands::{look_at_hub, show_for};
use crate::rules::run_failure::{
    ClaimedMessages, RunFailureCause, causes, finish_failed_run, in_other_scopes,
};

declare_rule! {
    /// A run whose strategy does not exist.
    ///
    /// ## Why it matters
    /// The strategy is read once, when the run is initialized, in the run's own scope. Without it the run fails
    /// permanently. (Deleting or editing it later changes nothing for a run that is initialized: it keeps a copy.)
    ///
    /// ## What to do
    /// Create the strategy in the run's scope, then create a new run.
    pub static MISSING_STRATEGY = Rule {
        code: "FL0103",
        name: "missing-strategy",
        severity: Severity::Error,
        reads: &[Kind::Run, Kind::Strategy],
        check: missing_strategy,
    }
}

/// The strategy does not exist.
const NO_STRATEGY: ClaimedMessages = &[id::ERR_STRATEGY_NOT_FOUND, id::ERR_STRATEGY_NOT_FOUND_CSUR];

fn missing_strategy(cx: &mut Cx<'_>) {
    for cause in causes(cx, NO_STRATEGY) {
        let finding = describe(cx, &cause);
        let finding = finish_failed_run(cx, cause.run, finding, outlook(cx, cause.run));
        cx.report(finding);
    }
}

/// A run that names a strategy which is still missing would fail as this one did.
fn outlook(cx: &Cx<'_>, run: &Run) -> Outlook {
    let exists = cx.find_strategy(run).is_some();
    let mut outlook = cx.outlook_of_run(run, if exists { Repair::Run } else { Repair::Strategy });
    if exists || outlook.steps.is_empty() || run.strategy.is_none() {
        return outlook;
    }
    let elsewhere = in_other_scopes(cx.strategies(), run, &run.strategy).next();
    let near = nearest(cx, run).filter(|_| elsewhere.is_none()).map(|near| near.meta.name());
    let order = match near {
        Some(near) => {
            let when = format!("If strategy {near} is meant, create a new run");
            Order { version: NewRunVersion::AsBefore, strategy: Some(near), when }
        }
        None => Order::after(NewRunVersion::AsBefore, &format!("{} exists", missing(run))),
    };
    outlook.steps = cx.new_run(run, &order);
    outlook
}

/// Names the strategy that a run looks for.
fn missing(run: &Run) -> String {
    let wanted = Kind::Strategy.in_namespace(run.meta.namespace());
    let place = match run.meta.namespace() {
        "" => String::new(),
        namespace => format!(" in namespace {namespace}"),
    };
    format!("{wanted} {}{place}", run.strategy.as_deref().unwrap_or_default())
}

fn describe(cx: &Cx<'_>, cause: &RunFailureCause<'_>) -> Finding {
    let run = cause.run;
    let name = run.strategy.as_deref().unwrap_or_default();
    let wanted = Kind::Strategy.in_namespace(run.meta.namespace());
    let place = run.strategy.span_or(cause.span);
    let mut others = in_other_scopes(cx.strategies(), run, &run.strategy);
    let other = others.next().filter(|_| cx.find_strategy(run).is_none());
    let mut message = match name {
        "" => format!("The strategy of {} did not exist when it started.", run.meta.name()),
        _ => format!("There was no {wanted} {name} when {} started.", run.meta.name()),
    };
    if let Some(other) = other {
        let whose = if run.meta.is_cluster_scoped() {
            "a cluster-scoped run cannot use it"
        } else if other.meta.is_cluster_scoped() {
            "a namespaced run cannot use it"
        } else {
            "it is in another namespace"
        };
        message.push_str(&format!(" A {} of that name exists, but {whose}.", other.meta.key.kind));
    }
    let why = match run.meta.shows_scope() {
        true => format!("A run reads its strategy once, when it starts. It looks for a {wanted}."),
        false => "A run reads its strategy once, when it starts, from its own scope.".to_owned(),
    };
    let mut finding = MISSING_STRATEGY
        .at(place, "no such strategy in the run's scope")
        .also(cause.span, cause.label())
        .message(message)
        .why(why);
    if let Some(other) = other {
        let label = format!("{} of that name, in another scope", other.meta.key.kind);
        let shows = format!("shows its stages, for the {wanted} that is missing");
        return finding
            .also(other.meta.name_span, label)
            .command(show_for(&other.meta.key, shows))
            .hint(format!("Create {} first, with the stages that it needs.", missing(run)));
    } else if let Some(since) = cx.find_strategy(run) {
        finding = finding.also(since.meta.name_span, "created since, too late for this run");
    } else if let Some(near) = nearest(cx, run) {
        let label = "a strategy of the run's scope with a similar name";
        finding = finding.also(near.meta.name_span, label);
        finding = finding.hint(format!("Did you mean {}?", near.meta.name()));
    } else if run.strategy.is_some() {
        finding = finding.hint(format!("Create {} first.", missing(run)));
    }
    if run.meta.shows_scope() && cx.listing(wanted, run.meta.namespace()) != Listing::All {
        let look = look_at_hub().words("get").resource(wanted).namespace(run.meta.namespace());
        finding = finding.command(look.effect("shows which strategies exist").build());
    }
    finding
}

fn nearest<'g>(cx: &Cx<'g>, run: &Run) -> Option<&'g Strategy> {
    let name = run.strategy.as_deref()?;
    let here = || {
        let all = cx.strategies().iter();
        all.filter(|strategy| strategy.meta.namespace() == run.meta.namespace())
    };
    let near = nearest_name(name, here().map(|strategy| strategy.meta.name()))?;
    here().find(|strategy| strategy.meta.name() == near)
}
