//! Dumps of a hub: `kubectl get … -A -o yaml` or `-o json` of many objects, and texts for people.

use std::io::Write;
use std::path::Path;

use crate::template::{LIST, Seeded, Template, objects, push_item, read, testdata};

/// What a dump holds besides the objects of KubeFleet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rest {
    /// Kinds that the tool does not know.
    Foreign,
    /// Pods, ReplicaSets and ConfigMaps.
    Pods,
    /// Nothing.
    None,
}

/// The objects of the captures of the testdata that a test lets through, by kind.
fn captured(wanted: &dyn Fn(&str, &str) -> bool) -> Vec<(String, String)> {
    let files = walkdir::WalkDir::new(testdata("bundles")).sort_by_file_name();
    let mut found = Vec::new();
    for file in files.into_iter().filter_map(Result::ok) {
        let path = file.path().to_string_lossy().into_owned();
        if !path.contains("/capture/") || !path.ends_with(".yaml") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).expect("testdata");
        for object in objects(&text) {
            let line = |key: &str| {
                object.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default()
            };
            let (version, kind) = (line("apiVersion: ").to_owned(), line("kind: ").to_owned());
            let name = line("  name: ").to_owned();
            if !name.is_empty() && wanted(&version, &kind) {
                found.push((name, object));
            }
        }
    }
    found
}

/// An object with a hole for its own name.
fn template(name: &str, object: &str, json: bool) -> Template {
    let (text, line, put) = if json {
        let value: serde_json::Value = serde_yaml::from_str(object).expect("an object");
        let mut text = Vec::new();
        let format = serde_json::ser::PrettyFormatter::with_indent(b"    ");
        let mut out = serde_json::Serializer::with_formatter(&mut text, format);
        serde::Serialize::serialize(&value, &mut out).expect("a value");
        let text = String::from_utf8(text).expect("text");
        let text = text.lines().map(|line| format!("        {line}\n")).collect::<String>();
        let line = format!("\n                \"name\": \"{name}\"");
        let put = format!("\n                \"name\": \"{name}-\u{1}\"");
        (text, line, put)
    } else {
        let mut text = String::new();
        push_item(&mut text, object);
        (text, format!("\n    name: {name}\n"), format!("\n    name: {name}-\u{1}\n"))
    };
    Template::new(&text.replacen(&line, &put, 1), &["\u{1}"])
}

/// Writes a list of so many bytes, 5 % of which are of KubeFleet, or all.
pub(crate) fn dump(path: &Path, bytes: usize, rest: Rest, json: bool, seeded: &mut Seeded) {
    let fleet = captured(&|version, _| version.contains("kubernetes-fleet.io"));
    let plain = ["Pod", "ReplicaSet", "ConfigMap"];
    let others = captured(&|_, kind| plain.contains(&kind));
    let others = others.into_iter().map(|(name, object)| match rest {
        Rest::Foreign => {
            let version = object.find("apiVersion: ").map_or(0, |at| at);
            let end = object[version..].find('\n').map_or(0, |at| version + at);
            let object =
                format!("{}apiVersion: example.com/v1{}", &object[..version], &object[end..]);
            let object = plain.iter().fold(object, |object, kind| {
                object.replacen(
                    &format!("\nkind: {kind}\n"),
                    &format!("\nkind: Foreign{kind}\n"),
                    1,
                )
            });
            (name, object)
        }
        _ => (name, object),
    });
    let make = |objects: Vec<(String, String)>| -> Vec<Template> {
        objects.iter().map(|(name, object)| template(name, object, json)).collect()
    };
    let (fleet, others) = (make(fleet), make(others.collect()));
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).expect("a file"));
    let head = if json { "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n" } else { LIST.0 };
    out.write_all(head.as_bytes()).expect("room on the disk");
    let (mut of_fleet, mut all, mut first) = (0, 0, true);
    while all < bytes {
        let mine = rest == Rest::None || of_fleet * 20 <= all;
        let template = seeded.pick(if mine { &fleet } else { &others });
        let name = format!("{:010x}", seeded.next() >> 24);
        let mut text = String::new();
        template.fill(&[&name], seeded, &mut text);
        if json {
            text.truncate(text.trim_end().len());
            out.write_all(if first { b"" } else { b",\n" }).expect("room on the disk");
            first = false;
        }
        out.write_all(text.as_bytes()).expect("room on the disk");
        all += text.len();
        of_fleet += if mine { text.len() } else { 0 };
    }
    let tail = "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n";
    out.write_all(if json { tail } else { LIST.1 }.as_bytes())
        .and_then(|()| out.flush())
        .expect("room on the disk");
}

