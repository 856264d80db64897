//! Commands that a finding proposes: words, what they risk, and where they are to be run.
//!
//! The names in them come from a bundle that nobody vouches for, and people paste them into a shell. So a command is
//! built word by word, from literals of ours and from names that Kubernetes allows. A name that it does not
//! allow (`--all`, `x --kubeconfig=y`, the empty one) leaves no command at all, never a broken one.

mod one_line;
mod shell;

use serde_json::Value;
use smol_str::SmolStr;

use crate::grammar::kind::find_kind;
use crate::kube::names;
use crate::model::key::{HUB, ObjectKey};

/// What a command changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Risk {
    /// It only looks.
    ReadOnly,
    /// It changes something that can be changed back.
    Reversible,
    /// It deletes something or cannot be undone.
    Destructive,
}

impl Risk {
    /// Returns the word used in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::Reversible => "reversible",
            Self::Destructive => "destructive",
        }
    }
}

/// Against which cluster a command is to be run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunsOn {
    /// The hub.
    Hub,
    /// This member.
    Member(SmolStr),
    /// A member that the bundle does not name.
    UnknownMember,
}

impl RunsOn {
    /// Returns the place by the name of a cluster as object keys have it.
    pub fn of_cluster(cluster: &str) -> Self {
        match cluster {
            HUB => Self::Hub,
            "" => Self::UnknownMember,
            name => Self::Member(name.into()),
        }
    }
}

/// A command, ready to run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Command {
    argv: Vec<String>,
    risk: Risk,
    place: RunsOn,
    effect: String,
}

impl Command {
    /// Starts a command of kubectl.
    pub fn kubectl(risk: Risk, place: RunsOn) -> CommandBuilder {
        let argv = vec!["kubectl".to_owned()];
        // The reader's name for the cluster is not known; the comment above the command says where it runs.
        let allowed = match &place {
            RunsOn::Member(cluster) => is_subdomain(cluster),
            RunsOn::Hub | RunsOn::UnknownMember => true,
        };
        let command = Self { argv, risk, place, effect: String::new() };
        CommandBuilder { command: allowed.then_some(command) }
    }

    /// Rewrites its words and what it says of itself, for a report that must not show some of them.
    pub(crate) fn rewrite(&mut self, word: &dyn Fn(&mut String)) {
        let Self { argv, risk: _, place: _, effect } = self;
        argv.iter_mut().chain([effect]).for_each(word);
    }

    /// Returns the words, the program first.
    pub fn argv(&self) -> &[String] {
        &self.argv
    }

    /// Returns what it risks.
    pub fn risk(&self) -> Risk {
        self.risk
    }

    /// Returns where it is to be run.
    pub fn place(&self) -> &RunsOn {
        &self.place
    }

    /// Returns what it does to the cluster or tells the reader, in words; empty where nobody said.
    pub fn effect(&self) -> &str {
        &self.effect
    }

    /// Returns what to say above it: where it runs, what it risks, what it does or tells.
    pub fn comment(&self) -> String {
        let place = match &self.place {
            RunsOn::Hub => "on the hub".to_owned(),
            RunsOn::Member(cluster) => format!("on {cluster}"),
            RunsOn::UnknownMember => "on the member cluster".to_owned(),
        };
        let risk = match self.risk {
            Risk::ReadOnly => ", read-only",
            Risk::Reversible if self.effect.is_empty() => ", reversible",
            Risk::Reversible => "",
            Risk::Destructive => ", irreversible",
        };
        let colon = if self.effect.is_empty() { "" } else { ": " };
        format!("{place}{risk}{colon}{}", self.effect)
    }

    /// Says what it does to the cluster or tells the reader.
    #[must_use]
    pub fn with_effect(mut self, effect: impl Into<String>) -> Self {
        self.effect = effect.into();
        self
    }

    /// Writes it as one line for a POSIX shell.
    pub fn posix(&self) -> String {
        shell::line(&self.argv, shell::posix_word)
    }

    /// Writes it as one line for PowerShell.
    pub fn powershell(&self) -> String {
        shell::line(&self.argv, shell::powershell_word)
    }
}

/// A command in the making; a name that Kubernetes does not allow ends it.
#[derive(Clone, Debug)]
#[must_use]
pub struct CommandBuilder {
    command: Option<Command>,
}

impl CommandBuilder {
    /// Ends the making: the command, or nothing if a name in it is not allowed.
    pub fn build(self) -> Option<Command> {
        self.command
    }

    /// Says what it does to the cluster or tells the reader ("opens the gate before stage dev").
    pub fn effect(mut self, effect: impl Into<String>) -> Self {
        if let Some(command) = &mut self.command {
            command.effect = effect.into();
        }
        self
    }

    /// Adds `-f FILE`; the file is one that the reader is told to save.
    pub(super) fn file(self, file: &str) -> Self {
        self.words("-f").name(file)
    }

    /// Adds words of ours, which blanks separate.
    pub fn words(self, literals: &'static str) -> Self {
        literals.split_ascii_whitespace().fold(self, |builder, word| builder.push(word.to_owned()))
    }

    /// Adds the resource of a kind, as kubectl knows it.
    pub fn resource(self, kind: &str) -> Self {
        match find_kind(kind) {
            Some(spec) => self.push(spec.plural.to_string()),
            None => self.name(&kind.to_lowercase()),
        }
    }

    /// Adds `RESOURCE NAME [-n NAMESPACE]`.
    pub fn object(self, key: &ObjectKey) -> Self {
        let builder = self.resource(&key.kind);
        let builder = match &*key.kind {
            "Role" | "ClusterRole" | "RoleBinding" | "ClusterRoleBinding" => {
                builder.rbac_name("", &key.name)
            }
            _ => builder.name(&key.name),
        };
        builder.namespace(&key.namespace)
    }

