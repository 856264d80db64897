//! The syntax of names, labels and namespaces, as Kubernetes checks it.
//!
//! Each function returns why a text is refused, or `None` if it is allowed.

/// Checks the name of most objects: a DNS-1123 subdomain.
pub fn subdomain_trouble(name: &str) -> Option<String> {
    if name.len() > 253 {
        return Some(format!("it has {} characters, at most 253 are allowed", name.len()));
    }
    (!name.split('.').all(is_dns_label)).then(|| {
        "only a-z, 0-9, `-` and `.` are allowed, and each part must begin and end with a letter or digit".to_owned()
    })
}

/// Checks a DNS-1123 label.
pub fn label_name_trouble(name: &str) -> Option<String> {
    if name.len() > 63 {
        return Some(format!("it has {} characters, at most 63 are allowed", name.len()));
    }
    (!is_dns_label(name)).then(|| {
        "only a-z, 0-9 and `-` are allowed, and it must begin and end with a letter or digit"
            .to_owned()
    })
}

fn is_dns_label(part: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = part.as_bytes();
    bytes.first().is_some_and(|byte| inner(*byte))
        && bytes.last().is_some_and(|byte| inner(*byte))
        && bytes.iter().all(|byte| inner(*byte) || *byte == b'-')
}

/// Checks a qualified name: `[prefix/]name`, the key of a label, annotation or taint.
pub fn key_trouble(key: &str) -> Option<String> {
    let (prefix, name) = match key.split_once('/') {
        Some((_, name)) if name.contains('/') => {
            return Some("it has more than one `/`".to_owned());
        }
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    match prefix {
        Some("") => return Some("the part before `/` is empty".to_owned()),
        Some(prefix) => {
            if let Some(trouble) = subdomain_trouble(prefix) {
                return Some(format!("the part before `/` is no DNS name: {trouble}"));
            }
        }
        None => {}
    }
    name_part_trouble(name)
}

fn name_part_trouble(name: &str) -> Option<String> {
    if name.is_empty() {
        return Some("the name is empty".to_owned());
    }
    if name.len() > 63 {
        return Some(format!("its name has {} characters, at most 63 are allowed", name.len()));
    }
    (!is_word(name)).then(|| {
        "only letters, digits, `-`, `_` and `.` are allowed, and it must begin and end with a letter or digit".to_owned()
    })
}

/// Checks the value of a label or taint.
pub fn value_trouble(value: &str) -> Option<String> {
    if value.is_empty() { None } else { name_part_trouble(value) }
}

fn is_word(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::label_name_trouble;

    #[test]
    fn a_label_begins_and_ends_with_a_letter_or_digit() {
        let is_fine = |name: &str| label_name_trouble(name).is_none();
        assert!(["a", "0", "a-b", "a--0"].into_iter().all(is_fine));
        assert!(!["", "-a", "a-", "a.b", "A", "a_b"].into_iter().any(is_fine));
        assert!(is_fine(&"a".repeat(63)) && !is_fine(&"a".repeat(64)));
    }
}
