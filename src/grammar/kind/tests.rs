//! What the data files promise, checked over all of them.

use super::*;

#[test]
fn every_kind_loads_in_every_version() {
    for spec in all_kinds() {
        spec.schema();
        for version in &spec.versions {
            assert!(spec.schema_in(version).is_some(), "{} {version}", spec.name);
        }
        assert!(!spec.columns().is_empty(), "{}", spec.name);
    }
}