    /// Adds `-n NAMESPACE`, or nothing in cluster scope.
    pub fn namespace(self, namespace: &str) -> Self {
        if namespace.is_empty() { self } else { self.words("-n").name(namespace) }
    }

    /// Adds the name of an object, namespace, container, cluster or group.
    pub fn name(self, name: &str) -> Self {
        self.joined("", name)
    }

    /// Adds a name right after a literal, in one word: `deployment/NAME`, `--api-group=NAME`.
    pub fn joined(self, literal: &'static str, name: &str) -> Self {
        self.checked(is_subdomain(name), || format!("{literal}{name}"))
    }

    /// Adds a name of RBAC (a role, a user) right after a literal: `--as=NAME`.
    pub fn rbac_name(self, literal: &'static str, name: &str) -> Self {
        self.checked(is_rbac_name(name), || format!("{literal}{name}"))
    }

    /// Adds `KEY=VALUE[REST]`, a label to look for or to set.
    pub fn label(self, key: &str, value: &str, rest: &'static str) -> Self {
        let allowed = is_label_key(key) && is_label_value(value);
        self.checked(allowed, || format!("{key}={value}{rest}"))
    }

    /// Adds `--type=TYPE -p PATCH`; the patch is YAML in one line, which every shell takes between double quotes.
    pub fn patch(self, flag: &'static str, patch: &Value) -> Self {
        self.words(flag).words("-p").push(one_line::yaml(patch))
    }

    fn checked(self, allowed: bool, word: impl FnOnce() -> String) -> Self {
        if allowed { self.push(word()) } else { Self { command: None } }
    }

    fn push(mut self, word: String) -> Self {
        if let Some(command) = &mut self.command {
            command.argv.push(word);
        }
        self
    }
}

fn is_subdomain(name: &str) -> bool {
    names::subdomain_trouble(name).is_none()
}

/// Says whether a role or user can have this name, and a command carry it.
///
/// Kubernetes allows more: anything that is one segment of a path. These are the characters that are in use.
fn is_rbac_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-._:@".contains(c))
}

fn is_label_key(key: &str) -> bool {
    names::key_trouble(key).is_none()
}

fn is_label_value(value: &str) -> bool {
    !value.is_empty() && names::value_trouble(value).is_none()
}

#[cfg(test)]
mod tests {
    use super::{Command, CommandBuilder, Risk, RunsOn};
    use crate::model::key::ObjectKey;

    const HOSTILE: [&str; 14] = [
        "",
        "-n",
        "--all",
        "x --kubeconfig=/tmp/evil",
        "$(reboot)",
        "`reboot`",
        "x;reboot",
        "x'y",
        "x\"y",
        "a\nb",
        "\u{202e}txt",
        "a/b",
        "..",
        "x\\",
    ];

    fn get() -> CommandBuilder {
        Command::kubectl(Risk::ReadOnly, RunsOn::Hub).words("get")
    }

    #[test]
    fn a_name_that_kubernetes_does_not_allow_leaves_no_command() {
        for name in HOSTILE {
            let pod = ObjectKey::on_hub("Pod", "web", name);
            let role = ObjectKey::on_hub("ClusterRole", "", name);
            assert_eq!(get().object(&pod).build(), None, "{name}");
            assert_eq!(get().object(&role).build(), None, "{name}");
            assert_eq!(get().resource(name).build(), None, "{name}");
            assert_eq!(get().name(name).build(), None, "{name}");
            assert_eq!(get().joined("deployment/", name).build(), None, "{name}");
            assert_eq!(get().rbac_name("--as=", name).build(), None, "{name}");
            assert_eq!(get().label("app", name, "").build(), None, "{name}");
            if name != "a/b" {
                assert_eq!(get().label(name, "web", "").build(), None, "{name}");
            }
            // An empty one stands for cluster scope, or for a member that nobody named.
            if !name.is_empty() {
                assert_eq!(get().namespace(name).build(), None, "{name}");
                let place = RunsOn::of_cluster(name);
                assert_eq!(Command::kubectl(Risk::ReadOnly, place).words("get").build(), None);
            }
        }
    }

    #[test]
    fn names_of_objects_stay_as_they_are() {
        let line = |kind: &str, name: &str| {
            let command = get().object(&ObjectKey::on_hub(kind, "", name)).build();
            command.map(|command| command.posix()).unwrap_or_default()
        };
        assert_eq!(line("Namespace", "web-app.v2"), "kubectl get namespaces web-app.v2");
        assert_eq!(
            line("ClusterRole", "system:node-reader"),
            "kubectl get clusterroles system:node-reader"
        );
        assert_eq!(line("Namespace", "system:node-reader"), "");
    }

    #[test]
    fn the_place_is_said_above_the_command() {
        let on = |cluster: &str| {
            let command = Command::kubectl(Risk::ReadOnly, RunsOn::of_cluster(cluster));
            let command = command.words("get pods").build();
            command.map(|command| (command.comment(), command.posix()))
        };
        for (cluster, place) in [("hub", "the hub"), ("", "the member cluster"), ("m1", "m1")] {
            let said = (format!("on {place}, read-only"), "kubectl get pods".to_owned());
            assert_eq!(on(cluster), Some(said));
        }
        let opens =
            Command::kubectl(Risk::Reversible, RunsOn::Hub).words("patch").effect("opens it");
        let comment = opens.build().map(|command| command.comment());
        assert_eq!(comment.as_deref(), Some("on the hub: opens it"));
    }
}
