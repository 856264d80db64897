//! Words that are nobody's name: what Kubernetes, KubeFleet and the catalogue call things.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::grammar::kind::all_kinds;
use crate::grammar::message::{log_templates, reasons, templates};
use crate::grammar::schema::Schema;

/// Names that every cluster has.
const COMMON: [&str; 24] = [
    "default",
    "kube-system",
    "kube-public",
    "kube-node-lease",
    "fleet-system",
    "fleet-member",
    "hub",
    "hub-agent",
    "member-agent",
    "refresh-token",
    "kubernetes",
    "kube-root-ca.crt",
    "latest",
    "none",
    "true",
    "false",
    "null",
    "kubefleet",
    "kubectl",
    "manager",
    "main",
    "test",
    "snapshot",
    "work",
];

static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let mut words = HashSet::new();
    let mut add = |text: &str| {
        for part in text.split(|c: char| !c.is_ascii_alphanumeric()) {
            let word = part.to_ascii_lowercase();
            // Most words are there already; finding one is cheaper than an entry for it.
            if !words.contains(&word) {
                words.insert(word);
            }
        }
    };
    templates().iter().for_each(|template| add(template.text));
    log_templates().iter().for_each(|line| {
        add(line.text);
        line.keys.iter().for_each(|(key, _)| add(key));
        add(line.file);
    });
    for reason in reasons() {
        add(reason.condition.reason);
        add(reason.condition.r#type);
    }
    for kind in all_kinds() {
        [kind.name, kind.plural, kind.singular, kind.group].into_iter().for_each(&mut add);
        fields(kind.schema(), &mut add);
    }
    COMMON.iter().for_each(|word| {
        words.insert((*word).to_owned());
    });
    words
});

fn fields(schema: &Schema, add: &mut dyn FnMut(&str)) {
    schema.allowed.iter().for_each(|value| add(value));
    for field in schema.fields() {
        add(&field.name);
        fields(&field.schema, add);
    }
    schema.item().into_iter().for_each(|item| fields(item, add));
}

/// Says whether a text is a word of the vocabulary, so that replacing it would change what is said.
pub(super) fn is_word(name: &str) -> bool {
    WORDS.contains(&name.to_ascii_lowercase())
}
