//! FL0732 work-name-taken.

use crate::declare_rule;
use crate::finding::{Recoverability, Severity, Topic};
use crate::grammar::kind::Kind;
use crate::grammar::message::id;
use crate::model::key::ObjectKey;
use crate::model::work::MEMBER_NAMESPACE;
use crate::rule::Cx;
use crate::rules::commands::{look_at, show_command};
use crate::rules::consequence::explain_stall;
use crate::rules::sentence::member_name;

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
            .at(cx.span_of(&phrase), "the old Work is still there")
            .also_at(
                old.and_then(|work| work.meta.deleting).map(|time| time.span),
                "the old Work was deleted",
            )
            .message(format!(
                "{} cannot get its Work on {}: the old {name} is still being deleted.",
                stall.placement,
                member_name(&stall.cluster)
            ))
            .why(
                "The placement was created again while the Work of its first life is stuck in \
                  deletion. Both have the same name.",
            )
            .then(format!(
                "The hub agent creates {name} by itself once the old one is gone. {} continues \
                 then.",
                stall.placement.title()
            ))
            .recover(Recoverability::ResumesAfterRepair)
            .step(
                show_command(&key).filter(|_| old.is_none()),
                "shows since when the old Work is being deleted, and its finalizers",
            )
            .step(
                look_at(&stall.cluster)
                    .words("get appliedworks")
                    .name(name)
                    .words("-o yaml")
                    .build(),
                "shows what the member agent still has to delete there",
            )
            .about(Topic::Work(key));
        cx.report(explain_stall(finding, stall));
    }
}
