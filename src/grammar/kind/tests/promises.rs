//! What the data files promise to the readers, checked over every kind in every version.

use std::collections::BTreeSet;

use regex::Regex;

use crate::grammar::kind::data::{Ordered, RuleData, ShapeData};
use crate::grammar::kind::index::FILES;
use crate::grammar::kind::resolve::parse_file;
use crate::grammar::kind::{CellForm, ColumnStep, KindSpec, all_kinds, parse_steps};
use crate::grammar::schema::{ListType, Literal, Schema, Type, fold_label};

/// Calls `visit` for every shape of every kind in every version, and of all versions together.
fn each_shape(visit: &mut dyn FnMut(&str, &Schema)) {
    for spec in all_kinds() {
        walk(spec.name, spec.schema(), visit);
        for version in spec.versions {
            let schema = spec.schema_in(version).expect("a served version");
            walk(&format!("{} {version}", spec.name), schema, visit);
        }
    }
}

fn walk(path: &str, schema: &Schema, visit: &mut dyn FnMut(&str, &Schema)) {
    visit(path, schema);
    for field in schema.fields() {
        walk(&format!("{path}.{}", field.name), &field.schema, visit);
    }
    if let Some(item) = schema.item() {
        walk(&format!("{path}[]"), item, visit);
    }
}

#[test]
fn every_file_is_embedded() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/grammar/kinds");
    let mut found: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder of the kinds")
        .filter_map(|entry| entry.expect("an entry").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".yaml").map(str::to_owned))
        .collect();
    found.sort();
    assert_eq!(found, FILES.iter().map(|file| file.name).collect::<Vec<_>>());
}

#[test]
fn patterns_compile_and_defaults_fit() {
    each_shape(&mut |path, schema| {
        let pattern = schema.pattern.as_deref().map(|text| Regex::new(text).expect(path));
        let fits = match (&schema.default, &schema.ty) {
            (None, _) | (Some(Literal::Bool(_)), Type::Boolean) => true,
            (Some(Literal::Int(number)), Type::Integer | Type::IntOrString) => {
                schema.minimum.is_none_or(|least| *number >= least)
                    && schema.maximum.is_none_or(|most| *number <= most)
            }
            (Some(Literal::Text(text)), Type::String | Type::IntOrString) => {
                (schema.allowed.is_empty() || schema.allowed.contains(text))
                    && pattern.is_none_or(|pattern| pattern.is_match(text))
            }
            _ => false,
        };
        assert!(fits, "{path}: {:?}", schema.default);
        for (word, successor) in &schema.was {
            assert!(!schema.allowed.contains(word), "{path}: {word} is allowed");
            assert!(
                successor.is_empty() || schema.allowed.contains(successor),
                "{path}: {successor}"
            );
        }
    });
}

#[test]
fn limits_stand_where_they_bind() {
    each_shape(&mut |path, schema| {
        let text = matches!(schema.ty, Type::String | Type::IntOrString);
        let number = matches!(schema.ty, Type::Integer | Type::Number);
        let many = schema.item().is_some();
        assert!(text || schema.pattern.is_none() && schema.allowed.is_empty(), "{path}");
        assert!(text || schema.min_length.is_none() && schema.max_length.is_none(), "{path}");
        assert!(number || schema.minimum.is_none() && schema.maximum.is_none(), "{path}");
        assert!(many || schema.min_items.is_none() && schema.max_items.is_none(), "{path}");
        let list = matches!(schema.ty, Type::List(_));
        assert!(list || schema.list_type == ListType::Plain, "{path}");
        assert!(!schema.open || matches!(schema.ty, Type::Object(_)), "{path}");
        assert!(schema.embedded.is_none() || schema.open, "{path}");
    });
}

#[test]
fn no_two_siblings_fold_alike() {
    each_shape(&mut |path, schema| {
        let mut seen = BTreeSet::new();
        for field in schema.fields() {
            assert!(seen.insert(fold_label(&field.name)), "{path}.{}", field.name);
            for wrong in &field.aka {
                assert!(schema.field(wrong).is_none(), "{path}: {wrong} is a field");
            }
        }
    });
}

