//! Kubernetes quantities: `500m`, `8`, `32Gi`, `1e3`.

/// Reads a quantity as a number; `None` for text that is none.
///
/// A blank is refused, as the API server refuses it, so that `1 Gi` is not taken for `1Gi`.
pub fn read_quantity(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || "+-.".contains(c))).unwrap_or(text.len());
    let (number, suffix) = text.split_at_checked(end)?;
    let number: f64 = number.parse().ok()?;
    let factor = match suffix {
        "n" => 1e-9,
        "u" => 1e-6,
        "m" => 1e-3,
        "" => 1.0,
        "k" => 1e3,
        "M" => 1e6,
        "G" => 1e9,
        "T" => 1e12,
        "P" => 1e15,
        "E" => 1e18,
        "Ki" => 1024.0,
        "Mi" => 1024f64.powi(2),
        "Gi" => 1024f64.powi(3),
        "Ti" => 1024f64.powi(4),
        "Pi" => 1024f64.powi(5),
        "Ei" => 1024f64.powi(6),
        _ => 10f64.powi(suffix.strip_prefix(['e', 'E'])?.parse().ok()?),
    };
    Some(number * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_kubernetes_reads_them() {
        assert_eq!(read_quantity("2000m"), read_quantity("2"));
        assert_eq!(read_quantity("1500m"), Some(1.5));
        assert_eq!(read_quantity("1Gi"), Some(1_073_741_824.0));
        assert_eq!(read_quantity("1e3"), read_quantity("1k"));
        for (text, number) in [("+1", 1.0), ("-1", -1.0), ("1.", 1.0), (".5", 0.5), ("10", 10.0)] {
            assert_eq!(read_quantity(text), Some(number), "{text}");
        }
        for text in ["", "v1.35.0", "Gi", "1x", "1 Gi", " 1", "1.2.3", "+", "."] {
            assert_eq!(read_quantity(text), None, "{text}");
        }
    }
}
