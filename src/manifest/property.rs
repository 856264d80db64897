//! The names of cluster properties, as the webhook of placements checks them.

use crate::kube::names::{key_trouble, subdomain_trouble, value_trouble};
use crate::model::cluster::RESOURCE_PREFIX;

/// Says what is wrong with the name of a property.
pub fn property_trouble(name: &str) -> Option<String> {
    if let Some(resource) = name.strip_prefix(RESOURCE_PREFIX) {
        let Some((capacity, _)) = resource.split_once('-') else {
            return Some(
                "a resource property is written PREFIX/CAPACITY-RESOURCE, like `…/available-cpu`"
                    .to_owned(),
            );
        };
        if !["total", "allocatable", "available"].contains(&capacity) {
            return Some(format!("`{capacity}` is none of total, allocatable, available"));
        }
        return key_trouble(name);
    }
    let mut segments = name.split('/');
    let first = segments.next().unwrap_or_default();
    let rest: Vec<&str> = segments.collect();
    if rest.is_empty() {
        return key_trouble(name);
    }
    if first.is_empty() || (subdomain_trouble(first).is_some() && value_trouble(first).is_some()) {
        return Some(format!("`{first}` is neither a DNS name nor a name"));
    }
    rest.iter().find_map(|segment| key_trouble(segment))
}
