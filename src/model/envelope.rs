//! Envelopes: objects that are placed and do not exist on the hub.

use std::sync::Arc;

use smol_str::SmolStr;

use super::meta::Meta;
use super::read::{Site, Text, read_text};
use crate::source::Span;
use crate::syntax::tree::{Entry, Node, Value};

/// A ResourceEnvelope or ClusterResourceEnvelope.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// Identity and metadata.
    pub meta: Arc<Meta>,
    /// `data`.
    pub entries: Vec<EnvelopedObject>,
}

/// One object in an envelope.
#[derive(Clone, Debug)]
pub struct EnvelopedObject {
    /// Its key under `data`.
    pub key: SmolStr,
    /// Where the key stands.
    pub key_span: Span,
    /// All of it.
    pub site: Site,
    /// Whether it is a map, as an object has to be.
    pub is_map: bool,
    /// `apiVersion`.
    pub api_version: Option<Text>,
    /// `kind`.
    pub kind: Option<Text>,
    /// Where `metadata` stands.
    pub metadata: Option<Site>,
    /// `metadata.name`.
    pub name: Option<Text>,
    /// `metadata.namespace`.
    pub namespace: Option<Text>,
}

impl Envelope {
    /// Reads an envelope.
    pub fn read(meta: Arc<Meta>) -> Self {
        let entries = Self::entries_of(&meta);
        Self { meta, entries }
    }

    /// Reads what an envelope holds.
    pub fn entries_of(meta: &Meta) -> Vec<EnvelopedObject> {
        let entries = meta.root.get("data").map(Node::entries).unwrap_or_default();
        entries.iter().map(EnvelopedObject::read).collect()
    }
}

impl EnvelopedObject {
    /// Returns its namespace; an empty one is none.
    pub fn stated_namespace(&self) -> Option<&Text> {
        self.namespace.as_ref().filter(|namespace| !namespace.is_empty())
    }

    /// Says whether it surely states no namespace, not even one that cannot be read.
    pub fn lacks_namespace(&self) -> bool {
        let absent = self.metadata.as_ref().and_then(|metadata| metadata.absent("namespace"));
        absent.is_some() || self.namespace.as_ref().is_some_and(|text| text.is_empty())
    }

    fn read(Entry { key, key_span, node }: &Entry) -> Self {
        let metadata = node.get("metadata");
        let named = |key| metadata.and_then(|metadata| read_text(metadata, key));
        Self {
            key: key.clone(),
            key_span: *key_span,
            site: Site::of(node),
            is_map: matches!(node.value, Value::Map(_)),
            api_version: read_text(node, "apiVersion"),
            kind: read_text(node, "kind"),
            metadata: metadata.map(Site::of),
            name: named("name"),
            namespace: named("namespace"),
        }
    }
}
