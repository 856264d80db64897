//! Member clusters as policies and stages see them.

use crate::kube::selector::Labels;

/// The label that the hub puts on every member.
pub const MEMBER_NAME: &str = "kubernetes-fleet.io/member-name";

/// Returns the labels of a member with the one that the hub adds; it writes over whatever stands there.
pub fn labels_on_hub<'a>(name: &'a str, mut labels: Labels<'a>) -> Labels<'a> {
    labels.insert(MEMBER_NAME, name);
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hub_names_the_member() {
        let labels =
            labels_on_hub("prod-1", Labels::from([(MEMBER_NAME, "other"), ("env", "prod")]));
        assert_eq!(labels, Labels::from([(MEMBER_NAME, "prod-1"), ("env", "prod")]));
    }
}
