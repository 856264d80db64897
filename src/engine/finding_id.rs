//! Ids of findings, `FL0501-1a2b3c4d`: the code, and a hash of the object and field that the finding points at.
//!
//! Ids are part of the JSON report: baselines, tickets and dashboards keep them, so they stay the same over runs, machines
//! and releases. The hash is therefore fixed for good: 32-bit FNV-1a, eight digits that people can still compare by eye. The
//! `fnv` crate, which groups log lines, has the 64-bit variant only; a crate more for two constants would be a
//! dependency that may change what is promised here.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::resolve::Place;
use crate::finding::Finding;

/// How often each code was seen with each hash.
pub(super) type SeenIds = HashMap<(&'static str, u32), u32, FixedState>;

/// Makes an id from what the finding is, not from where it stands in the file; the second of an id gets the suffix `.2`.
pub(super) fn make_id(finding: &Finding, place: &Place, seen: &mut SeenIds) -> String {
    let mut hash = OFFSET_BASIS;
    match &place.object {
        Some(key) => {
            for part in [&*key.cluster, "|", &*key.kind, "|", &*key.path()] {
                hash = fnv1a_32(hash, part);
            }
        }
        None => hash = fnv1a_32(hash, &place.path),
    }
    hash = fnv1a_32(fnv1a_32(hash, "|"), &place.field);
    let count = seen.entry((finding.code, hash)).or_default();
    *count += 1;
    let code = finding.code;
    if *count == 1 { format!("{code}-{hash:08x}") } else { format!("{code}-{hash:08x}.{count}") }
}

/// The hash of nothing.
const OFFSET_BASIS: u32 = 0x811c_9dc5;

/// Goes on hashing with 32-bit FNV-1a.
fn fnv1a_32(hash: u32, text: &str) -> u32 {
    const PRIME: u32 = 0x0100_0193;
    text.bytes().fold(hash, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::{OFFSET_BASIS, fnv1a_32};

    /// Vectors of the authors' own test program (test_fnv.c).
    #[test]
    fn the_hash_is_the_published_one() {
        let vectors = [
            ("", 0x811c_9dc5),
            ("a", 0xe40c_292c),
            ("b", 0xe70c_2de5),
            ("foo", 0xa9f3_7ed7),
            ("foobar", 0xbf9c_f968),
        ];
        for (text, hash) in vectors {
            assert_eq!(fnv1a_32(OFFSET_BASIS, text), hash, "{text}");
        }
    }
}
