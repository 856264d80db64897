//! What `fleetlens explain` prints about a reason, a condition type or a pasted message.
//!
//! All of it stands in the message catalogue. Nothing of what was typed is printed again.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::grammar::message::{
    LogTemplate, MessageContext, Reason, Recognised, SelfRecovery, Template, Version, Versions,
    log_template, plain_type, reasons, recognise, templates,
};
use crate::report::human::Look;
use crate::report::prose::{columns, wrap};
use crate::rules;

/// How many messages of one reason are listed.
const MOST_MESSAGES: usize = 12;

/// Returns the page of a reason, a condition type or a message; absent if the catalogue knows none.
pub(super) fn page(text: &str, look: Look) -> Option<String> {
    told(text.trim()).map(|page| filled(&page, look))
}

/// Breaks the lines of a page that are wider than the look; what follows a line is moved in under it.
fn filled(page: &str, look: Look) -> String {
    let mut out = String::with_capacity(page.len());
    for line in page.lines() {
        if columns(line) <= look.width {
            let _ = writeln!(out, "{line}");
            continue;
        }
        let text = line.trim_start();
        let lead = " ".repeat(line.len() - text.len());
        wrap(&mut out, &lead, &format!("{lead}  "), text, look.width);
    }
    out
}

/// Returns what the catalogue knows of a reason or of a condition type, as data; empty for anything else.
pub fn conditions(word: &str) -> Vec<Value> {
    let plain = plain_type(word.trim());
    let known = reasons().iter().filter(|known| {
        let condition = &known.condition;
        condition.reason.eq_ignore_ascii_case(word.trim())
            || condition.r#type.eq_ignore_ascii_case(plain)
    });
    let told = known.map(|known| {
        let (condition, versions) = (&known.condition, known.versions);
        let outcome = known.outcome.map(|outcome| match outcome {
            SelfRecovery::Terminal => "terminal",
            SelfRecovery::Retried => "retried",
        });
        json!({
            "type": condition.r#type,
            "status": condition.status,
            "reason": condition.reason,
            "of": known.of,
            "by": known.by,
            "means": known.means,
            "outcome": outcome,
            "since": versions.since.map(build),
            "until": versions.until.map(build),
        })
    });
    told.collect()
}

fn told(text: &str) -> Option<String> {
    // Some words are both (`Succeeded`).
    let words: Vec<String> = of_reason(text).into_iter().chain(of_type(text)).collect();
    if words.is_empty() {
        return of_message(text).or_else(|| of_line(text));
    }
    Some(words.join("\n"))
}

fn of_reason(word: &str) -> Option<String> {
    let known: Vec<&Reason> = reasons()
        .iter()
        .filter(|known| known.condition.reason.eq_ignore_ascii_case(word))
        .collect();
    let name = known.first()?.condition.reason;
    let mut page = format!("{name} (reason of a condition)\n");
    for reason in known {
        tell_reason(&mut page, reason);
    }
    let written = templates().iter().filter(|template| {
        let here = template.conditions.iter().any(|condition| condition.reason == name);
        here && template.versions.until.is_none() && !template.text.is_empty()
    });
    let written: Vec<&Template> = written.filter(|template| !template.carrier).collect();
    if !written.is_empty() {
        page.push_str("\nMessages with this reason:\n");
    }
    for template in written.iter().take(MOST_MESSAGES) {
        let _ = writeln!(page, "  {}", template.text);
        tell_meaning(&mut page, template);
    }
    if let Some(more) = written.len().checked_sub(MOST_MESSAGES).filter(|more| *more > 0) {
        let _ = writeln!(page, "  … and {more} more: explain the message itself");
    }
    tell_rules(&mut page, name);
    Some(page)
}

fn tell_reason(page: &mut String, reason: &Reason) {
    let condition = &reason.condition;
    let prefix = if condition.placement { "ClusterResourcePlacement" } else { "" };
    let _ = writeln!(
        page,
        "\n{prefix}{}={} on {}\n  {}.",
        condition.r#type,
        condition.status,
        owner(reason.of),
        capital(reason.means)
    );
    if condition.placement {
        page.push_str("  A ResourcePlacement has the same condition without \"Cluster\".\n");
    }
    let _ = writeln!(page, "  The {} writes it{}.", reason.by, releases(reason.versions));
    page.push_str(match reason.outcome {
        Some(SelfRecovery::Terminal) => "  It does not change by itself.\n",
        Some(SelfRecovery::Retried) => "  The controller tries again by itself.\n",
        None => "",
    });
}

fn of_type(word: &str) -> Option<String> {
    let plain = plain_type(word);
    let of_type = |known: &&Reason| known.condition.r#type.eq_ignore_ascii_case(plain);
    let known: Vec<&Reason> = reasons().iter().filter(of_type).collect();
    let name = known.first()?.condition.r#type;
    let mut page = format!("{name} (condition type)\n");
    let owners: BTreeSet<&str> = known.iter().map(|reason| reason.of).collect();
    for of in owners {
        let _ = writeln!(page, "\nOn {}:", owner(of));
        for reason in known.iter().filter(|reason| reason.of == of) {
            let condition = &reason.condition;
            let _ = writeln!(page, "  {:7}  {}", condition.status, condition.reason);
            let releases = releases(reason.versions);
            let _ = writeln!(page, "           {}{releases}.", capital(reason.means));
        }
    }
    tell_rules(&mut page, name);
    Some(page)
}

