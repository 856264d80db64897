//! [`LabelShape`]: what the schema expects below a label, as the placing of lines needs it.
//!
//! Owns the reading of [`Schema`] for describe text: which labels an object knows, which keys each
//! item of a list must have, what text makes which value. Payload that no schema types gets its
//! shape from the field names that all of Kubernetes shares.

use smol_str::SmolStr;

use crate::grammar::kind::find_kind_in;
use crate::grammar::schema::{Field, Schema, Type, ValueFormat};
use crate::syntax::tree::{Fidelity, Value};

use super::label;
use super::line::DescribeLine;

/// How far ahead the kind of an embedded object is looked for.
const LOOK_AHEAD: usize = 1024;

/// What may stand below or behind a label.
#[derive(Clone, Copy, Debug)]
pub(super) enum LabelShape<'g> {
    /// One value of this type.
    Scalar(&'g Schema),
    /// An object with known fields.
    Object(&'g Schema),
    /// An object with keys of the user's choice.
    Map(Option<&'g Schema>),
    /// A list of this.
    List(Option<&'g Schema>),
    /// A block that kubectl hides since 1.27 and nobody reads.
    Hidden,
    /// No schema says what stands there.
    Any,
}

/// A field that a label was matched with.
#[derive(Clone, Debug)]
pub(super) struct KnownField<'g> {
    /// The field that the label stands for.
    pub(super) key: SmolStr,
    /// The shape of the value below the label.
    pub(super) shape: LabelShape<'g>,
    /// Whether the key is the schema's or a guess.
    pub(super) fidelity: Fidelity,
    /// Whether the schema names it.
    pub(super) named: bool,
}

impl<'g> LabelShape<'g> {
    /// Returns the shape that a schema gives.
    pub(super) fn of(schema: Option<&'g Schema>) -> Self {
        let Some(schema) = schema else { return Self::Any };
        match &schema.ty {
            Type::Object(_) => Self::Object(schema),
            Type::Map(value) => Self::Map(Some(value)),
            Type::List(item) => Self::List(Some(item)),
            Type::Any => Self::Any,
            _ => Self::Scalar(schema),
        }
    }

    /// Returns the fields that the schema names.
    pub(super) fn fields(self) -> &'g [Field] {
        if let Self::Object(schema) = self { schema.fields() } else { &[] }
    }

    /// Says whether an object may have fields that the schema does not name.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::Object(schema) if schema.open)
    }

    /// Finds the field behind a label.
    pub(super) fn find(self, text: &str) -> Option<KnownField<'g>> {
        if let Self::Object(schema) = self
            && let Some(field) = schema.field_folded(text)
        {
            let shape = match &*field.name {
                "managedFields" => Self::Hidden,
                _ => Self::of(Some(&field.schema)),
            };
            let key = field.name.clone();
            return Some(KnownField {
                key: key.into(),
                shape,
                fidelity: Fidelity::Read,
                named: true,
            });
        }
        match self {
            Self::Map(value) => Some(guessed(text, Self::of(value))),
            _ if (matches!(self, Self::Any) || self.is_open()) && label::is_plausible(text) => {
                let known = guessed(text, Self::Any);
                Some(KnownField { shape: payload_shape(&known.key), ..known })
            }
            _ => None,
        }
    }

    /// Says whether an item must have a key that sorts before `key`, so that none can begin there.
    pub(super) fn requires_before(self, key: &str) -> bool {
        self.fields().iter().any(|field| is_always_there(field) && &*field.name < key)
    }

    /// Says whether a key is in every item, which makes all borders between items exact.
    pub(super) fn has_sure_key(self) -> bool {
        self.is_embedded() || self.fields().iter().any(is_always_there)
    }

    /// Says whether it is a Kubernetes object inside another one, which always tells its version.
    pub(super) fn is_embedded(self) -> bool {
        matches!(self, Self::Object(schema) if schema.embedded.is_some())
    }

    /// Says whether it holds other fields or items.
    pub(super) fn is_container(self) -> bool {
        !matches!(self, Self::Scalar(_) | Self::Any)
    }

    /// Says whether it is one value of a known type.
    pub(super) fn is_scalar(self) -> bool {
        matches!(self, Self::Scalar(_))
    }

    /// Returns the shape of the kind that an embedded object says it is; `lines` begin with its first.
    pub(super) fn of_embedded(self, lines: &[DescribeLine<'_>]) -> Self {
        let Some(first) = lines.first() else { return self };
        let mut version = None;
        for line in lines.iter().take(LOOK_AHEAD).filter(|line| line.indent <= first.indent) {
            if line.indent == first.indent && line.label_text() == Some("API Version") {
                if version.is_some() {
                    return self;
                }
                version = Some(line.value());
            } else if line.indent == first.indent && line.label_text() == Some("Kind") {
                let spec = find_kind_in(version.unwrap_or_default(), line.value());
                return spec.map_or(self, |spec| Self::Object(spec.schema()));
            }
        }
        self
    }

    /// Types a printed scalar; text that does not fit its type stays text, and says so.
    pub(super) fn value_of(self, text: &str) -> (Value, Fidelity) {
        let word = text.trim();
        if word == "<nil>" {
            return (Value::Null, Fidelity::Read);
        }
        let Self::Scalar(schema) = self else {
            return (Value::String(text.into()), Fidelity::Inferred);
        };
        let (typed, fidelity) = match &schema.ty {
            Type::IntOrString if schema.format == Some(ValueFormat::Quantity) => {
                (None, Fidelity::Read)
            }
            Type::IntOrString => (word.parse().map(Value::Int).ok(), Fidelity::Read),
            Type::Integer => (word.parse().map(Value::Int).ok(), Fidelity::Inferred),
            Type::Boolean => (word.parse().map(Value::Bool).ok(), Fidelity::Inferred),
            Type::Number => {
                let whole = word.parse().map(Value::Int);
                (whole.or_else(|_| word.parse().map(Value::Float)).ok(), Fidelity::Inferred)
            }
            _ => (None, Fidelity::Read),
        };
        match typed {
            Some(value) => (value, Fidelity::Read),
            None => (Value::String(text.into()), fidelity),
        }
    }
}

