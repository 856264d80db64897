//! [`Step`]: one thing to do about a finding: run a command, decide between some, or create an object.

use super::command::{Command, Risk, RunsOn};

/// One thing to do; steps are done in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Run this.
    Run(Command),
    /// Decide first, then run one of these.
    Decide {
        /// What has to be decided, as a sentence.
        question: String,
        /// The ways out, at least one.
        choices: Vec<Command>,
    },
    /// Save this and create it.
    Create(Box<NewObject>),
}

impl Step {
    /// Returns the commands of the step.
    pub fn commands(&self) -> &[Command] {
        match self {
            Self::Run(command) => std::slice::from_ref(command),
            Self::Decide { choices, .. } => choices,
            Self::Create(object) => std::slice::from_ref(&object.create),
        }
    }
}

/// An object to be created on the hub, as a manifest that is complete as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewObject {
    /// When to create it, what it does and what it would disturb, as sentences; the first one is the instruction.
    pub effect: String,
    /// The manifest, as YAML; it ends with a line break.
    pub manifest: String,
    /// The name under which to save it.
    pub file: String,
    /// Creates it from the saved file.
    pub create: Command,
}

impl NewObject {
    /// Returns the object, or nothing if Kubernetes does not allow its name.
    pub fn new(name: &str, manifest: String, effect: impl Into<String>) -> Option<Self> {
        let file = format!("{name}.yaml");
        let create = Command::kubectl(Risk::Reversible, RunsOn::Hub).words("create").file(&file);
        let effect = effect.into();
        let create = create.effect(&effect).build()?;
        Some(Self { create, effect, manifest, file })
    }
}

#[cfg(test)]
mod tests {
    use super::NewObject;

    #[test]
    fn an_object_is_created_from_a_file_of_its_name() {
        let object = NewObject::new("orders-7-r2", "kind: X\n".to_owned(), "Starts stage dev.");
        let create = object.map(|object| object.create.posix());
        assert_eq!(create.as_deref(), Some("kubectl create -f orders-7-r2.yaml"));
    }

    #[test]
    fn a_name_that_is_not_allowed_leaves_no_object() {
        assert_eq!(NewObject::new("--all", String::new(), ""), None);
        assert_eq!(NewObject::new("a b", String::new(), ""), None);
    }
}
