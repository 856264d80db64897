//! Throughput of the parsers, in bytes per second, with serde_yaml and serde_json as yardsticks.
//!
//! The input is made from `testdata/same`: its objects, repeated under new names into a list of
//! about ten megabytes. Run with `cargo bench --bench syntax`.

#![expect(clippy::disallowed_methods, reason = "a benchmark reads its own testdata")]
#![expect(missing_docs, reason = "criterion's macros make undocumented items")]

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use fleetlens::internals::source::{Encoding, Origin, Sources};
use fleetlens::internals::syntax::describe::parse_describe;
use fleetlens::internals::syntax::json::parse_json;
use fleetlens::internals::syntax::table::parse_table;
use fleetlens::internals::syntax::view::TextView;
use fleetlens::internals::syntax::yaml::parse_yaml;
use fleetlens::internals::syntax::{Context, Document, DocumentFilter, DocumentHead};

const SIZE: usize = 10 << 20;

type Parse = fn(&TextView<'_>, DocumentFilter<'_>) -> Vec<Document>;

/// Wants every object.
fn everything(_: &DocumentHead) -> bool {
    true
}

/// Wants one object in twenty, as a dump of a busy hub would have it.
fn one_in_twenty(head: &DocumentHead) -> bool {
    head.name.as_deref().is_some_and(|name| name.ends_with("-x0"))
}

fn objects(ending: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/same");
    let files = walkdir::WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let files = files.map(walkdir::DirEntry::into_path);
    let files = files.filter(|path: &PathBuf| path.extension().is_some_and(|e| e == ending));
    files.map(|path| std::fs::read_to_string(path).expect("testdata is readable")).collect()
}

/// Makes a list as kubectl prints it: keys in order, items at the indentation of the list.
fn yaml_list() -> String {
    let objects = objects("yaml");
    let mut list = String::from("apiVersion: v1\nitems:\n");
    for round in 0.. {
        for object in &objects {
            let object = rename(object, "\n  name: ", "\n", round);
            for (number, line) in object.lines().enumerate() {
                list.push_str(if number == 0 { "- " } else { "  " });
                list.push_str(line);
                list.push('\n');
            }
        }
        if list.len() > SIZE {
            break;
        }
    }
    list + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
}

fn json_list() -> String {
    let objects = objects("json");
    let mut list = String::from("{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n");
    for round in 0.. {
        for object in &objects {
            let object = rename(object, "\n        \"name\": \"", "\"", round);
            for line in object.lines() {
                list.push_str("        ");
                list.push_str(line);
                list.push('\n');
            }
            list.truncate(list.trim_end().len());
            list.push_str(",\n");
        }
        if list.len() > SIZE {
            break;
        }
    }
    list.truncate(list.len() - 2);
    list + "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
}

/// Puts `-x` and a number below twenty behind the name.
fn rename(object: &str, before: &str, after: &str, round: usize) -> String {
    let start = object.find(before).map_or(0, |at| at + before.len());
    let end = object[start..].find(after).map_or(start, |at| start + at);
    format!("{}-x{}{}", &object[..end], round % 20, &object[end..])
}

fn bench(c: &mut Criterion, name: &str, text: &str, parse: Parse, oracle: fn(&str) -> usize) {
    let mut sources = Sources::default();
    let id = sources.add("bench", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let view = TextView::whole(source, source.span());
    let trees = |wanted| parse(&view, wanted).iter().filter(|found| found.root.is_some()).count();
    assert_eq!(trees(&everything), parse(&view, &everything).len());
    assert!((1..parse(&view, &everything).len() / 8).contains(&trees(&one_in_twenty)));

    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    let cases: [(&str, DocumentFilter<'_>); 2] =
        [("all wanted", &everything), ("one in twenty", &one_in_twenty)];
    for (case, wanted) in cases {
        group.bench_function(BenchmarkId::new("fleetlens", case), |b| {
            b.iter(|| parse(black_box(&view), wanted).len());
        });
    }
    group.bench_function("serde", |b| b.iter(|| oracle(black_box(text))));
    group.finish();
}

fn yaml(c: &mut Criterion) {
    bench(c, "yaml", &yaml_list(), parse_yaml, |text| {
        let value: serde_yaml::Value = serde_yaml::from_str(text).expect("the list is YAML");
        value["items"].as_sequence().map_or(0, Vec::len)
    });
}

fn json(c: &mut Criterion) {
    bench(c, "json", &json_list(), parse_json, |text| {
        let value: serde_json::Value = serde_json::from_str(text).expect("the list is JSON");
        value["items"].as_array().map_or(0, Vec::len)
    });
}

/// Measures a parser of text that no other library reads.
fn bench_text(
    c: &mut Criterion,
    name: &str,
    text: &str,
    parse: fn(&TextView<'_>, &Context) -> Vec<Document>,
) {
    let mut sources = Sources::default();
    let id = sources.add("bench", Origin::default(), Encoding::Utf8, text);
    let source = sources.get(id);
    let view = TextView::whole(source, source.span());
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
    group.bench_function("fleetlens", |b| {
        b.iter(|| parse(black_box(&view), &Context::default()).len());
    });
    group.finish();
}

fn describe(c: &mut Criterion) {
    let one = objects("txt").join("\n\n");
    bench_text(c, "describe", &one.repeat(SIZE / one.len() + 1), parse_describe);
}

fn table(c: &mut Criterion) {
    let head = "NAME       UPDATE-RUN   STAGE   APPROVED   AGE\n";
    let row = "run-a-dev  run-a        dev     True       5m\n";
    bench_text(c, "table", &format!("{head}{}", row.repeat(SIZE / row.len())), parse_table);
}

criterion_group!(benches, yaml, json, describe, table);
criterion_main!(benches);