#[test]
fn keys_of_items_exist() {
    each_shape(&mut |path, schema| {
        for key in &schema.key {
            let found = key.split('.').try_fold(schema, |at, step| Some(&at.field(step)?.schema));
            assert!(found.is_some(), "{path}: no {key}");
        }
        if let (ListType::Map(keys), Some(item)) = (&schema.list_type, schema.item()) {
            assert!(!keys.is_empty(), "{path}");
            assert!(keys.iter().all(|key| item.field(key).is_some()), "{path}: {keys:?}");
        }
    });
}

#[test]
fn rules_have_unique_ids_and_words() {
    for spec in all_kinds() {
        let mut ids = BTreeSet::new();
        walk(spec.name, spec.schema(), &mut |path, schema| {
            for rule in &schema.rules {
                assert!(ids.insert(rule.id.clone()), "{path}: {} stands twice", rule.id);
                assert!(
                    !rule.message.is_empty() && !rule.refuses.is_empty(),
                    "{path}: {}",
                    rule.id
                );
            }
        });
    }
}

#[test]
fn columns_resolve() {
    for spec in all_kinds() {
        for column in spec.columns() {
            let composed = column.form == CellForm::Composed;
            assert_eq!(composed, column.path.is_empty(), "{} {}", spec.name, column.name);
            assert!(composed || resolves(spec, &column.path), "{} {}", spec.name, column.path);
            if let CellForm::Ratio(of) = &column.form {
                assert!(resolves(spec, of), "{} {of}", spec.name);
            }
            assert_eq!(*column.name, column.name.to_uppercase(), "{}", spec.name);
            for version in &column.versions {
                assert!(spec.versions.contains(&&**version), "{} {}", spec.name, column.name);
            }
        }
        let names: BTreeSet<_> = spec.columns().iter().map(|column| &column.name).collect();
        assert_eq!(names.len(), spec.columns().len(), "{}", spec.name);
        assert!(names.contains(&Box::from("NAME")), "{}", spec.name);
    }
}

fn resolves(spec: &'static KindSpec, path: &str) -> bool {
    let mut at = spec.schema();
    for step in parse_steps(path) {
        let next = match (step, &at.ty) {
            (ColumnStep::Field(name), Type::Object(_)) => at.field(name).map(|field| &field.schema),
            (ColumnStep::Field(_) | ColumnStep::Item(_), Type::Map(value)) => Some(&**value),
            (ColumnStep::Item(_), Type::List(item)) if item.key.len() == 1 => Some(&**item),
            _ => None,
        };
        let Some(next) = next else { return false };
        at = next;
    }
    true
}

#[test]
fn every_type_is_used_and_every_version_is_real() {
    let mut defined = BTreeSet::new();
    let mut named = BTreeSet::from(["ObjectMeta".to_owned()]);
    for file in &FILES {
        let data = parse_file(file.name, file.text).expect("embedded data");
        defined.extend(data.types.0.iter().map(|(name, _)| name.to_string()));
        collect_names(&data.types, &mut named);
        for (name, kind) in &data.kinds.0 {
            collect_names(&kind.fields, &mut named);
            check_versions(name, &kind.rules);
        }
    }
    let unused: Vec<_> = defined.difference(&named).collect();
    assert!(unused.is_empty(), "no field has the type {unused:?}");
}

fn collect_names(shapes: &Ordered<ShapeData>, named: &mut BTreeSet<String>) {
    for (name, shape) in &shapes.0 {
        collect(name, shape, named);
    }
}

fn collect(path: &str, shape: &ShapeData, named: &mut BTreeSet<String>) {
    let facts = &shape.0;
    named.extend(facts.ty.as_deref().map(str::to_owned));
    check_versions(path, &facts.rules);
    for version in facts.versions.iter().chain(facts.but.0.iter().map(|(version, _)| version)) {
        assert!(is_version(version), "{path}: {version}");
    }
    for inner in facts.list.iter().chain(&facts.map) {
        collect(path, inner, named);
    }
    collect_names(&facts.but, named);
    if let Some(fields) = &facts.fields {
        collect_names(fields, named);
    }
}

fn check_versions(path: &str, rules: &[RuleData]) {
    for rule in rules {
        for version in rule.versions.iter().chain(rule.but.0.iter().map(|(version, _)| version)) {
            assert!(is_version(version), "{path}: {version}");
        }
    }
}

fn is_version(word: &str) -> bool {
    ["v1", "v1beta1", "v1alpha1"].contains(&word)
}
