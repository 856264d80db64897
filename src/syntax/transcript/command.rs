//! A shell command in a transcript, and what it says about the output that follows.
//!
//! Owns the words of a command line and the reading of kubectl's arguments; where a prompt ends and
//! a command begins is for [`super::prompt`]. A command is a hint: people paste other output under it.
//! Invariant: a placeholder (`<name>`, `$RUN`) never becomes a name.

use smol_str::SmolStr;

use crate::grammar::kind;
use crate::syntax::projection::{Projection, parse_columns, parse_jq, parse_jsonpath};

/// What a command is expected to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum ExpectedOutput {
    /// Whatever is recognised.
    #[default]
    Any,
    /// A table without its header line.
    Rows,
    /// The lines of a container's log.
    Log,
    /// Nothing that describes the state of a cluster (`apply`, `patch`, `delete`).
    Nothing,
}

/// What a command line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandLine {
    /// The kind it asks for.
    pub(crate) kind: Option<&'static str>,
    /// The one object it asks for.
    pub(crate) name: Option<SmolStr>,
    /// The namespace it asks in.
    pub(crate) namespace: Option<SmolStr>,
    /// The cluster it talks to.
    pub(crate) cluster: Option<SmolStr>,
    /// The syntax that its output has.
    pub(crate) output: ExpectedOutput,
    /// Whether something was left out, and of what.
    pub(crate) filter: Filter,
    /// A cluster that all later commands talk to.
    pub(crate) switch: Option<SmolStr>,
    /// A namespace that all later commands ask in.
    pub(crate) switch_namespace: Option<SmolStr>,
    /// What it prints of the object, where it prints a part.
    pub(crate) projection: Option<Box<Projection>>,
    /// The word that ends the text fed to the command (`<<EOF`).
    pub(crate) heredoc: Option<SmolStr>,
    /// Whose log it prints, where it names one pod.
    pub(crate) logged: Option<LoggedContainer>,
}

/// A container whose log is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoggedContainer {
    /// The name of the pod.
    pub(crate) pod: SmolStr,
    /// Its name, where the command gives it.
    pub(crate) container: Option<SmolStr>,
    /// Whether the life before its present one is asked for.
    pub(crate) is_previous: bool,
}

/// What was left out of the output of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Filter {
    /// Nothing was left out.
    #[default]
    None,
    /// Objects, by a selector or a list of names; those that are there are whole.
    Objects,
    /// Lines, by another program: an object may lack any of its own.
    Lines,
}

/// Reads a command line: the last part that asks for something, and every switch on the way.
pub(crate) fn parse_command(line: &str) -> CommandLine {
    let words = words(line);
    let mut command = CommandLine::default();
    for part in words.split(|word| word == ";" || word == "&&" || word == "||") {
        read_part(part, &mut command);
    }
    command.heredoc = heredoc(&words);
    command
}

fn read_part(words: &[String], command: &mut CommandLine) {
    let mut pipe = words.split(|word| word == "|");
    let words = pipe.next().unwrap_or_default();
    let program = pipe.next();
    let at = words.iter().position(|word| is_tool(word)).unwrap_or(0);
    let environment = words.get(..at).unwrap_or_default();
    let Some((tool, arguments)) = words.get(at..).and_then(<[String]>::split_first) else { return };
    match tool_name(tool) {
        "kubectl" | "oc" | "k" => {
            let switch = command.switch.take();
            let switch_namespace = command.switch_namespace.take();
            *command = read_kubectl(arguments);
            command.switch = command.switch.take().or(switch);
            command.switch_namespace = command.switch_namespace.take().or(switch_namespace);
            if program.is_some() {
                command.filter = Filter::Lines;
            }
            if let Some(filter) = program.and_then(jq_filter) {
                command.projection = parse_jq(filter).map(Box::new);
            }
            let config = environment.iter().find_map(|word| word.strip_prefix("KUBECONFIG="));
            command.cluster = command.cluster.take().or(config.and_then(cluster_of_config));
        }
        "kubectx" => command.switch = arguments.iter().find_map(|word| plain(word)),
        "export" | "set" => {
            let config = arguments.iter().find_map(|word| word.strip_prefix("KUBECONFIG="));
            command.switch = config.and_then(cluster_of_config).or(command.switch.take());
        }
        "az" if arguments.iter().any(|word| word == "get-credentials") => {
            let hub = arguments.first().is_some_and(|word| word == "fleet");
            let name = flag(arguments, &["-n", "--name", "--context"]).and_then(plain);
            command.switch = if hub { Some("hub".into()) } else { name };
        }
        _ => {}
    }
}

