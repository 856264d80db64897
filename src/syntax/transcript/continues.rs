//! Whether a line still belongs to the section that is open.
//!
//! Each form has its own way to end; prompts, fences and titles end all of them and are handled
//! before. Looks ahead a few lines at most, so the whole scan stays linear.
//! Invariant: a line that is not taken in is looked at again as the start of something new.

use super::json_depth::begins_json;
use super::lines::PasteLine;
use super::logline::is_log_line;
use super::section::{OpenSection, SectionSyntax};
use super::shape::{self, indent, is_describe_name, is_table_header, label, yaml_key};

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineBelongs {
    /// It belongs to the section.
    In,
    /// It is the tail of the line before, which somebody wrapped.
    Tail,
    /// The section ended before it.
    Out,
}

/// How many lines a look ahead goes.
const AHEAD: usize = 8;

/// Decides about `line`; `following` are the lines behind it.
pub(super) fn stay(
    open: &mut OpenSection,
    line: PasteLine,
    following: &[PasteLine],
    clean: &str,
) -> LineBelongs {
    let text = line.text(clean);
    let following = following.get(..following.len().min(AHEAD)).unwrap_or_default();
    let ahead = following.iter().take_while(|next| next.block == line.block);
    let ahead = || ahead.clone().map(|next| next.text(clean));
    match open.form {
        SectionSyntax::Json => stay_json(open, text),
        SectionSyntax::Table => stay_table(text),
        SectionSyntax::Names => {
            if super::scan::is_object_name(text) {
                LineBelongs::In
            } else {
                LineBelongs::Out
            }
        }
        SectionSyntax::Projected => {
            if text.trim().is_empty() {
                LineBelongs::Out
            } else {
                LineBelongs::In
            }
        }
        SectionSyntax::Log => stay_log(open, text),
        SectionSyntax::Describe => stay_describe(open, text, ahead()),
        SectionSyntax::Yaml => stay_yaml(open, text, ahead()),
    }
}

fn stay_json(open: &mut OpenSection, text: &str) -> LineBelongs {
    let tail = open.json.in_string();
    open.json.feed(text);
    if tail { LineBelongs::Tail } else { LineBelongs::In }
}

fn stay_table(text: &str) -> LineBelongs {
    let ends = text.trim().is_empty()
        || is_table_header(text)
        || is_describe_name(text)
        || is_log_line(text)
        || yaml_key(text) == Some("apiVersion");
    if ends { LineBelongs::Out } else { LineBelongs::In }
}

fn stay_log(open: &OpenSection, text: &str) -> LineBelongs {
    if text.trim().is_empty() || !open.after_blank || is_log_line(text) {
        LineBelongs::In
    } else {
        LineBelongs::Out
    }
}

fn stay_describe<'l>(
    open: &mut OpenSection,
    text: &str,
    mut ahead: impl Iterator<Item = &'l str>,
) -> LineBelongs {
    let depth = indent(text);
    if text.trim().is_empty() {
        return LineBelongs::In;
    }
    if is_describe_name(text) && depth <= open.base {
        open.in_events = false;
        open.in_data = false;
        return LineBelongs::In;
    }
    if depth <= open.base && text.trim_start().starts_with("Events:") {
        open.in_events = true;
        open.in_data = false;
        return LineBelongs::In;
    }
    if open.in_events {
        return if depth > open.base { LineBelongs::In } else { LineBelongs::Out };
    }
    if open.in_data || depth > open.base || label(text).is_some() {
        return LineBelongs::In;
    }
    if !open.after_blank {
        // Directly below a value: text that spilled to the margin or was wrapped.
        let starts = is_table_header(text) || is_log_line(text);
        return if starts { LineBelongs::Out } else { LineBelongs::In };
    }
    let first = ahead.next().unwrap_or_default();
    if text.trim() == "Data" && first.trim_start().starts_with("====") {
        open.in_data = true;
        return LineBelongs::In;
    }
    // A value with blank lines in it goes on at the margin, and labels of the object follow.
    let starts = is_table_header(text) || yaml_key(text).is_some_and(shape::is_root_key);
    let back =
        |line: &str| label(line).is_some_and(|label| label.padded) && indent(line) > open.base;
    let stops = |line: &&str| !is_describe_name(line) && super::prompt::command(line).is_none();
    let spilled = back(first) || ahead.take_while(stops).any(back);
    if !starts && spilled { LineBelongs::In } else { LineBelongs::Out }
}

fn stay_yaml<'l>(
    open: &mut OpenSection,
    text: &str,
    ahead: impl Iterator<Item = &'l str> + Clone,
) -> LineBelongs {
    let depth = indent(text);
    if text.trim().is_empty() || depth > open.base {
        return LineBelongs::In;
    }
    let margin = text.trim_start();
    if margin.starts_with("---") {
        open.has_api_version = false;
        return LineBelongs::In;
    }
    if margin.starts_with("{{") {
        return LineBelongs::In;
    }
    // No key of an object begins like the path of a field, which messages quote.
    let key = yaml_key(text).filter(|key| !key.starts_with('/'));
    if depth == open.base && is_own_margin(margin, key, open.after_blank) {
        // An item of a `kind: List` has its dash at the margin of the list's own `apiVersion`.
        if key == Some("apiVersion") && !margin.starts_with('-') {
            if open.has_api_version {
                return LineBelongs::Out;
            }
            open.has_api_version = true;
        }
        return LineBelongs::In;
    }
    let wrapped = !open.after_blank
        && key.is_none()
        && !is_table_header(text)
        && !is_log_line(text)
        && (!begins_json(text) || is_quoted_json(open.base, ahead.clone()))
        && returns(open.base, ahead);
    if wrapped { LineBelongs::Tail } else { LineBelongs::Out }
}

/// Says whether a line that looks like JSON is a part of a message: the line behind it goes on with the YAML.
fn is_quoted_json<'l>(base: usize, mut ahead: impl Iterator<Item = &'l str>) -> bool {
    ahead.next().is_some_and(|next| {
        let inner = next.trim_start();
        indent(next) > base && !inner.is_empty() && !inner.starts_with(['"', '{', '[', '}', ']'])
    })
}

/// Says whether a line at the section's margin goes on with it.
fn is_own_margin(margin: &str, key: Option<&str>, after_blank: bool) -> bool {
    match key {
        // Objects have no capitalised keys; `Name:  x` is describe text and `Note: x` is prose.
        Some(key) => key.starts_with(|at: char| !at.is_ascii_uppercase()),
        None if margin.starts_with('#') => true,
        None => !after_blank && shape::is_yaml_margin(margin),
    }
}

/// Says whether the next lines return to the YAML of a section whose margin is at `base`.
fn returns<'l>(base: usize, ahead: impl Iterator<Item = &'l str>) -> bool {
    for line in ahead {
        if line.trim().is_empty() {
            return false;
        }
        if yaml_key(line).is_some() {
            return indent(line) >= base;
        }
    }
    false
}
