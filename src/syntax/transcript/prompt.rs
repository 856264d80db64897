//! Where a prompt ends and a command begins.
//!
//! Knows the prompts of bash, zsh, PowerShell and cmd, and bare kubectl commands as documents print
//! them. What the command means is for [`super::command`].
//! Invariant: a line of an object or of prose is not taken for a command.

use super::command::is_tool;
use crate::grammar::kind;

/// Verbs that make a line which begins with `kubectl` a command and not a sentence about it.
const VERBS: [&str; 24] = [
    "annotate",
    "api-resources",
    "apply",
    "cluster-info",
    "config",
    "create",
    "ctx",
    "delete",
    "describe",
    "diff",
    "edit",
    "events",
    "exec",
    "explain",
    "get",
    "label",
    "logs",
    "ns",
    "patch",
    "replace",
    "rollout",
    "scale",
    "top",
    "wait",
];

/// Returns the command of a line that is a prompt or a bare command.
pub(crate) fn command(line: &str) -> Option<&str> {
    let text = line.trim();
    if text.len() < 3 {
        return None;
    }
    if let Some(rest) = after_prompt(text) {
        return Some(rest);
    }
    is_bare(text).then_some(text)
}

fn after_prompt(text: &str) -> Option<&str> {
    let mark = text.chars().next()?;
    let rest = text.get(mark.len_utf8()..)?;
    match mark {
        '$' => {
            let rest = rest.strip_prefix(' ')?.trim_start();
            return rest
                .starts_with(|at: char| at.is_ascii_alphabetic() || at == '.')
                .then_some(rest);
        }
        '#' | '%' | '>' | '❯' | 'λ' | '➜' => {
            let rest = rest.trim_start();
            let rest = if mark == '➜' { after_place(rest) } else { rest };
            return is_bare(rest).then_some(rest);
        }
        _ => {}
    }
    let limit = text.char_indices().take(120).last().map_or(0, |(at, _)| at);
    let head = text.get(..limit)?;
    let end = head.match_indices(['$', '#', '%', '>']).find(|&(at, _)| {
        is_prompt(text.get(..at).unwrap_or_default(), text.as_bytes().get(at).copied())
            && text.get(at + 1..).is_some_and(|rest| !rest.trim().is_empty())
    });
    match end {
        Some((at, _)) => text.get(at + 1..).map(str::trim_start),
        None => after_own_mark(text, head),
    }
}

/// Returns the command behind a prompt that somebody made up: `hub>`, `[member2] $`, `(⎈|member2:shop) ❯`.
///
/// Nothing about the words before the mark tells a prompt from prose; the command behind it does.
fn after_own_mark<'t>(text: &'t str, head: &str) -> Option<&'t str> {
    let marks = head.match_indices(['$', '#', '%', '>', '❯', '➜', ':']);
    let mut ends = marks.filter(|(at, _)| {
        let place = head.get(..*at).unwrap_or_default();
        !place.is_empty() && place.split_whitespace().count() <= 3
    });
    ends.find_map(|(at, mark)| {
        let place = head.get(..at)?;
        let rest = text.get(at + mark.len()..)?;
        let set_off = mark != ":" || (rest.starts_with(' ') && !place.contains(' '));
        let rest = rest.trim_start();
        (set_off && is_bare(rest)).then_some(rest)
    })
}

/// Says whether `place` is what a shell prints before its mark: a path, `user@host`, `PS C:\>`.
fn is_prompt(place: &str, mark: Option<u8>) -> bool {
    if let Some(path) = place.strip_prefix("PS ") {
        return mark == Some(b'>')
            && path.starts_with(|at: char| at.is_alphanumeric() || "/~\\".contains(at));
    }
    if place == "PS" {
        return mark == Some(b'>');
    }
    let bytes = place.as_bytes();
    let drive =
        bytes.first().is_some_and(u8::is_ascii_alphabetic) && place.get(1..3) == Some(":\\");
    if drive {
        return mark == Some(b'>');
    }
    let inner = place.trim_start_matches(['[', '(']).trim_end();
    let (user, rest) = inner.split_once('@').unwrap_or_default();
    let word = |text: &str| {
        !text.is_empty() && text.chars().all(|at| at.is_ascii_alphanumeric() || "._-".contains(at))
    };
    let host = rest.split([':', ' ', ']', '[']).next().unwrap_or_default();
    // At most the host, the directory and a git branch stand before the mark.
    word(user.rsplit([' ', ')']).next().unwrap_or_default())
        && word(host)
        && place.split(' ').count() <= 4
        && !place.contains('<')
}