/// Returns the filter of jq or yq in a pipe.
fn jq_filter(words: &[String]) -> Option<&str> {
    let (tool, arguments) = words.split_first()?;
    let mut plain = arguments.iter().map(String::as_str).filter(|word| !word.starts_with('-'));
    let first = plain.next()?;
    match tool_name(tool) {
        "yq" if first == "e" || first == "eval" => plain.next(),
        "jq" | "yq" => Some(first),
        _ => None,
    }
}

/// Says whether a word names a program whose commands are understood.
pub(crate) fn is_tool(word: &str) -> bool {
    matches!(tool_name(word), "kubectl" | "oc" | "k" | "kubectx" | "export" | "az")
}

fn tool_name(word: &str) -> &str {
    let word = word.rsplit(['/', '\\']).next().unwrap_or(word);
    word.strip_suffix(".exe").unwrap_or(word)
}

/// Flags of kubectl that take the next word as their value.
const WITH_VALUE: [&str; 30] = [
    "--as",
    "--chunk-size",
    "--cluster",
    "--container",
    "--context",
    "--field-selector",
    "--filename",
    "--for",
    "--kubeconfig",
    "--label-columns",
    "--namespace",
    "--output",
    "--patch",
    "--selector",
    "--server",
    "--since",
    "--sort-by",
    "--subresource",
    "--tail",
    "--template",
    "--timeout",
    "--token",
    "--type",
    "--user",
    "-L",
    "-c",
    "-f",
    "-l",
    "-n",
    "-o",
];

fn read_kubectl(arguments: &[String]) -> CommandLine {
    let mut command = CommandLine::default();
    let positional = positional(arguments);
    let value = |names: &[&str]| flag(arguments, names);
    command.namespace = value(&["-n", "--namespace"]).and_then(plain);
    command.cluster = value(&["--context", "--cluster"])
        .and_then(plain)
        .or_else(|| value(&["--kubeconfig"]).and_then(cluster_of_config));
    if value(&["-l", "--selector", "--field-selector"]).is_some() {
        command.filter = Filter::Objects;
    }
    if let Some(output) = value(&["-o", "--output"]) {
        let (form, template) = output.split_once('=').unwrap_or((output, ""));
        let projection = match form {
            "jsonpath" | "jsonpath-as-json" => parse_jsonpath(template),
            "custom-columns" => parse_columns(template),
            _ => None,
        };
        command.projection = projection.map(Box::new);
    }
    if value(&["--no-headers"]).is_some_and(|word| word != "false") {
        command.output = ExpectedOutput::Rows;
    }
    match positional.first().copied().unwrap_or_default() {
        "get" | "describe" | "edit" | "wait" | "events" | "rollout" => {
            let objects = positional.get(1..).unwrap_or_default();
            read_objects(objects, &mut command);
        }
        "logs" | "log" => {
            command.output = ExpectedOutput::Log;
            command.logged = read_logged(positional.get(1..).unwrap_or_default(), arguments);
        }
        "config" => match positional.get(1).copied().unwrap_or_default() {
            "use-context" => {
                command.switch = positional.get(2).and_then(|word| plain(word));
            }
            "set-context" => command.switch_namespace = command.namespace.clone(),
            _ => command.output = ExpectedOutput::Nothing,
        },
        "ctx" => command.switch = positional.get(1).and_then(|word| plain(word)),
        "ns" => command.switch_namespace = positional.get(1).and_then(|word| plain(word)),
        _ => command.output = ExpectedOutput::Nothing,
    }
    command
}

