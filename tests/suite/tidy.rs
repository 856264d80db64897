//! Order in the house: layers, file sizes, headers, words that do not belong here.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::bless::report;

/// The layers from the ground up; each may use only those that stand before it, and its own.
const LAYERS: &[&[&str]] = &[
    &["kube", "secret"],
    &["behaviour"],
    &["source"],
    &["input", "grammar"],
    &["error"],
    &["syntax"],
    &["bundle"],
    &["model"],
    &["graph"],
    &["redact"],
    &["finding"],
    &["views"],
    &["facts"],
    &["manifest"],
    &["rule"],
    &["rules"],
    &["config"],
    &["engine"],
    &["check"],
    &["report"],
    &["api"],
    &["cli"],
    &["types", "internals"],
];

/// What a file may not grow beyond; tables of data belong in `grammar/`.
const LONGEST: usize = 500;

fn sources(root: &str) -> Vec<(PathBuf, String)> {
    walkdir::WalkDir::new(root)
        .sort_by_file_name()
        .into_iter()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"))
        .map(|entry| {
            let text = std::fs::read_to_string(entry.path()).expect("a source file can be read");
            (entry.into_path(), text)
        })
        .collect()
}

/// Returns the layer that a file under `src/` belongs to.
fn layer_of(path: &std::path::Path) -> Option<String> {
    let first = path.components().nth(1)?.as_os_str().to_string_lossy().into_owned();
    Some(first.trim_end_matches(".rs").to_owned())
}

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|names| names.contains(&layer))
}

#[test]
fn no_layer_uses_one_above_it() {
    let mut troubles = Vec::new();
    for (path, text) in sources("src") {
        let Some(layer) = layer_of(&path).filter(|layer| layer != "lib" && layer != "main") else {
            continue;
        };
        let Some(own) = rank(&layer) else {
            troubles
                .push(format!("{}: the layer {layer} has no place in the order", path.display()));
            continue;
        };
        for (line, name) in layers_used(&text) {
            if rank(name).is_some_and(|rank| rank > own || (rank == own && name != layer)) {
                troubles.push(format!("{}:{line}: {layer} uses {name}", path.display()));
            }
        }
    }
    report(troubles);
}

