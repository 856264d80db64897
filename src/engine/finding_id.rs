//! Ids of findings, `FL0501-1a2b3c4d`: the code, and a hash of the object and field that the finding points at.
//!
//! Ids are part of the JSON report: baselines, tickets and dashboards keep them, so they stay the same over runs, machines
//! and releases. The hash is therefore fixed for good: 32-bit FNV-1a, eight digits that people can still compare by eye. The
//! `fnv` crate, which groups log lines, has the 64-bit variant only; a crate more for two constants would be a
//! dependency that may change what is promised here.

use std::collections::BTreeMap;

use super::resolve::Place;
use crate::finding::Finding;

/// Makes an id from what the finding is, not from where it stands in the file; the second of an id gets the suffix `.2`.
pub(super) fn make_id(
    finding: &Finding,
    place: &Place,
    seen: &mut BTreeMap<String, u32>,
) -> String {
    let object =
        place.object.as_ref().map(|key| format!("{}|{}|{}", key.cluster, key.kind, key.path()));
    let identity = format!("{}|{}", object.unwrap_or_else(|| place.path.clone()), place.field);
    let id = format!("{}-{:08x}", finding.code, fnv1a_32(&identity));
    let count = seen.entry(id.clone()).or_default();
    *count += 1;
    if *count == 1 { id } else { format!("{id}.{count}") }
}

/// Hashes a text with 32-bit FNV-1a.
fn fnv1a_32(text: &str) -> u32 {
    const OFFSET_BASIS: u32 = 0x811c_9dc5;
    const PRIME: u32 = 0x0100_0193;
    text.bytes().fold(OFFSET_BASIS, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::fnv1a_32;

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
            assert_eq!(fnv1a_32(text), hash, "{text}");
        }
    }
}
