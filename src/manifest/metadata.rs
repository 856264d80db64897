//! Judging `metadata`, which the API server reads into a fixed form of its own.
//!
//! Owns types, names, labels, annotations, owners and finalizers. What a copy of a live object
//! carries and the server ignores is left to a rule.

use super::cursor::Cursor;
use super::fault::{FaultKind, ManifestFault};
use super::schema_check::wrong_type;
use super::{Manifest, Operation};
use crate::grammar::kind::Scope;
use crate::grammar::schema::{Schema, Type, ValueFormat};
use crate::kube::names::{key_trouble, subdomain_trouble, value_trouble};
use crate::kube::spelling::nearest_word;
use crate::kube::time::read_timestamp;
use crate::syntax::tree::Value;

/// How many bytes the annotations of an object may have together.
const ANNOTATION_BYTES: usize = 256 * 1024;

/// Judges the metadata of an object.
pub(super) fn judge_metadata(
    manifest: &Manifest,
    schema: &Schema,
    scope: Scope,
    operation: Operation,
) -> Vec<ManifestFault> {
    let mut faults = Vec::new();
    let root = Cursor::root(&manifest.root);
    let Some(meta) = root.get("metadata") else {
        faults.push(ManifestFault {
            kind: FaultKind::MissingField("metadata.name".to_owned()),
            place: root.missing("metadata"),
        });
        return faults;
    };
    if let Some(field) = schema.field("metadata") {
        shape(&meta, &field.schema, &mut faults);
    }
    if !matches!(meta.node.value, Value::Map(_)) {
        return faults;
    }
    name(&meta, &mut faults);
    if scope == Scope::Namespaced {
        namespace(&meta, &mut faults);
    }
    labels(&meta, &mut faults);
    annotations(&meta, &mut faults);
    owners(&meta, &mut faults);
    finalizers(&meta, &mut faults);
    let version = meta.get("resourceVersion").filter(|version| version.str() != Some(""));
    if let (Some(version), Operation::Create) = (version, operation) {
        let why = "an object that is created must not have a resourceVersion".to_owned();
        faults
            .push(ManifestFault { kind: FaultKind::BadMetadata(why), place: version.key_place() });
    }
    faults
}

/// Judges types and keys; null is the zero value everywhere.
fn shape(at: &Cursor<'_>, schema: &Schema, faults: &mut Vec<ManifestFault>) {
    let fits = match (&schema.ty, &at.node.value) {
        (Type::Any, _) => return,
        (Type::String, Value::String(text)) => {
            if schema.format == Some(ValueFormat::Time) && read_timestamp(text).is_none() {
                let why = format!("`{text}` is not a time like 2026-01-09T02:41:10Z");
                faults.push(ManifestFault { kind: FaultKind::BadMetadata(why), place: at.place() });
            }
            true
        }
        (Type::String, _) => false,
        (Type::Integer, value) => matches!(value, Value::Int(_)),
        (Type::Boolean, value) => matches!(value, Value::Bool(_)),
        (Type::Object(_) | Type::Map(_), value) => matches!(value, Value::Map(_)),
        (Type::List(_), value) => matches!(value, Value::List(_)),
        _ => true,
    };
    if !fits {
        let kind = wrong_type(at.node, schema, wanted_word(schema));
        faults.push(ManifestFault { kind, place: at.place() });
        return;
    }
    for (key, value) in at.entries() {
        match (&schema.ty, schema.field(key)) {
            (_, Some(field)) => shape(&value, &field.schema, faults),
            (Type::Map(item), None) => shape(&value, item, faults),
            (_, None) => {
                let known: Vec<String> =
                    schema.fields().iter().map(|field| field.name.to_string()).collect();
                let meant = nearest_word(key, known.iter().map(String::as_str)).map(str::to_owned);
                let kind = FaultKind::UnknownField { key: key.to_owned(), meant, known };
                faults.push(ManifestFault { kind, place: value.key_place() });
            }
        }
    }
    // A key without a value is unknown all the same.
    let nulls = at.node.entries().iter().filter(|entry| entry.node.value == Value::Null);
    for entry in nulls.filter(|_| matches!(schema.ty, Type::Object(_))) {
        if schema.field(&entry.key).is_none() {
            let known = schema.fields().iter().map(|field| field.name.to_string()).collect();
            let key = entry.key.to_string();
            let kind = FaultKind::UnknownField { key, meant: None, known };
            let place = super::FieldPlace { span: entry.key_span, ..at.missing(&entry.key) };
            faults.push(ManifestFault { kind, place });
        }
    }
    if let Type::List(item) = &schema.ty {
        at.items()
            .iter()
            .filter(|value| value.node.value != Value::Null)
            .for_each(|value| shape(value, item, faults));
    }
}

fn wanted_word(schema: &Schema) -> &'static str {
    match &schema.ty {
        Type::String => "text",
        Type::Integer => "a whole number",
        Type::Boolean => "true or false",
        Type::List(_) => "a list",
        _ => "a map",
    }
}

