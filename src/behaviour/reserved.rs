//! Namespaces that are never placed (KubeFleet pkg/utils/common.go).

/// Says whether a namespace belongs to Kubernetes or KubeFleet.
pub fn is_reserved(namespace: &str) -> bool {
    namespace.starts_with("kube-") || namespace.starts_with("fleet-")
}

/// Says whether a placement that selects a namespace is refused for it.
pub fn is_never_placed(namespace: &str) -> bool {
    namespace == "default" || is_reserved(namespace)
}

#[cfg(test)]
mod tests {
    use super::{is_never_placed, is_reserved};

    #[test]
    fn the_default_namespace_is_not_reserved_but_never_placed() {
        let told = |name| (is_reserved(name), is_never_placed(name));
        assert_eq!(told("kube-system"), (true, true));
        assert_eq!(told("fleet-member-a"), (true, true));
        assert_eq!(told("default"), (false, true));
        assert_eq!(told("kubernetes"), (false, false));
        assert_eq!(told("web-kube-"), (false, false));
    }
}