/// Reads whose log is asked for: `POD [CONTAINER]`, `pod/POD`; the log of a workload or a selector is of no one pod.
fn read_logged(words: &[&str], arguments: &[String]) -> Option<LoggedContainer> {
    let (first, more) = words.split_first()?;
    let pod = match first.split_once('/') {
        Some(("pod" | "pods" | "po", name)) => plain(name),
        Some(_) => None,
        None => plain(first),
    }?;
    let container = flag(arguments, &["-c", "--container"]).or_else(|| more.first().copied());
    let is_previous = flag(arguments, &["-p", "--previous"]).is_some_and(|word| word != "false");
    Some(LoggedContainer { pod, container: container.and_then(plain), is_previous })
}

fn read_objects(words: &[&str], command: &mut CommandLine) {
    let Some((first, names)) = words.split_first() else { return };
    if let Some((resource, name)) = first.split_once('/') {
        command.kind = find_resource(resource);
        command.name = if names.is_empty() { plain(name) } else { None };
        return;
    }
    command.kind = find_resource(first);
    match names {
        [name] => command.name = plain(name),
        _ if !names.is_empty() => command.filter = Filter::Objects,
        _ => {}
    }
}

fn find_resource(word: &str) -> Option<&'static str> {
    if word.contains(',') {
        return None;
    }
    kind::find_resource(word).map(|spec| spec.name)
}

fn positional(arguments: &[String]) -> Vec<&str> {
    let mut found = Vec::new();
    let mut skip = false;
    for word in arguments {
        if skip {
            skip = false;
        } else if word.starts_with('-') {
            skip = WITH_VALUE.contains(&word.as_str());
        } else {
            found.push(word.as_str());
        }
    }
    found
}

/// Finds the value of a flag, as the next word or behind `=`; a flag without a value gives `""`.
fn flag<'w>(arguments: &'w [String], names: &[&str]) -> Option<&'w str> {
    for (at, word) in arguments.iter().enumerate() {
        if names.contains(&word.as_str()) {
            let next = arguments.get(at + 1).map(String::as_str).unwrap_or_default();
            return Some(if next.starts_with('-') { "" } else { next });
        }
        let glued = names.iter().find_map(|name| word.strip_prefix(name)?.strip_prefix('='));
        if glued.is_some() {
            return glued;
        }
    }
    None
}

/// Returns a word as a name unless it is a placeholder or cannot be one.
fn plain(word: &str) -> Option<SmolStr> {
    let fits =
        |at: char| at.is_ascii_alphanumeric() || matches!(at, '-' | '.' | '_' | '/' | ':' | '@');
    let alphanumeric = word.chars().next().is_some_and(|at| at.is_ascii_alphanumeric());
    (alphanumeric && word.len() <= 253 && word.chars().all(fits)).then(|| word.into())
}

/// Returns the cluster that the name of a kubeconfig file speaks of.
fn cluster_of_config(path: &str) -> Option<SmolStr> {
    let file = path.rsplit(['/', '\\']).next()?;
    let mut name = file;
    for suffix in [".yaml", ".yml", ".conf", ".config", ".kubeconfig"] {
        name = name.strip_suffix(suffix).unwrap_or(name);
    }
    for affix in ["kubeconfig", "config"] {
        name = name.strip_prefix(affix).unwrap_or(name);
        name = name.strip_suffix(affix).unwrap_or(name).trim_matches(['-', '_', '.']);
    }
    plain(name)
}

fn heredoc(words: &[String]) -> Option<SmolStr> {
    let at = words.iter().position(|word| word.starts_with("<<"))?;
    let tag = words.get(at)?.trim_start_matches(['<', '-']);
    let tag = if tag.is_empty() { words.get(at + 1)?.as_str() } else { tag };
    plain(tag)
}

/// Splits a command line into words; quotes hold words together, a comment ends the line.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut started = false;
    for at in line.chars() {
        match (quote, at) {
            (Some(open), _) if at == open => quote = None,
            (Some(_), _) => word.push(at),
            (None, '\'' | '"') => {
                quote = Some(at);
                started = true;
            }
            (None, '#') if word.is_empty() && !started => break,
            (None, ' ' | '\t' | '\r' | '\n' | ';' | '|') => {
                finish(&mut words, &mut word, &mut started);
                if matches!(at, ';' | '|') {
                    words.push(at.to_string());
                }
            }
            // Word processors turn the two dashes of a flag into one long one.
            (None, '–' | '—') if word.is_empty() => word.push_str("--"),
            (None, _) => word.push(at),
        }
    }
    finish(&mut words, &mut word, &mut started);
    words
}

