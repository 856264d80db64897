//! Kubernetes quantities (`500m`, `16Gi`, `1e3`) and the names of cluster properties.

use crate::kube::names::{key_trouble, subdomain_trouble, value_trouble};

/// The prefix of properties that stand for resources.
pub const RESOURCE_PREFIX: &str = "resources.kubernetes-fleet.io/";

/// Reads a quantity.
pub fn read_quantity(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (digits, suffix) = unsigned.split_at_checked(end)?;
    let shaped = digits.bytes().any(|byte| byte.is_ascii_digit())
        && digits.bytes().filter(|byte| *byte == b'.').count() <= 1;
    let number: f64 = if shaped { format!("0{digits}0").parse().ok()? } else { return None };
    // The zero behind keeps `1.` readable; without a dot it would multiply by ten.
    let number = if digits.contains('.') { number } else { digits.parse().ok()? };
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    Some(sign * number * factor(suffix)?)
}

fn factor(suffix: &str) -> Option<f64> {
    let binary = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
    let decimal = [
        ("n", -9),
        ("u", -6),
        ("m", -3),
        ("", 0),
        ("k", 3),
        ("M", 6),
        ("G", 9),
        ("T", 12),
        ("P", 15),
        ("E", 18),
    ];
    if let Some(power) = binary.iter().position(|word| *word == suffix) {
        return Some(1024_f64.powi(i32::try_from(power).ok()? + 1));
    }
    if let Some((_, power)) = decimal.iter().find(|(word, _)| *word == suffix) {
        return Some(10_f64.powi(*power));
    }
    let exponent: i32 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    Some(10_f64.powi(exponent))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_kubernetes_reads_them() {
        assert_eq!(read_quantity("1500m"), Some(1.5));
        assert_eq!(read_quantity("16Gi"), Some(16.0 * 1024.0 * 1024.0 * 1024.0));
        assert_eq!(read_quantity("1e3"), Some(1000.0));
        assert_eq!(read_quantity("+1"), Some(1.0));
        assert_eq!(read_quantity("10"), Some(10.0));
        assert_eq!(read_quantity("1 Gi"), None);
        assert_eq!(read_quantity(""), None);
    }
}
