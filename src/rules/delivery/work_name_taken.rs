//! FL0732 work-name-taken.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::key::ObjectKey;
use crate::model::work::MEMBER_NAMESPACE;
use crate::rule::Cx;
use crate::rules::chain::{explain_stall, member_name};
use crate::rules::commands::show_command;

declare_rule! {
    /// A Work that cannot be created because its predecessor of the same name is still going away.
    ///
    /// ## Why it matters
    /// A placement that is deleted and made again under its name needs Works of the same names. As long as the
    /// old Work hangs in deletion, the hub cannot create the new one. It tries again by itself.
    ///
    /// ## What to do
    /// Let the old Work go: find what holds the objects on the member (a finalizer that nobody serves, a silent
    /// agent). The new Work is then created within minutes.
    pub static WORK_NAME_TAKEN = Rule {
        code: "FL0732",
        name: "work-name-taken",
        severity: Severity::Error,
        reads: &[Kind::Binding, Kind::Work],
        check: work_name_taken,
    }
}

fn work_name_taken(cx: &mut Cx<'_>) {
    for stall in cx.blocked_rollouts() {
        let Some(phrase) = stall.find(&[id::BINDING_WORKSYNC_BEING_DELETED]) else { continue };
        let name = phrase.get("work").unwrap_or_default();
        let namespace = format!("{MEMBER_NAMESPACE}{}", stall.cluster);
        let works = cx.works().iter();
        let old = works
            .filter(|work| work.meta.namespace() == namespace)
            .find(|work| work.meta.name() == name);
        let key = ObjectKey::on_hub("Work", &namespace, name);
        let finding = WORK_NAME_TAKEN
            .at(cx.span_of(&phrase), "the old one is still there")
            .also_at(old.and_then(|work| work.meta.deleting).map(|time| time.span), "going since")
            .message(format!(
                "{} cannot get its Work on {}: the old {name} is still being deleted",
                stall.placement,
                member_name(&stall.cluster)
            ))
            .why("the placement was made again while the Work of its first life hangs in deletion; the new Work is created by itself once the old one is gone")
            .recover(Recoverability::ResumesAfterRepair)
            .command(show_command(&key))
            .about(Topic::Work(key));
        cx.report(explain_stall(finding, stall));
    }
}