/// Returns the layers that a file names behind `crate::`, those of a grouped import too, with their lines.
fn layers_used(text: &str) -> Vec<(usize, &str)> {
    let mut used = Vec::new();
    for (at, root) in text.match_indices("crate::") {
        let start = at + root.len();
        let mut depth = 0;
        // The names that stand at the depth of the layers: the only one, or each of `{a, b::c, d::{e, f}}`.
        let mut expected = true;
        for (index, word) in tokens(&text[start..]) {
            match word {
                "{" => depth += 1,
                "}" => depth -= 1,
                "," => expected = depth == 1,
                name if expected => {
                    used.push((text[..start + index].lines().count().max(1), name));
                    expected = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    used
}

/// Splits the beginning of a text into names and single signs, without blanks.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].len() - text[at..].trim_start().len();
        let first = text[at..].chars().next()?;
        let name = text[at..].find(|c| !is_name(c)).unwrap_or(text.len() - at);
        let length = if is_name(first) { name } else { first.len_utf8() };
        let token = (at, &text[at..at + length]);
        at += length;
        Some(token)
    })
}

#[test]
fn grouped_imports_are_seen() {
    let text = "use crate::source;\nuse crate::{\n    cli::{a, engine},\n    report as r,\n};\ncrate::rules::x";
    assert_eq!(layers_used(text), [(1, "source"), (3, "cli"), (4, "report"), (6, "rules")]);
}

#[test]
fn files_are_short_and_say_what_they_own() {
    let mut troubles = Vec::new();
    for root in ["src", "tests"] {
        for (path, text) in sources(root) {
            let lines = text.lines().count();
            if lines > LONGEST {
                troubles
                    .push(format!("{} has {lines} lines, {LONGEST} are allowed", path.display()));
            }
            if !text.starts_with("//!") {
                troubles.push(format!("{} does not begin with what it owns", path.display()));
            }
        }
    }
    report(troubles);
}

/// Rules ask the model for fields by name; which key of which map holds them is the model's business.
#[test]
fn no_rule_looks_into_the_tree_of_an_object() {
    let mut troubles = Vec::new();
    for (path, text) in sources("src/rules") {
        for (at, line) in text.lines().enumerate() {
            if line.contains(".root") || line.contains("syntax::tree") {
                troubles.push(format!("{}:{}: {}", path.display(), at + 1, line.trim()));
            }
        }
    }
    report(troubles);
}

/// One text that is too long keeps rustfmt from the whole chain around it.
#[test]
fn no_line_of_a_rule_is_too_long_to_be_formatted() {
    let layers = ["src/rules", "src/facts", "src/views", "src/engine", "src/check"];
    let mut troubles = Vec::new();
    for (path, text) in layers.into_iter().flat_map(sources) {
        let code =
            text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        for (number, _) in code.filter(|(_, line)| line.chars().count() > 100) {
            troubles.push(format!("{}:{}: more than 100 columns", path.display(), number + 1));
        }
    }
    report(troubles);
}

#[test]
fn no_drawer_for_everything() {
    let drawers = ["util", "utils", "helpers", "common", "misc", "manager"];
    let named = |path: &PathBuf| {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        stem.is_some_and(|stem| drawers.contains(&stem.as_str()))
    };
    let found = sources("src").into_iter().map(|(path, _)| path).filter(named);
    report(found.map(|path| format!("{} is a drawer, not a name", path.display())).collect());
}

/// A type that others can see has a name of its own: a reader who searches for it finds one thing, and no import needs
/// an alias. Private types of a file may be called as they like, since nobody meets two of them at once.
#[test]
fn no_type_that_others_see_shares_its_name() {
    let mut homes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources("src") {
        for name in text.lines().filter_map(seen_type) {
            homes.entry(name.to_owned()).or_default().push(path.display().to_string());
        }
    }
    let twice = homes.into_iter().filter(|(_, files)| files.len() > 1);
    report(twice.map(|(name, files)| format!("{name}: {}", files.join(", "))).collect());
}

/// Returns the name of the type that a line declares for others than its own file.
fn seen_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest =
        rest.strip_prefix("(crate)").or_else(|| rest.strip_prefix("(super)")).unwrap_or(rest);
    let (what, rest) = rest.strip_prefix(' ')?.split_once(' ')?;
    let declares = ["struct", "enum", "trait", "type", "union"].contains(&what);
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    declares.then(|| &rest[..end])
}

/// No rule and no other part of the tool knows a rule by its code: what it needs to know, a rule or its family declares.
#[test]
fn codes_stand_in_declarations_only() {
    let mut troubles = Vec::new();
    for (path, text) in sources("src") {
        let is_table = path.ends_with("rule/family.rs");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let lines = code.lines().enumerate().filter(|(_, line)| {
            let line = line.trim_start();
            let named = line.match_indices("\"FL").any(|(at, quote)| {
                line[at + quote.len()..].starts_with(|c: char| c.is_ascii_digit())
            });
            named && !line.starts_with("//") && !line.starts_with("code: ")
        });
        for (index, _) in lines.filter(|_| !is_table) {
            troubles.push(format!("{}:{}: knows a rule's code", path.display(), index + 1));
        }
    }
    report(troubles);
}

#[test]
fn only_one_file_names_the_yaml_parser() {
    let users: Vec<_> = sources("src")
        .into_iter()
        .filter(|(_, text)| text.contains("granit_parser"))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert_eq!(users.len(), 1, "{users:?}");
}

#[test]
fn only_the_human_report_names_miette() {
    let users = sources("src").into_iter().filter(|(path, text)| {
        text.contains("miette")
            && !path.starts_with("src/report/human")
            && !path.ends_with("human.rs")
    });
    report(users.map(|(path, _)| format!("{} names miette", path.display())).collect());
}

#[test]
fn text_of_the_input_reaches_a_report_by_one_way() {
    // `SourceFile::shown` hides what belongs to Secrets; these hand out the text as it is.
    let raw = [".slice(", "sources.text(", ".text().get("];
    let mut troubles = Vec::new();
    for (path, text) in sources("src/report") {
        if path.ends_with("report/snippet.rs") {
            continue;
        }
        for (index, line) in text.lines().enumerate() {
            if raw.iter().any(|way| line.contains(way)) {
                troubles.push(format!("{}:{}: goes around snippet", path.display(), index + 1));
            }
        }
    }
    report(troubles);
}
