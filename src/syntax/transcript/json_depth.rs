//! How deep a piece of JSON is nested, fed line by line.
//!
//! Finds the line on which a pasted JSON value ends, without reading it.

/// Brackets and strings that are open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JsonDepth {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl JsonDepth {
    /// Takes in a line.
    pub(super) fn feed(&mut self, line: &str) {
        for byte in line.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                _ if self.in_string => {}
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.escaped = false;
    }

    /// Says whether the value is complete.
    pub(super) fn is_complete(self) -> bool {
        self.depth == 0 && !self.in_string
    }

    /// Says whether a string is open, so that the next line is the tail of a wrapped one.
    pub(super) fn in_string(self) -> bool {
        self.in_string
    }
}

/// Says whether a line begins a JSON object or array.
pub(crate) fn begins_json(line: &str) -> bool {
    let text = line.trim();
    let Some(first) = text.bytes().next() else { return false };
    let rest = text.get(1..).unwrap_or_default().trim_start();
    match first {
        b'{' => rest.is_empty() || rest.starts_with('"') || rest == "}",
        b'[' => rest.is_empty() || rest.starts_with(['{', '"', '[']) || rest == "]",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_where_its_brackets_close() {
        let mut depth = JsonDepth::default();
        for line in ["{\"a\": \"}\\\"}\",", " \"b\": [1,"] {
            depth.feed(line);
            assert!(!depth.is_complete() && !depth.in_string());
        }
        depth.feed("2]}");
        assert!(depth.is_complete());
    }

    #[test]
    fn chats_and_templates_do_not_begin_json() {
        assert!(begins_json("{") && begins_json("[{\"a\": 1}]") && begins_json("  [  "));
        assert!(!begins_json("[12:41] customer") && !begins_json("{{ .Values }}"));
        assert!(!begins_json("[pod/a/b] x") && !begins_json("{see below}"));
    }
}
