//! Which cluster a piece of output comes from, where no flag of a command says so.
//!
//! People write it into the prompt (`member2>`, `[hub] $`, `(⎈|member2:shop) $`), into a title (`=== member2 ===`)
//! or into the sentence above what they paste (`events on member2:`).
//! Invariant: a word counts only where its place in the sentence makes it a cluster; two clusters make none.

use smol_str::SmolStr;

use crate::grammar::kind::find_resource;

/// The clusters that the prose above a section names.
#[derive(Debug, Default)]
pub(super) struct ClustersInProse {
    names: Vec<SmolStr>,
    kinds: Vec<&'static str>,
    /// Whether a section has come since: the next words speak of what follows them.
    pub(super) is_used: bool,
}

impl ClustersInProse {
    /// Takes in a line of prose.
    pub(super) fn hear(&mut self, text: &str) {
        if std::mem::take(&mut self.is_used) {
            self.names.clear();
            self.kinds.clear();
        }
        for kind in text.split_whitespace().filter_map(|word| fleet_kind(bare(word))) {
            if !self.kinds.contains(&kind) {
                self.kinds.push(kind);
            }
        }
        for name in clusters_in(text) {
            if !self.names.contains(&name) {
                self.names.push(name);
            }
        }
    }

    /// Returns the one kind of KubeFleet that was named.
    pub(super) fn kind(&self) -> Option<SmolStr> {
        let [kind] = self.kinds.as_slice() else { return None };
        Some((*kind).into())
    }

    /// Returns the one cluster that was named.
    pub(super) fn cluster(&self) -> Option<SmolStr> {
        let [name] = self.names.as_slice() else { return None };
        Some(name.clone())
    }
}

/// Reads the cluster from the prompt before a command.
pub(super) fn cluster_of_prompt(line: &str, command: &str) -> Option<SmolStr> {
    let prompt = line.trim().strip_suffix(command)?.trim();
    let place = prompt.trim_end_matches(['$', '#', '%', '>', '❯', '➜', ':', '~', ' ']);
    // kube-ps1 prints `(⎈|context:namespace)`.
    if let Some((_, rest)) = place.split_once('⎈') {
        let rest = rest.trim_start_matches(['|', ' ']);
        return name(rest.split([':', ')', ' ', '|']).next()?).map(SmolStr::from);
    }
    let inner = place.trim_matches(['[', ']', '(', ')', ' ']);
    // `(venv)` is no cluster, `user@host` is a machine, `C:\` a drive.
    let of_shell = inner.contains(['@', '/', '\\', '~']) || inner == "PS" || inner.contains(' ');
    let virtual_environment = place.starts_with('(') && !speaks_of_cluster(inner);
    if of_shell || virtual_environment {
        return None;
    }
    name(inner).map(SmolStr::from)
}

/// Finds the clusters that a line of prose names.
fn clusters_in(text: &str) -> Vec<SmolStr> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Some(candidate) = name(bare(word)) else { continue };
        let before = |back: usize| {
            let word = at.checked_sub(back).and_then(|at| words.get(at));
            word.map(|word| bare(word).to_ascii_lowercase()).unwrap_or_default()
        };
        let after = words.get(at + 1).map(|word| bare(word).to_ascii_lowercase());
        let said = is_noun(&before(1)) || after.as_deref().is_some_and(is_noun);
        let placed = is_preposition(&before(1)) && is_numbered(candidate);
        let bracketed = word.starts_with(['(', '[']) && word.contains([')', ']']);
        let alone = words.iter().filter(|word| !bare(word).is_empty()).count() == 1;
        let fits = candidate == "hub" || is_numbered(candidate) || speaks_of_cluster(candidate);
        let is_object = before(1).contains("kubectl");
        if !is_object && (said || placed || ((bracketed || alone) && fits)) {
            found.push(candidate.into());
        }
    }
    found
}

