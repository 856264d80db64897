//! [`Pages`]: where the pages of rules stand in the web, if anywhere.
//!
//! Owns what counts as an address: it goes into terminals, where a control character would steer, and into reports of
//! other programs. Invariant: an address holds nothing but the characters of a URL.

use std::sync::Arc;

/// Where the code of a rule stands in an address; without it the code is the last part of the path.
const CODE: &str = "{code}";
/// Longer addresses are none.
const LONGEST: usize = 500;

/// Where the pages of rules stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pages {
    base: Option<Arc<str>>,
}

impl Pages {
    /// Takes an address, or says what is wrong with it.
    pub fn new(address: &str) -> Result<Self, &'static str> {
        let is_sound = |c: char| c.is_ascii_alphanumeric() || "-._~:/?#@!$&*+,;=%".contains(c);
        let plain = address.replacen(CODE, "", 1);
        let host = ["https://", "http://"].iter().find_map(|scheme| plain.strip_prefix(scheme));
        match host {
            None => Err("it has to begin with https:// or http://"),
            Some(host) if host.is_empty() || host.starts_with('/') => Err("it names no host"),
            Some(_) if address.len() > LONGEST => Err("it is too long"),
            Some(_) if !plain.chars().all(is_sound) => {
                Err("it holds a character that is not allowed in an address")
            }
            Some(_) => Ok(Self { base: Some(address.into()) }),
        }
    }

    /// Returns the pages of this build: those below the home page that the package names, if it names one.
    pub fn of_build() -> Self {
        let home = option_env!("CARGO_PKG_HOMEPAGE").unwrap_or_default().trim_end_matches('/');
        Self::new(&format!("{home}/rules/{CODE}")).unwrap_or_default()
    }

    /// Returns the address of the page of a rule, if there are pages.
    pub fn of_rule(&self, code: &str) -> Option<String> {
        let base = self.base.as_deref()?;
        Some(match base.contains(CODE) {
            true => base.replacen(CODE, code, 1),
            false => format!("{}/{code}", base.trim_end_matches('/')),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Pages;

    #[test]
    fn the_code_stands_where_the_address_says() {
        let of = |address: &str| Pages::new(address).ok().and_then(|it| it.of_rule("FL0501"));
        let at = |address: &str| of(address).unwrap_or_default();
        assert_eq!(at("https://a.example/rules/"), "https://a.example/rules/FL0501");
        assert_eq!(
            at("https://a.example/r/{code}.html#top"),
            "https://a.example/r/FL0501.html#top"
        );
        assert_eq!(Pages::default().of_rule("FL0501"), None);
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "",
            "a.example/rules",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "https://",
            "https:///x",
            "https://a.example/\u{1b}]8;;x",
            "https://a.example/\u{7}",
            "https://a.example/a b",
            "https://a.example/\"><b>",
            "https://a.example/{code}/{code}",
        ] {
            assert!(Pages::new(text).is_err(), "{text:?}");
        }
        assert!(Pages::new(&format!("https://a.example/{}", "a".repeat(600))).is_err());
    }
}
