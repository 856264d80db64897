//! Labels that no schema knows: whether they are labels at all, and the key behind them.
//!
//! kubectl splits a key at changes of case and capitalises the parts, each release a little
//! differently (kubectl `pkg/describe/describe.go`, `smartLabelFor`, changed in 1.35 and 1.36), and
//! prints a key that holds digits or signs as it is. Known fields are found by
//! [`crate::grammar::schema::Schema::field_folded`]; here is the guess for the user's own.

use smol_str::SmolStr;

/// Says whether kubectl could have printed this as the label of a field.
pub(super) fn is_plausible(label: &str) -> bool {
    if label.is_empty() || label.starts_with('-') || label.contains("  ") {
        return false;
    }
    if is_verbatim(label) {
        return !label.contains(' ');
    }
    label.split(' ').all(|part| part == "-" || part.starts_with(|c: char| !c.is_lowercase()))
}

/// Says whether kubectl prints such a key as it is: one that holds more than letters and dashes.
pub(super) fn is_verbatim(label: &str) -> bool {
    label.chars().any(|c| !c.is_alphabetic() && c != '-' && c != ' ')
}

/// Guesses the key behind a label: as it stands if it is verbatim, else in camel case.
pub(super) fn guess_key(label: &str) -> SmolStr {
    if is_verbatim(label) || label.is_empty() {
        return label.into();
    }
    let mut key = String::with_capacity(label.len());
    // A part is lowered where a name begins: at the front and after a dash.
    let mut begins = true;
    for part in label.split(' ').filter(|part| !part.is_empty()) {
        if part == "-" {
            key.push('-');
            begins = true;
        } else if begins {
            push_lowered(&mut key, part);
            begins = false;
        } else {
            key.push_str(part);
        }
    }
    key.into()
}

/// Lowers an acronym as a whole (`API`, `UID`), of anything else the first letter.
fn push_lowered(key: &mut String, part: &str) {
    if part.chars().all(char::is_uppercase) {
        key.extend(part.chars().flat_map(char::to_lowercase));
        return;
    }
    let mut letters = part.chars();
    key.extend(letters.next().into_iter().flat_map(char::to_lowercase));
    key.push_str(letters.as_str());
}

/// Returns the key with its first letter as a capital.
pub(super) fn capitalised(key: &str) -> SmolStr {
    let mut letters = key.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_guessed_in_camel_case() {
        for (label, key) in [
            ("API Version", "apiVersion"),
            ("UID", "uid"),
            ("Host I Ps", "hostIPs"),
            ("App - Name", "app-name"),
            ("Environment", "environment"),
            ("app.kubernetes.io/name", "app.kubernetes.io/name"),
            ("x509Cert", "x509Cert"),
        ] {
            assert_eq!(&*guess_key(label), key);
        }
    }

    #[test]
    fn prose_is_no_label() {
        assert!(is_plausible("Last Transition Time"));
        assert!(is_plausible("web-app.yaml"));
        assert!(!is_plausible("the binding of the updating cluster"));
        assert!(!is_plausible("spec.replicas must be"));
    }
}