fn finish(words: &mut Vec<String>, word: &mut String, started: &mut bool) {
    if !word.is_empty() || *started {
        words.push(std::mem::take(word));
    }
    *started = false;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Option<&'static str>, Option<SmolStr>, Option<SmolStr>) {
        let command = parse_command(line);
        (command.kind, command.name, command.namespace)
    }

    #[test]
    fn whose_log_is_printed() {
        let logged = |line: &str| parse_command(line).logged;
        let full = logged("kubectl logs web-1 -n shop -c app --previous").expect("a pod");
        assert_eq!((&*full.pod, full.container.as_deref()), ("web-1", Some("app")));
        assert!(full.is_previous);
        let short = logged("kubectl logs pod/web-1 app").expect("a pod");
        assert_eq!((&*short.pod, short.container.as_deref()), ("web-1", Some("app")));
        assert!(!short.is_previous);
        assert_eq!(logged("kubectl logs deploy/web"), None);
        assert_eq!(logged("kubectl logs -l app=web"), None);
    }

    #[test]
    fn kind_name_and_namespace_come_from_the_arguments() {
        let run = Some("ClusterStagedUpdateRun");
        assert_eq!(read("kubectl get csur blue-7 -o yaml"), (run, Some("blue-7".into()), None));
        let run = Some("StagedUpdateRun");
        let full = (run, Some("web".into()), Some("shop".into()));
        assert_eq!(read("kubectl -n shop describe stagedupdateruns web"), full);
        assert_eq!(read("k get sur/web --namespace=shop"), full);
        assert_eq!(read("sudo kubectl get sur web –namespace shop"), full);
        assert_eq!(read("kubectl get sur web other -n shop"), (run, None, Some("shop".into())));
        assert_eq!(read("kubectl get csur,crb"), (None, None, None));
    }

    #[test]
    fn placeholders_are_no_names() {
        let run = Some("StagedUpdateRun");
        assert_eq!(read("kubectl describe sur <run-name> -n <namespace>"), (run, None, None));
        assert_eq!(read("kubectl describe sur $RUN -n \"$NS\""), (run, None, None));
    }

    #[test]
    fn clusters_come_from_contexts_and_kubeconfigs() {
        let of = |line| parse_command(line).cluster;
        assert_eq!(of("kubectl --context member2 get pods"), Some("member2".into()));
        assert_eq!(
            of("kubectl --kubeconfig ~/.kube/member2.yaml get pods"),
            Some("member2".into())
        );
        assert_eq!(of("KUBECONFIG=./kubeconfig-member3 kubectl get po"), Some("member3".into()));
        assert_eq!(of("kubectl --kubeconfig ~/.kube/config get pods"), None);
        let switch = |line| parse_command(line).switch;
        assert_eq!(switch("kubectl config use-context member2"), Some("member2".into()));
        assert_eq!(switch("kubectx member1 && kubectl get po"), Some("member1".into()));
        assert_eq!(switch("az aks get-credentials -g rg --name m4"), Some("m4".into()));
        assert_eq!(switch("az fleet get-credentials -g rg -n f"), Some("hub".into()));
    }

    #[test]
    fn the_form_of_the_output_is_foreseen() {
        let output = |line| parse_command(line).output;
        assert_eq!(output("kubectl get csur --no-headers"), ExpectedOutput::Rows);
        assert_eq!(output("kubectl logs -n fleet-system hub-agent-1"), ExpectedOutput::Log);
        assert_eq!(
            output("kubectl patch careq x --type=merge -p '{\"a\": 1}'"),
            ExpectedOutput::Nothing
        );
        for line in ["kubectl get csur | findstr a", "kubectl get csur -l a=b", "k get csur a b"] {
            assert_ne!(parse_command(line).filter, Filter::None, "{line}");
        }
        assert_eq!(parse_command("cat <<'EOF' | kubectl apply -f -").heredoc, Some("EOF".into()));
    }
}
