//! How many clusters a rolling update may take away (KubeFleet pkg/controllers/rollout).

/// Returns maxUnavailable as a number of clusters: a percentage of the target, rounded up, 25% by default.
pub fn max_unavailable(setting: Option<&str>, target: i64) -> i64 {
    let text = setting.unwrap_or("25%");
    match text.strip_suffix('%') {
        Some(percent) => {
            let percent: i64 = percent.trim().parse().unwrap_or(25);
            target.saturating_mul(percent).saturating_add(99).div_euclid(100)
        }
        None => text.trim().parse().unwrap_or(1),
    }
}

#[cfg(test)]
mod tests {
    use super::max_unavailable;

    #[test]
    fn a_percentage_is_rounded_up() {
        for (setting, target, allowed) in [
            (None, 4, 1),
            (None, 5, 2),
            (Some("0"), 100, 0),
            (Some("0%"), 100, 0),
            (Some("1%"), 3, 1),
            (Some("50%"), 3, 2),
            (Some("2"), 1, 2),
        ] {
            assert_eq!(max_unavailable(setting, target), allowed, "{setting:?} of {target}");
        }
    }
}
