//! Field paths: which field of an object, for people and for programs.

/// The path to a field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldPath {
    /// The path for people: list items by their natural key.
    pub field: String,
    /// The path for programs: RFC 6901, list items by index.
    pub pointer: String,
}

impl FieldPath {
    /// Steps into a key.
    pub fn push_key(&mut self, key: &str) {
        if !self.field.is_empty() {
            self.field.push('.');
        }
        self.field.push_str(key);
        self.pointer.push('/');
        if key.contains(['~', '/']) {
            self.pointer.push_str(&escape(key));
        } else {
            self.pointer.push_str(key);
        }
    }

    /// Steps into an item of a list, by its natural key if it has one.
    pub fn push_item(&mut self, index: usize, name: Option<&str>) {
        let index = index.to_string();
        self.field.push('[');
        self.field.push_str(name.unwrap_or(&index));
        self.field.push(']');
        self.pointer.push('/');
        self.pointer.push_str(&index);
    }
}

/// Writes a key as one step of a JSON pointer.
pub fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// Reads one step of a JSON pointer.
pub fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Returns the steps of a JSON pointer.
pub fn steps(pointer: &str) -> impl Iterator<Item = String> {
    pointer.split('/').skip(1).map(unescape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_spelled_for_people_and_for_programs() {
        let mut path = FieldPath::default();
        path.push_key("metadata");
        path.push_key("labels");
        path.push_key("a~b/c");
        assert_eq!(
            (&*path.field, &*path.pointer),
            ("metadata.labels.a~b/c", "/metadata/labels/a~0b~1c")
        );
        assert_eq!(steps(&path.pointer).last().as_deref(), Some("a~b/c"));
        path.push_item(2, Some("Ready"));
        path.push_item(0, None);
        assert_eq!(path.field, "metadata.labels.a~b/c[Ready][0]");
        assert!(path.pointer.ends_with("/2/0"), "{}", path.pointer);
    }
}
