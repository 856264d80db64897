//! FL0901 preempted-in-log.

use crate::declare_rule;
use crate::finding::Command;
use crate::finding::{Recoverability, Severity};
use crate::model::key::ObjectKey;
use crate::model::log::LogEvent;
use crate::rule::{Cx, Scope};
use crate::rules::logs::lookup::{losses, run_kind};
use crate::rules::wording::{namespace_flag, plural};

declare_rule! {
    /// A pre-emption that only the log of hub-agent shows.
    ///
    /// ## Why it matters
    /// The log names the run that lost a cluster, the binding, and the run that bound it before: who took what from whom, and
    /// when. The line "binding is not up-to-date" alone means nothing: it is written right before every cluster is started.
    ///
    /// ## What to do
    /// As for a pre-empted run: let the other run go on, and make a new run for this version afterwards.
    pub static PREEMPTED_IN_LOG = Rule {
        code: "FL0901",
        name: "preempted-in-log",
        severity: Severity::Error,
        scope: Scope::Bundle,
        reads: &[],
        check: preempted_in_log,
    }
}

fn preempted_in_log(cx: &mut Cx<'_>) {
    for loss in losses(cx) {
        let known = cx.has_run(&loss.run.namespace, &loss.run.name);
        if known {
            continue;
        }
        let key =
            ObjectKey::on_hub(run_kind(&loss.run.namespace), &loss.run.namespace, &loss.run.name);
        let cluster = loss
            .cluster
            .as_deref()
            .map(|cluster| format!(" on cluster {cluster}"))
            .unwrap_or_default();
        let when = |event: &LogEvent| {
            event.shown_time().map(|time| format!(" at {time}")).unwrap_or_default()
        };
        let who = match &loss.taken {
            Some(taking) => format!("run {} bound it{}", taking.run, when(taking.event)),
            None => "the log does not show who bound it".to_owned(),
        };
        let mut finding = PREEMPTED_IN_LOG
            .at(loss.run.span, "lost the cluster here")
            .for_object(key.clone())
            .message(format!(
                "{} {} was pre-empted{cluster}{}: its binding {} was changed under it; {who}",
                key.kind,
                key.path(),
                when(loss.event),
                loss.binding.name,
            ))
            .help("two runs of one placement write the same bindings; the later one wins and the earlier one fails for good")
            .recover(Recoverability::RunIsDead)
            .command(Command::look(format!("kubectl get {} {}{} -o yaml", plural(&key.kind), key.name, namespace_flag(&key))));
        let binding =
            if key.namespace.is_empty() { "ClusterResourceBinding" } else { "ResourceBinding" };
        let subject = ObjectKey::on_hub(binding, &loss.binding.namespace, &loss.binding.name);
        finding = finding.also_log(loss.binding.span, "the binding", Some(subject.clone()));
        if let Some(taking) = &loss.taken {
            finding = finding.also_log(taking.span, "the run that took it", Some(subject));
        }
        cx.report(finding);
    }
}