/// Packs a file as a customer would.
pub(crate) fn pack(path: &Path, from: &Path) {
    let file = std::fs::File::create(path).expect("a file");
    let packer = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    let mut archive = tar::Builder::new(packer);
    archive
        .append_path_with_name(from, from.file_name().expect("a name"))
        .expect("room on the disk");
    archive.into_inner().and_then(flate2::write::GzEncoder::finish).expect("room on the disk");
}

/// Writes describe texts of so many bytes.
pub(crate) fn describe(path: &Path, bytes: usize, seeded: &mut Seeded) {
    let files = walkdir::WalkDir::new(testdata("same")).sort_by_file_name().into_iter();
    let files = files.filter_map(Result::ok).map(walkdir::DirEntry::into_path);
    let files = files.filter(|path| path.to_string_lossy().ends_with(".describe.txt"));
    let texts: Vec<(String, String)> = files
        .map(|path| std::fs::read_to_string(path).expect("testdata"))
        .filter_map(|text| {
            let name = text.lines().next()?.strip_prefix("Name:")?.trim().to_owned();
            Some((name, text))
        })
        .collect();
    let mut out = String::new();
    while out.len() < bytes {
        let (name, text) = seeded.pick(&texts);
        let new = format!("{name}-{:08x}", seeded.next() >> 32);
        out.push_str(&text.replacen(name.as_str(), &new, 1));
        out.push_str("\n\n");
    }
    std::fs::write(path, out).expect("room on the disk");
}

/// Writes the lines of a hub agent over and over, with times that go on.
pub(crate) fn log(path: &Path, bytes: usize, seeded: &mut Seeded) {
    const ROUND: u64 = 600;
    let files = [
        "bundles/place-rollout-held/capture/hub/hub-agent.log",
        "syntax/log/hub-agent.log",
        "syntax/log/hub-agent-run.log",
    ];
    let block: String = files.iter().map(|file| read(file)).collect();
    let lines: Vec<&str> = block.split_inclusive('\n').collect();
    let mut out =
        std::io::BufWriter::with_capacity(1 << 20, std::fs::File::create(path).expect("a file"));
    let (mut written, mut round) = (0, 0_u64);
    while written < bytes {
        for (number, line) in lines.iter().enumerate() {
            let mut line = line.as_bytes().to_vec();
            if line.len() > 22
                && b"IWEF".contains(&line[0])
                && line[1..5].iter().all(u8::is_ascii_digit)
            {
                let since = round * ROUND + number as u64 * ROUND / lines.len() as u64;
                let (day, second) = (since / 86_400, since % 86_400);
                // Months of 28 days are months, too.
                let time = format!(
                    "{:02}{:02} {:02}:{:02}:{:02}.{:06}",
                    day / 28 % 12 + 1,
                    day % 28 + 1,
                    second / 3600,
                    second / 60 % 60,
                    second % 60,
                    seeded.next() % 1_000_000
                );
                line[1..21].copy_from_slice(time.as_bytes());
            }
            out.write_all(&line).expect("room on the disk");
            written += line.len();
        }
        round += 1;
    }
    out.flush().expect("room on the disk");
}

/// A repository of so many manifests, most of them not of KubeFleet, and one manifest with so many unknown keys.
pub(crate) fn repository(folder: &Path, files: usize, seeded: &mut Seeded) {
    let fleet = read("rules/FL1008-unknown-field/good.yaml");
    let others = captured(&|_, kind| ["Deployment", "ConfigMap", "Service"].contains(&kind));
    for number in 0..files {
        let (team, path) = (number / 50, number % 50);
        let text = if number % 20 == 0 { fleet.clone() } else { seeded.pick(&others).1.clone() };
        crate::fleet::write(folder, &format!("team-{team:03}/app-{path:02}.yaml"), &text);
    }
}

/// A manifest with so many keys that nobody knows.
pub(crate) fn unknown_keys(path: &Path, number: usize) {
    let mut text = read("rules/FL1008-unknown-field/good.yaml");
    let at = text.find("\nspec:\n").map_or(0, |at| at + "\nspec:\n".len());
    let keys: String = (0..number).map(|number| format!("  unknown{number:06}: true\n")).collect();
    text.insert_str(at, &keys);
    std::fs::write(path, text).expect("room on the disk");
}
