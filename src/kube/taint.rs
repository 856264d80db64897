//! Taints and tolerations.
//!
//! `NoSchedule` is the only effect that a member cluster can have, so effects are not compared.

/// What keeps workloads away; an absent value is an empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taint<'a> {
    /// `key`.
    pub key: &'a str,
    /// `value`.
    pub value: &'a str,
}

/// What overcomes taints; an absent field is an empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toleration<'a> {
    /// `key`; empty stands for every key, with the operator `Exists`.
    pub key: &'a str,
    /// `operator`; everything but `Exists` means `Equal`, the default.
    pub operator: &'a str,
    /// `value`.
    pub value: &'a str,
}

impl Toleration<'_> {
    /// Says whether it tolerates a taint.
    pub fn tolerates(&self, taint: Taint<'_>) -> bool {
        let exists = self.operator == "Exists";
        if self.key.is_empty() {
            return exists;
        }
        self.key == taint.key && (exists || self.value == taint.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_toleration_compares_key_operator_and_value() {
        let taint = Taint { key: "gpu", value: "yes" };
        for (key, operator, value, tolerated) in [
            ("gpu", "Equal", "yes", true),
            ("gpu", "", "yes", true),
            ("gpu", "Equal", "no", false),
            ("gpu", "", "", false),
            ("gpu", "Exists", "", true),
            ("cpu", "Exists", "", false),
            ("cpu", "Equal", "yes", false),
            ("", "Exists", "", true),
            ("", "Equal", "yes", false),
        ] {
            let toleration = Toleration { key, operator, value };
            assert_eq!(toleration.tolerates(taint), tolerated, "{toleration:?}");
        }
    }
}
