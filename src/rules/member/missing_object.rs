//! The Secret or ConfigMap that a message of the kubelet misses.

use crate::grammar::message::id;
use crate::model::parsed_message::ParsedMessage;

/// Returns kind and name of the object that a message misses.
pub fn missing_object(said: &ParsedMessage) -> Option<(&'static str, &str)> {
    let kind_of = |resource: &str| match resource {
        "secret" | "secrets" => Some("Secret"),
        "configmap" | "configmaps" => Some("ConfigMap"),
        _ => None,
    };
    if let Some(phrase) = said.find(&[id::K8S_NOTFOUND]) {
        return Some((kind_of(phrase.get("resource")?)?, phrase.get("name")?));
    }
    let phrase = said.find(&[id::POD_MISSING_KEY])?;
    let kind = if phrase.words().contains(" in Secret ") { "Secret" } else { "ConfigMap" };
    let object = phrase.get("object")?;
    Some((kind, object.rsplit('/').next().unwrap_or(object)))
}