fn guessed<'g>(text: &str, shape: LabelShape<'g>) -> KnownField<'g> {
    let exact = label::is_verbatim(text);
    let fidelity = if exact { Fidelity::Read } else { Fidelity::Inferred };
    KnownField { key: label::guess_key(text), shape, fidelity, named: false }
}

/// Says whether every item of a list has this field: because it must, or by default.
fn is_always_there(field: &Field) -> bool {
    field.required || field.schema.default.is_some()
}

/// Lists of the built-in kinds, which describe prints like a map when they have one item.
#[rustfmt::skip]
const PAYLOAD_LISTS: &[&str] = &[
    "accessModes", "apiGroups", "args", "clusterIPs", "command", "conditions", "containers", "egress", "env", "envFrom", "finalizers", "from", "hostAliases", "hosts", "imagePullSecrets", "ingress", "initContainers", "ipFamilies", "items", "matchExpressions", "nodeSelectorTerms", "nonResourceURLs", "ownerReferences", "paths", "policyTypes", "ports", "preferredDuringSchedulingIgnoredDuringExecution", "resourceNames", "rules", "secrets", "sources", "subjects", "tls", "to", "tolerations", "topologySpreadConstraints", "values", "verbs", "versions", "volumeClaimTemplates", "volumeDevices", "volumeMounts", "volumes",
];

/// Maps of the built-in kinds whose keys are the user's, so that their order proves nothing.
const PAYLOAD_MAPS: &[&str] = &[
    "allocatable",
    "annotations",
    "binaryData",
    "capacity",
    "data",
    "hard",
    "labels",
    "limits",
    "matchLabels",
    "nodeSelector",
    "requests",
    "stringData",
    "used",
];

fn payload_shape<'g>(key: &str) -> LabelShape<'g> {
    if PAYLOAD_MAPS.contains(&key) {
        LabelShape::Map(None)
    } else if PAYLOAD_LISTS.contains(&key) {
        LabelShape::List(None)
    } else {
        LabelShape::Any
    }
}
