//! Turns `grammar/kinds` into what the program embeds: JSON, and the index as a table in place; and
//! links the program so that it starts fast.
//!
//! People write and review YAML and tables; reading those costs several times as much, and a
//! pre-commit hook pays that whenever it starts. What the data means is left to `src/grammar/kind`;
//! here a fault of syntax stops the build.

#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=grammar/kinds");
    // A program that can be loaded anywhere has its tables of rules rewritten at each start, which
    // costs a short check a fifth of its time. Nothing here is unsafe that would need the cover.
    if is("OS", "linux") && is("ENV", "gnu") {
        println!("cargo:rustc-link-arg-bin=fleetlens=-no-pie");
    }
    let out = std::env::var("OUT_DIR")?;
    let mut files = Vec::new();
    for entry in fs::read_dir("grammar/kinds")? {
        let path = entry?.path();
        let Some(name) = path.file_stem().filter(|_| path.extension() == Some("yaml".as_ref()))
        else {
            continue;
        };
        let text = fs::read_to_string(&path)?;
        // Its own kind of value refuses a key that stands twice.
        let data: serde_yaml::Value =
            serde_yaml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let json = serde_json::to_string(&data)?;
        fs::write(Path::new(&out).join(name).with_extension("json"), json)?;
        files.push(name.to_string_lossy().into_owned());
    }
    files.sort();
    let index = fs::read_to_string("grammar/kinds/index.txt")?;
    let lines = index.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let kinds = lines
        .map(|line| kind(line, &files).ok_or_else(|| format!("index.txt: {line}")))
        .collect::<Result<Vec<String>, String>>()?;
    let tables = format!(
        "{}{}",
        table("FILES", "DataFile", &rows(&files)),
        table("KINDS", "KindSpec", &kinds)
    );
    fs::write(Path::new(&out).join("kinds.rs"), tables)?;
    Ok(())
}

/// Writes a table as Rust.
fn table(name: &str, of: &str, rows: &[String]) -> String {
    format!("pub(super) static {name}: [{of}; {}] = [\n{}];\n", rows.len(), rows.concat())
}

/// Writes the rows of the embedded files.
fn rows(files: &[String]) -> Vec<String> {
    let row = |name: &String| {
        format!(
            "DataFile {{ name: {name:?}, text: include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}.json\")), parsed: OnceLock::new() }},\n"
        )
    };
    files.iter().map(row).collect()
}

/// Writes a line of the index as a row; the words of enums are the names of their variants.
fn kind(line: &str, files: &[String]) -> Option<String> {
    let words: Vec<&str> =
        line.split_whitespace().map(|word| if word == "-" { "" } else { word }).collect();
    let &[name, family, group, versions, scope, plural, short, author, status, file] =
        words.as_slice()
    else {
        return None;
    };
    let scope = match scope {
        "cluster" => "Cluster",
        "namespaced" => "Namespaced",
        _ => return None,
    };
    let author = match author {
        "user" => "User",
        "agent" => "Agent",
        _ => return None,
    };
    let storage = versions.split(',').find_map(|version| version.strip_suffix('*'))?;
    let versions: Vec<&str> =
        versions.split(',').map(|version| version.trim_end_matches('*')).collect();
    let short: Vec<&str> = short
        .split(',')
        .map(|word| word.trim_start_matches('~'))
        .filter(|word| !word.is_empty())
        .collect();
    let file = files.iter().position(|known| known == file)?;
    let singular = name.to_ascii_lowercase();
    let status = status == "status";
    Some(format!(
        "KindSpec {{ name: {name:?}, family: Kind::{family}, group: {group:?}, versions: &{versions:?}, \
         storage: {storage:?}, scope: Scope::{scope}, plural: {plural:?}, singular: {singular:?}, \
         short: &{short:?}, author: Author::{author}, status_subresource: {status}, file: &FILES[{file}], \
         union: OnceLock::new(), by_version: [const {{ OnceLock::new() }}; MAX_VERSIONS] }},\n"
    ))
}

/// Says what the target is, as cargo tells it.
fn is(what: &str, value: &str) -> bool {
    std::env::var(format!("CARGO_CFG_TARGET_{what}")).is_ok_and(|found| found == value)
}