/// Returns the kind that a word names, unless it is a word of everyday language, too.
fn fleet_kind(word: &str) -> Option<&'static str> {
    let spec = find_resource(word).filter(|spec| spec.is_fleet())?;
    (!matches!(spec.name, "Work" | "AppliedWork")).then_some(spec.name)
}

fn bare(word: &str) -> &str {
    word.trim_matches(|at: char| !at.is_alphanumeric())
}

/// Returns a word that can be the name of a cluster.
fn name(word: &str) -> Option<&str> {
    let plain =
        |at: char| at.is_ascii_lowercase() || at.is_ascii_digit() || matches!(at, '-' | '.' | '_');
    let is_name = word.len() > 1
        && word.starts_with(|at: char| at.is_ascii_lowercase())
        && word.chars().all(plain)
        && (word == "hub"
            || word.contains(|at: char| at.is_ascii_digit() || at == '-')
            || speaks_of_cluster(word))
        && !is_noun(word);
    is_name.then_some(word)
}

/// Says whether a name ends in a number behind letters, as clusters are counted: `member2`, `aks-west-03`.
fn is_numbered(word: &str) -> bool {
    let head = word.trim_end_matches(|at: char| at.is_ascii_digit());
    head.len() < word.len()
        && head.chars().all(|at| at.is_ascii_lowercase() || at == '-')
        && !["node", "pool", "pod"].iter().any(|other| word.contains(other))
        && (!head.trim_end_matches('-').contains('-') || speaks_of_cluster(word))
}

fn speaks_of_cluster(word: &str) -> bool {
    word == "hub"
        || ["member", "cluster", "aks-", "hub-", "-hub"].iter().any(|part| word.contains(part))
}

fn is_noun(word: &str) -> bool {
    matches!(word, "cluster" | "clusters" | "member" | "context")
}

fn is_preposition(word: &str) -> bool {
    matches!(word, "on" | "from" | "in" | "at")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(lines: &[&str]) -> Option<SmolStr> {
        let mut spoken = ClustersInProse::default();
        lines.iter().for_each(|line| spoken.hear(line));
        spoken.cluster()
    }

    #[test]
    fn prompts_name_clusters() {
        let of = |line: &str| {
            cluster_of_prompt(line, super::super::prompt::command(line).unwrap_or_default())
        };
        let named = [
            ("member1> kubectl get deploy -n shop", "member1"),
            ("[member2] $ kubectl -n shop get po", "member2"),
            ("hub$ kubectl get csur", "hub"),
            ("(⎈|aks-west:shop) ❯ kubectl get po", "aks-west"),
            ("(member3) % kubectl get po", "member3"),
            ("member4: kubectl get po", "member4"),
        ];
        for (line, want) in named {
            assert_eq!(of(line).as_deref(), Some(want), "{line}");
        }
        for line in [
            "$ kubectl get po",
            "(venv-3) $ kubectl get po",
            "ann@box-1:~$ kubectl get po",
            "PS C:\\Users\\ops> kubectl get po",
            "C:\\> kubectl get po",
        ] {
            assert_eq!(of(line), None, "{line}");
        }
    }

    #[test]
    fn sentences_name_clusters() {
        for line in [
            "kubectl get events on member2",
            "from member2:",
            "these keep coming (member2):",
            "=== member2 ===",
            "member2:",
            "the pods of cluster member2 now",
            "### on the member2 cluster",
        ] {
            assert_eq!(heard(&[line]).as_deref(), Some("member2"), "{line}");
        }
        assert_eq!(heard(&["on member2 we see", "this since Monday"]).as_deref(), Some("member2"));
        for line in [
            "events from kube-system",
            "pods on aks-nodepool1-21",
            "member1 is fine, see (member2) and (member1)",
            "since release-12 it fails",
            "kubectl get csur web-2",
            "which cluster is it?",
        ] {
            assert_eq!(heard(&[line]), None, "{line}");
        }
    }
}
