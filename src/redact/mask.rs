//! What is masked whatever it is called: data of Secrets, credentials, addresses, hosts, ids of clouds.
//!
//! What is masked keeps its length and its punctuation, so that what reads the text reads the same.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::secret::{apart, credentials, zones};

/// Addresses, mails, hosts of URLs and of clouds, ids of subscriptions and resource groups.
static SENSITIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"\b(?P<a>(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3})\b",
        r"|\b(?P<b>(?:[0-9a-fA-F]{1,4}:){5,7}[0-9a-fA-F]{1,4})\b",
        r"|\b(?P<c>[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,})\b",
        r"|(?i:/subscriptions/)(?P<d>[0-9a-fA-F-]{36})",
        r"|(?i:/resourceGroups/)(?P<e>[A-Za-z0-9._()-]+)",
        r"|\b(?P<f>[A-Za-z0-9.-]+\.(?:azmk8s\.io|azurecr\.io|windows\.net|azure\.com|amazonaws\.com|eks\.amazonaws\.com|googleapis\.com|cloudapp\.net|internal|local|lan|corp))\b",
        r"|\bhttps?://(?P<g>[A-Za-z0-9.-]+)",
    ))
    .expect("the pattern is fixed")
});

/// Hosts that tell nothing of anybody.
const PUBLIC: [&str; 8] = [
    "kubernetes.io",
    "k8s.io",
    "kubefleet.dev",
    "github.com",
    "kubernetes-fleet.io",
    "fleet.azure.com",
    "cluster.local",
    "docker.io",
];

/// Returns what gives itself away by its form and is unlike any word, so that it can be known again elsewhere.
pub(super) fn sensitive(text: &str) -> impl Iterator<Item = &str> {
    let found = SENSITIVE.captures_iter(text).filter_map(|found| {
        let parts = ["a", "b", "c", "d", "e", "f", "g"];
        parts.iter().find_map(|name| found.name(name)).map(|part| part.as_str())
    });
    found.filter(|part| {
        let is_id = part.len() == 36 && part.matches('-').count() == 4;
        part.len() >= 8 && !is_public(part) && (is_id || part.contains(['.', '@']))
    })
}

/// Masks what gives itself away by its form.
pub(super) fn mask(text: &str) -> String {
    let masked = SENSITIVE.replace_all(text, |found: &Captures<'_>| {
        let whole = found.get(0).map_or("", |whole| whole.as_str());
        let part = ["a", "b", "c", "d", "e", "f", "g"].iter().find_map(|name| found.name(name));
        let Some(part) = part.map(|part| part.as_str()) else { return whole.to_owned() };
        if is_public(part) {
            return whole.to_owned();
        }
        whole.replace(part, &filled(part))
    });
    masked.into_owned()
}

/// Says whether a name is that of a host that tells nothing of anybody, as leases of KubeFleet are.
pub(super) fn is_public(name: &str) -> bool {
    PUBLIC.iter().any(|host| is_under(name, host))
}

/// Says whether a host is another one or lies below it.
fn is_under(host: &str, other: &str) -> bool {
    host.strip_suffix(other).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// Masks the data of Secrets, and credentials, in a file; `known` is where values of Secrets stand in it.
pub(super) fn mask_secrets(text: &str, known: Vec<Range<usize>>) -> String {
    let mut hidden = zones(text);
    hidden.extend(known);
    hidden.extend(credentials(text));
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for range in apart(hidden) {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&filled(text.get(range.clone()).unwrap_or_default()));
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Writes something of the same shape that tells nothing.
pub(super) fn filled(text: &str) -> String {
    // What stands behind a backslash is part of an escape: `\\n` is no letter.
    let mut escaped = false;
    let mut blank = |c: char| {
        let kept = escaped;
        escaped = c == '\\' && !kept;
        match c {
            c if kept => c,
            '0'..='9' => '0',
            c if c.is_alphabetic() => 'x',
            c => c,
        }
    };
    text.chars().map(&mut blank).collect()
}
