//! What the hub sends to a member: the manifest of an object, and fields of its containers.

use crate::model::key::ObjectKey;
use crate::model::read::Text;
use crate::model::work::WorkManifest;
use crate::rule::Cx;
use crate::source::Span;

/// Finds an object as the hub sends it to its member.
pub fn find_manifest<'g>(cx: &Cx<'g>, object: &ObjectKey) -> Option<&'g WorkManifest> {
    let same = |name: &Option<Text>, wanted: &str| name.as_deref().unwrap_or_default() == wanted;
    let works = cx.works_of(&object.cluster);
    works.flat_map(|work| &work.manifests).find(|manifest| {
        same(&manifest.kind, &object.kind)
            && same(&manifest.namespace, &object.namespace)
            && same(&manifest.name, &object.name)
    })
}

/// Finds a field of a container in a workload's pod template as the hub sends it.
pub fn find_in_manifest(
    cx: &Cx<'_>,
    object: &ObjectKey,
    container: &str,
    path: &[&str],
) -> Option<Span> {
    find_manifest(cx, object)?.container_field_span(container, path)
}
