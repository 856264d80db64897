//! What kubectl and the API server answered to requests about KubeFleet's objects.

use std::collections::BTreeSet;

use crate::grammar::kind::{FORMER_GROUPS, find_kind};
use crate::grammar::message::{MessageContext, MessageId, Recognised, recognise};
use crate::model::key::{HUB, ObjectKey};
use crate::rule::Cx;
use crate::syntax::Rejection;

/// An answer, taken apart.
pub struct KubectlAnswer<'g> {
    /// The answer as it stands in the bundle.
    pub rejection: &'g Rejection,
    /// The object that was not read or written; its name is empty where the answer does not tell.
    pub key: ObjectKey,
    /// What its words are made of.
    pub recognised: Recognised,
}

/// Returns the answers, each once however often it was pasted.
pub fn answers<'g>(cx: &Cx<'g>) -> Vec<KubectlAnswer<'g>> {
    let mut seen = BTreeSet::new();
    let rejections = cx.bundle().parsed.iter().flat_map(|parsed| &parsed.rejections);
    let ours = rejections.filter(|rejection| is_ours(rejection));
    let fresh = ours.filter(|rejection| seen.insert(&rejection.words));
    let read = fresh.map(|rejection| KubectlAnswer {
        rejection,
        key: ObjectKey {
            cluster: HUB.into(),
            kind: rejection.kind.clone().unwrap_or_default(),
            namespace: rejection.namespace.clone().unwrap_or_default(),
            name: rejection.name.clone().unwrap_or_default(),
        },
        recognised: recognise(&rejection.words, &MessageContext::default()),
    });
    read.collect()
}

/// Says whether an answer is about an object of KubeFleet: others are somebody else's business.
fn is_ours(rejection: &Rejection) -> bool {
    let own = rejection.kind.as_deref().and_then(find_kind).is_some_and(|spec| spec.is_fleet());
    let words = &rejection.words;
    own || words.contains("kubernetes-fleet.io")
        || words.contains("admission webhook \"fleet.")
        || FORMER_GROUPS.iter().any(|group| words.contains(&format!("\"{group}/")))
}

impl KubectlAnswer<'_> {
    /// Returns what a part of the answer names, by the template of the part and the name of the hole.
    pub fn value(&self, id: MessageId, name: &str) -> Option<&str> {
        let part = self.recognised.find_part(id)?;
        let found = part.refs.iter().find(|found| found.name == name)?;
        self.rejection.words.get(found.range.clone())
    }

    /// Returns the object for a sentence: kind and name, or the kind alone.
    pub fn subject(&self) -> String {
        match (&*self.key.kind, &*self.key.name) {
            ("", _) => "an object".to_owned(),
            (kind, "") => format!("a {kind}"),
            (kind, _) => format!("{kind} {}", self.key.path()),
        }
    }
}
