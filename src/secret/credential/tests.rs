//! Forty kinds of credentials that must not be shown, and neighbours of them that must.

use super::super::zones;
use super::*;

/// Texts in which `CANARY` stands in the credential, or at its end; `⏎` stands for the end of a line.
const CREDENTIALS: &str = include_str!("../../../testdata/regress/credentials.txt");

/// Texts that look alike and are harmless.
const HARMLESS: [&str; 20] = [
    "automountServiceAccountToken: false",
    "secretName: db-creds",
    "secret \"db-creds\" not found",
    "couldn't get secret: namespaces not found",
    "error decoding token: unexpected end of input",
    "resourceSnapshotName: web-1-snapshot",
    "https://kubefleet.dev/docs/concepts",
    "key: kubernetes-fleet.io/parent-CRP",
    "imagePullSecrets: []",
    "the flag --password is required",
    "kubectl patch crp web --type merge -p '{\"spec\": {}}'",
    "kubectl create secret generic db --from-file=a.txt",
    "Error from server (NotFound): secrets \"db\" not found",
    "basic checks passed",
    "bearer of bad news",
    "matchLabels: {app: basic-auth}",
    "the author of the change",
    "see user@example.com",
    "ConfigMap a/b differs: /data/rounding is bank there",
    "ConfigMap \"x\" is invalid: data[3 ds]: Invalid value: \"3 ds\": a valid config key",
];

#[test]
fn no_credential_is_shown() {
    let shown: Vec<_> = CREDENTIALS
        .lines()
        .map(|text| hide_credentials(&text.replace('⏎', "\n")).into_owned())
        .filter(|shown| shown.contains("CANARY"))
        .collect();
    assert!(CREDENTIALS.lines().count() >= 40);
    assert!(shown.is_empty(), "{shown:#?}");
}

#[test]
fn what_is_harmless_stays() {
    for text in HARMLESS {
        assert_eq!(hide_credentials(text), text);
    }
}

#[test]
fn what_stands_around_a_credential_stays() {
    let pairs = [
        ("Authorization: Bearer abcdefghijklmnop123", "Authorization: Bearer ***"),
        ("password: hunter2hunter2", "password: ***"),
        ("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0.abc y", "x *** y"),
        ("postgres://u:p@h/db", "postgres://u:***@h/db"),
        ("{\"token\": \"abc123\", \"a\": 1}", "{\"token\": \"***\", \"a\": 1}"),
        ("Secret \"db\" invalid: \"Q0FOQVJZLXN1cGVy\"", "Secret \"db\" invalid: \"***\""),
        ("Secret a: /data/pin is \"abc\" there", "Secret a: /data/pin is \"***\" there"),
    ];
    for (text, want) in pairs {
        assert_eq!(hide_credentials(text), want);
    }
}

#[test]
fn the_name_of_a_secret_is_no_secret() {
    assert!(is_sensitive_name("DB_PASSWORD") && is_sensitive_name("api-token"));
    assert!(!is_sensitive_name("SECRET_NAME") && !is_sensitive_name("LOG_LEVEL"));
}

#[test]
fn what_is_not_hinted_at_is_no_credential() {
    const PARTS: [&str; 33] = [
        "Secret ",
        "secret",
        "ConfigMap ",
        "/data/a is ",
        "/stringData/a = ",
        "data[a]: ",
        "stringData.a",
        ": Invalid value: ",
        "{a: b1}",
        "\"Q0FOQVJZLXN1cGVy\"",
        "clientKey",
        "master_key",
        "signing-key-data",
        "Authorization",
        "sig",
        "=",
        "\\\\\" \u{a0}: ",
        "' :",
        "hunter2hunter2",
        "Basic\t",
        "digest ",
        "https://u:",
        "x1Y@h/",
        "ya29.abcdefghijklmnopqrstuvw ",
        "data ",
        "Not  found ",
        "Duplicate value ",
        "--db-",
        "token, ",
        "--from-literal=a=",
        "curl -u a:",
        "login a password ",
        "u:p@tcp(",
    ];
    let all = Hints { form: true, name: true, secret: true, program: true, zone: true };
    let agree = |text: &str| {
        assert_eq!(credentials(text), find_credentials(text, all), "{text}");
        assert!(Hints::of(text).zone || zones(text).is_empty(), "{text}");
    };
    for one in PARTS {
        for two in PARTS {
            for three in PARTS {
                agree(&format!("a {one}{two}{three}"));
                agree(&format!("{one} {two} {three}"));
            }
        }
    }
    CREDENTIALS.lines().chain(HARMLESS).for_each(agree);
}