/// Skips the directory and branch that zsh themes print before the command.
fn after_place(text: &str) -> &str {
    let mut rest = text;
    for _ in 0..4 {
        if is_bare(rest) {
            return rest;
        }
        let Some((_, tail)) = rest.split_once(' ') else { break };
        rest = tail.trim_start();
    }
    text
}

/// Says whether the text is a kubectl command as such.
fn is_bare(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let mut first = words.next().unwrap_or_default();
    while matches!(first, "sudo" | "watch" | "time" | "microk8s" | "minikube" | "k3s")
        || first.starts_with("KUBECONFIG=")
    {
        first = words.next().unwrap_or_default();
    }
    if !is_tool(first) {
        return false;
    }
    match first {
        "az" => text.contains("get-credentials"),
        "export" => text.contains("KUBECONFIG="),
        "kubectx" => words.count() == 1,
        "k" => {
            let verb = words.next().is_some_and(|word| VERBS.contains(&word));
            verb && words.any(|word| kind::find_resource(word).is_some())
        }
        _ => words.find(|word| VERBS.contains(word)).is_some_and(|_| !is_sentence(text)),
    }
}

/// Says whether a line that starts like a command reads on as prose.
fn is_sentence(text: &str) -> bool {
    let prose = ["shows", "says", "prints", "returns", "gives", "reports", "works"];
    text.ends_with('.') || text.split_whitespace().any(|word| prose.contains(&word))
}

/// Finds a command that a sentence quotes in backticks, or mentions without.
pub(crate) fn mention(line: &str) -> Option<(&str, CommandQuoting)> {
    let at = line.find("kubectl ").or_else(|| line.find("oc get "))?;
    let rest = line.get(at..)?;
    if line.get(..at)?.ends_with('`') {
        let quoted = rest.split('`').next().unwrap_or(rest);
        return Some((quoted, CommandQuoting::Backticks));
    }
    Some((rest, CommandQuoting::None))
}

/// How a sentence sets off a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandQuoting {
    /// In backticks: the command is complete.
    Backticks,
    /// Not at all: words of the sentence may follow.
    None,
}

/// Returns the line without the mark that continues a command on the next one.
pub(crate) fn continued(line: &str) -> Option<&str> {
    let text = line.trim_end();
    text.strip_suffix('\\').or_else(|| text.strip_suffix('`')).or_else(|| text.strip_suffix('^'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_of_all_shells_are_stripped() {
        let cases = [
            ("$ kubectl get csur", "kubectl get csur"),
            ("# kubectl get csur", "kubectl get csur"),
            ("> kubectl get csur", "kubectl get csur"),
            ("PS C:\\Users\\ops> kubectl get csur", "kubectl get csur"),
            ("PS /home/ops> kubectl get csur", "kubectl get csur"),
            ("C:\\>kubectl get csur", "kubectl get csur"),
            ("C:\\Program Files\\x>kubectl.exe get csur", "kubectl.exe get csur"),
            ("user@box:~$ kubectl get csur", "kubectl get csur"),
            ("user@Azure:~$ k get csur", "k get csur"),
            ("[root@hub ~]# kubectl get csur", "kubectl get csur"),
            ("(venv) ann@box repo % kubectl get csur", "kubectl get csur"),
            ("➜  fleet git:(main) kubectl get csur", "kubectl get csur"),
            ("kubectl config use-context member2", "kubectl config use-context member2"),
            ("KUBECONFIG=a kubectl get csur", "KUBECONFIG=a kubectl get csur"),
            ("$ date", "date"),
        ];
        for (line, want) in cases {
            assert_eq!(command(line), Some(want), "{line}");
        }
    }

    #[test]
    fn sentences_and_objects_are_no_prompts() {
        let lines = [
            "kubectl get csur shows False for an hour",
            "kubectl is installed",
            "# For ClusterResourcePlacement",
            "> Hello, the placement does not move",
            "Price is 5 $ per month",
            "From: Ann <ann@contoso.example> wrote",
            "message: a > b",
            "k means clustering",
            "- apiVersion: v1",
            "PS: thanks > all",
        ];
        for line in lines {
            assert_eq!(command(line), None, "{line}");
        }
    }

    #[test]
    fn commands_are_found_in_sentences() {
        let line = "Output of `kubectl get csur a -o yaml`:";
        assert_eq!(mention(line), Some(("kubectl get csur a -o yaml", CommandQuoting::Backticks)));
        assert_eq!(mention("no tool here"), None);
    }
}