fn name(meta: &Cursor<'_>, faults: &mut Vec<ManifestFault>) {
    let name = meta.get("name").filter(|name| name.str() != Some(""));
    let prefix = meta.get("generateName").filter(|prefix| prefix.str() != Some(""));
    match (&name, &prefix) {
        (None, None) => faults.push(ManifestFault {
            kind: FaultKind::MissingField("name".to_owned()),
            place: meta.missing("name"),
        }),
        (None, Some(prefix)) => {
            let masked = prefix.str().map(|text| format!("{}x", text.trim_end_matches('-')));
            if let Some(why) = masked.as_deref().and_then(subdomain_trouble) {
                faults.push(ManifestFault { kind: FaultKind::BadName(why), place: prefix.place() });
            }
        }
        (Some(name), _) => {
            if let Some(why) = name.str().and_then(subdomain_trouble) {
                faults.push(ManifestFault { kind: FaultKind::BadName(why), place: name.place() });
            }
        }
    }
}

fn namespace(meta: &Cursor<'_>, faults: &mut Vec<ManifestFault>) {
    let Some(namespace) = meta.get("namespace") else { return };
    let text = namespace.str().filter(|text| !text.is_empty());
    if let Some(why) = text.and_then(crate::kube::names::label_name_trouble) {
        faults.push(ManifestFault { kind: FaultKind::BadNamespace(why), place: namespace.place() });
    }
}

fn labels(meta: &Cursor<'_>, faults: &mut Vec<ManifestFault>) {
    let Some(labels) = meta.get("labels") else { return };
    for entry in labels.node.entries() {
        if let Some(why) = key_trouble(&entry.key) {
            let kind = FaultKind::BadLabel(format!("`{}` is no label key: {why}", entry.key));
            let place = super::FieldPlace { span: entry.key_span, ..labels.missing(&entry.key) };
            faults.push(ManifestFault { kind, place });
        }
        if let Some((text, why)) =
            entry.node.as_str().and_then(|text| Some((text, value_trouble(text)?)))
        {
            let kind = FaultKind::BadLabel(format!("`{text}` is no label value: {why}"));
            let place = super::FieldPlace { span: entry.node.span, ..labels.missing(&entry.key) };
            faults.push(ManifestFault { kind, place });
        }
    }
}

fn annotations(meta: &Cursor<'_>, faults: &mut Vec<ManifestFault>) {
    let Some(annotations) = meta.get("annotations") else { return };
    let mut bytes = 0;
    for entry in annotations.node.entries() {
        bytes += entry.key.len() + entry.node.as_str().map_or(0, str::len);
        if let Some(why) = key_trouble(&entry.key.to_lowercase()) {
            let kind = FaultKind::BadLabel(format!("`{}` is no annotation key: {why}", entry.key));
            let place =
                super::FieldPlace { span: entry.key_span, ..annotations.missing(&entry.key) };
            faults.push(ManifestFault { kind, place });
        }
    }
    if bytes > ANNOTATION_BYTES {
        let why =
            format!("the annotations have {bytes} bytes, at most {ANNOTATION_BYTES} are allowed");
        faults.push(ManifestFault {
            kind: FaultKind::BadMetadata(why),
            place: annotations.key_place(),
        });
    }
}

fn owners(meta: &Cursor<'_>, faults: &mut Vec<ManifestFault>) {
    let Some(owners) = meta.get("ownerReferences") else { return };
    let mut controller = false;
    for owner in owners.items() {
        for key in ["apiVersion", "kind", "name", "uid"] {
            if owner.text(key).is_none_or(str::is_empty) {
                let kind = FaultKind::MissingField(key.to_owned());
                let place = owners.place().underline(owner.place().span);
                faults.push(ManifestFault { kind, place });
            }
        }
        let version = owner.text("apiVersion").unwrap_or_default();
        let number = version.split_once('/').map_or(version, |(_, number)| number);
        if !version.is_empty() && (number.is_empty() || number.contains('/')) {
            let why = format!("`{version}` of an owner is no `group/version`");
            let span = owner.get("apiVersion").map_or(owner.place().span, |at| at.place().span);
            let place = owners.place().underline(span);
            faults.push(ManifestFault { kind: FaultKind::BadMetadata(why), place });
        }
        if (version, owner.text("kind")) == ("v1", Some("Event")) {
            let why = "an Event cannot own anything".to_owned();
            let place = owners.place().underline(owner.place().span);
            faults.push(ManifestFault { kind: FaultKind::BadMetadata(why), place });
        }
        let controls = owner.get("controller").filter(|at| at.node.value == Value::Bool(true));
        if let Some(second) = controls.as_ref().filter(|_| controller) {
            let why = "only one of the owners can be the controller".to_owned();
            let place = owners.place().underline(second.place().span);
            faults.push(ManifestFault { kind: FaultKind::BadMetadata(why), place });
        }
        controller |= controls.is_some();
    }
}

/// The two ways of deletion that exclude each other.
const DELETION_FINALIZERS: [&str; 2] = ["orphan", "foregroundDeletion"];

fn finalizers(meta: &Cursor<'_>, faults: &mut Vec<ManifestFault>) {
    let all = meta.list("finalizers");
    for finalizer in &all {
        if let Some(why) = finalizer.str().and_then(key_trouble) {
            let kind = FaultKind::BadMetadata(format!("this is no name of a finalizer: {why}"));
            faults.push(ManifestFault { kind, place: finalizer.place() });
        }
    }
    let has = |name: &&str| all.iter().any(|finalizer| finalizer.str() == Some(name));
    if let Some(list) = meta.get("finalizers").filter(|_| DELETION_FINALIZERS.iter().all(has)) {
        let [orphan, foreground] = DELETION_FINALIZERS;
        let why = format!("the finalizers {orphan} and {foreground} exclude each other");
        faults.push(ManifestFault { kind: FaultKind::BadMetadata(why), place: list.key_place() });
    }
}
