//! `grammar/kinds`: the files as JSON, and the index of kinds as a table.
//!
//! Leaves what the data means to `src/grammar/kind`; here a fault of syntax stops the build.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::rust::table;

/// Writes the tables of `grammar/kinds` into a folder.
pub(crate) fn write(out: &Path) -> Result<(), Box<dyn Error>> {
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
        fs::write(out.join(name).with_extension("json"), json)?;
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
    fs::write(out.join("kinds.rs"), tables)?;
    Ok(())
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
