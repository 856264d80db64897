//! The embedded catalogue: what KubeFleet's kinds look like and what its controllers say.
//!
//! `grammar/kinds/*.yaml` is embedded and parsed on first use, kind by kind, so that a command pays only for
//! what it touches; `grammar/messages/*.yaml` becomes static tables.

pub mod kind;
pub mod message;
pub mod schema;

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

/// Returns a digest of the catalogue: programs with the same one know the same kinds and messages.
pub fn digest() -> &'static str {
    static DIGEST: LazyLock<String> = LazyLock::new(|| {
        let mut hasher = Sha256::new();
        for kind in kind::all_kinds() {
            [kind.name, kind.plural, kind.group].iter().for_each(|text| hasher.update(text));
        }
        message::templates().iter().for_each(|template| hasher.update(template.text));
        message::log_templates().iter().for_each(|line| hasher.update(line.text));
        hasher.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
    });
    &DIGEST
}
