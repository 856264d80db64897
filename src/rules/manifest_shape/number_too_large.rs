//! FL1025 number-too-large.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::grammar::schema::{Schema, Type, ValueFormat};
use crate::manifest::{Cursor, FieldPlace};
use crate::rule::Cx;

declare_rule! {
    /// A number that controllers cannot read.
    ///
    /// ## Why it matters
    /// The API server takes 64-bit numbers, the controllers read 32 bits: such an object is stored and can
    /// never be decoded again. The webhook of ClusterResourcePlacement refuses it.
    ///
    /// ## What to do
    /// Write a number up to 2147483647.
    pub static NUMBER_TOO_LARGE = Rule {
        code: "FL1025",
        name: "number-too-large",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[],
        check: number_too_large,
    }
}

fn number_too_large(cx: &mut Cx<'_>) {
    for manifest in cx.judged() {
        let Some(schema) = manifest.schema else { continue };
        let mut found = Vec::new();
        walk(&manifest.stored(), schema, &mut found);
        let layer = cx.hook_layer(manifest);
        // Only the placement has a webhook that decodes the object before the schema is asked.
        let layer =
            if manifest.family() == Some(Kind::Placement) { layer } else { Layer::Controller };
        for place in found {
            let finding = NUMBER_TOO_LARGE
                .at_field(&place, "more than 32 bits")
                .layer(layer)
                .message(format!(
                    "{} of {} {} does not fit into 32 bits",
                    place.path.field,
                    manifest.key.kind,
                    manifest.name()
                ))
                .why("controllers read it into 32 bits and cannot decode the object");
            cx.report(finding);
        }
    }
}

fn walk(at: &Cursor<'_>, schema: &Schema, found: &mut Vec<FieldPlace>) {
    let narrow = schema.format == Some(ValueFormat::Int32) || schema.ty == Type::IntOrString;
    if narrow && at.int().is_some_and(|number| i32::try_from(number).is_err()) {
        found.push(at.place());
    }
    for (key, value) in at.entries() {
        match (&schema.ty, schema.field(key)) {
            (_, Some(field)) if key != "status" && key != "metadata" => {
                walk(&value, &field.schema, found)
            }
            (Type::Map(item), None) => walk(&value, item, found),
            _ => {}
        }
    }
    if let Type::List(item) = &schema.ty {
        at.items().iter().for_each(|value| walk(value, item, found));
    }
}