fn of_message(text: &str) -> Option<String> {
    let found = recognise(text, &MessageContext::default());
    found.templates().next()?;
    let mut page = String::from("A message of the controllers, taken apart:\n");
    for (prefix, _) in &found.prefixes {
        let _ = writeln!(page, "\n  {}", prefix.text);
        tell_meaning(&mut page, prefix);
    }
    tell_parts(&mut page, &found);
    Some(page)
}

fn tell_parts(page: &mut String, found: &Recognised) {
    for part in &found.parts {
        let Some(template) = part.template else {
            page.push_str("\n  (words that the catalogue does not know)\n");
            continue;
        };
        let _ = writeln!(page, "\n  {}", template.text);
        tell_meaning(page, template);
        let released = releases(template.versions);
        if !released.is_empty() {
            let _ = writeln!(page, "    written:{released}");
        }
        let reasons: BTreeSet<&str> =
            template.conditions.iter().map(|condition| condition.reason).collect();
        let named: Vec<&str> = reasons.into_iter().filter(|reason| *reason != "*").collect();
        if !named.is_empty() {
            let _ = writeln!(page, "    reasons: {}", named.join(", "));
        }
    }
}

fn tell_meaning(page: &mut String, template: &Template) {
    if let Some(means) = template.means() {
        let _ = writeln!(page, "    means: {means}");
    }
    if let Some(remedy) = template.remedy() {
        let _ = writeln!(page, "    do: {remedy}");
    }
}

fn of_line(text: &str) -> Option<String> {
    let line: &LogTemplate = log_template("", text)?;
    let mut page = format!("A log line of {}:\n\n  {}\n", line.file, line.text);
    if let Some(means) = line.means {
        let _ = writeln!(page, "    means: {means}");
    }
    let released = releases(line.versions);
    if !released.is_empty() {
        let _ = writeln!(page, "    written:{released}");
    }
    Some(page)
}

/// Lists the rules whose pages name a word.
fn tell_rules(page: &mut String, word: &str) {
    let own = rules::ALL.iter().filter(|rule| {
        rule.page.split(|letter: char| !letter.is_alphanumeric()).any(|found| found == word)
    });
    let own: Vec<String> = own.map(|rule| format!("{} {}", rule.code, rule.name)).collect();
    if !own.is_empty() {
        let _ = writeln!(page, "\nRules whose pages name it: {}", own.join(", "));
    }
}

/// Says in which releases, in brackets; nothing if in all.
fn releases(versions: Versions) -> String {
    match (versions.since, versions.until) {
        (None, None) => String::new(),
        (Some(from), None) => format!(" (since {})", build(from)),
        (None, Some(until)) => format!(" (until {})", build(until)),
        (Some(from), Some(until)) => format!(" (from {} to {})", build(from), build(until)),
    }
}

/// Names a release, or the builds between two releases.
fn build(version: Version) -> String {
    match version.name().strip_suffix('+') {
        _ if version == Version::MAIN => "the builds after v0.3.1".to_owned(),
        Some(tag) => format!("the builds after {tag}"),
        None => version.name().replace("before", "the builds before"),
    }
}

/// Says on what a condition stands.
fn owner(of: &str) -> String {
    let article = if of.starts_with(['a', 'e']) { "an" } else { "a" };
    let of = of.replace(" per ", ", for each ").replace(" properties", ", for its properties");
    format!("{article} {}", of.replace('-', " "))
}

/// Puts a capital at the beginning of a sentence.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_reason_and_every_condition_type_has_a_page() {
        let mut of_types = BTreeMap::new();
        for known in reasons() {
            let page = told(known.condition.reason).expect("a page of the reason");
            assert!(page.contains(&capital(known.means)), "{page}");
            let word = known.condition.r#type;
            let page = of_types.entry(word).or_insert_with(|| told(word).expect("its page"));
            assert!(page.contains(known.condition.reason), "{page}");
        }
    }

    #[test]
    fn a_pasted_message_is_taken_apart() {
        let text =
            "failed to process the request due to a client error: parent placement not found";
        let page = told(text).expect("a page of the message");
        assert!(page.contains("means: the placement is not in the scope of the run"), "{page}");
        assert!(page.contains("do: create the placement with strategy External"), "{page}");
    }

    #[test]
    fn no_page_is_wider_than_the_terminal() {
        for known in reasons() {
            let shown = page(known.condition.reason, Look::plain(60)).unwrap_or_default();
            for line in shown.lines().filter(|line| line.trim().contains(' ')) {
                assert!(columns(line) <= 60, "{line}");
            }
        }
    }

    #[test]
    fn what_nobody_writes_has_no_page() {
        assert_eq!(told("quite another matter"), None);
        assert_eq!(told(""), None);
    }

    #[test]
    fn releases_are_told_apart_from_builds_between_them() {
        let versions = |since, until| Versions {
            since: Option::and_then(since, Version::find),
            until: Option::and_then(until, Version::find),
        };
        assert_eq!(releases(versions(Some("v0.1"), None)), " (since v0.1)");
        assert_eq!(releases(versions(None, Some("v0.0.1+"))), " (until the builds after v0.0.1)");
        assert_eq!(releases(versions(Some("main"), None)), " (since the builds after v0.3.1)");
    }
}
