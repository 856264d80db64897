//! Values written as Rust source.

/// Writes a table.
pub(crate) fn table(name: &str, of: &str, rows: &[String]) -> String {
    format!("pub(super) static {name}: [{of}; {}] = [\n{}];\n", rows.len(), rows.concat())
}

/// Writes a slice of values that are Rust already.
pub(crate) fn slice(items: impl IntoIterator<Item = String>) -> String {
    format!("&[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

/// Writes a slice of texts.
pub(crate) fn texts(items: &[String]) -> String {
    format!("&{items:?}")
}

/// Writes bytes as a byte string.
pub(crate) fn bytes(bytes: &[u8]) -> String {
    format!("b\"{}\"", bytes.escape_ascii())
}

/// Writes a value that may be absent.
pub(crate) fn option(value: Option<String>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({value})"))
}

/// Writes a word of the data (`task-type`) as the name of a variant (`TaskType`).
pub(crate) fn variant(of: &str, word: &str) -> String {
    let mut name = format!("{of}::");
    for part in word.split('-') {
        let mut letters = part.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.push_str(letters.as_str());
    }
    name
}
