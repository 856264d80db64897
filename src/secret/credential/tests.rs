//! Forty kinds of credentials that must not be shown, and neighbours of them that must.

use super::*;

/// Texts in which `CANARY` stands in the credential, or at its end.
const CREDENTIALS: [&str; 56] = [
    "token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJDQU5BUlkifQ.CANARY end",
    "Authorization: Bearer abcdefghCANARY0123456789",
    "authorization: Basic dXNlcjpwYXNzCANARY==",
    "Proxy-Authorization: Digest CANARY0123456789abc",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIECANARY\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\\nMIIECANARY\\n-----END PRIVATE KEY-----",
    "-----BEGIN EC PRIVATE KEY----- MIIECANARY",
    "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbCANARY\n",
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\nCANARY",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\nCANARY",
    "client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSCANARY",
    "x LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCANARY== y",
    "id: b3BlbnNzaC1rZXktdjEAAAACANARY",
    "password: CANARY",
    "DB_PASSWORD=CANARYx1",
    "\"password\":\"CANARY with blanks\"",
    "\\\"password\\\":\\\"CANARYescaped\\\"",
    "passwd = 'CANARY word'",
    "passphrase: CANARY",
    "Server=tcp:db;User ID=sa;Pwd=CANARY!42;Encrypt=True",
    "Server=db;Uid=u;Password=CANARY;",
    "client_secret=CANARY0abc",
    "clientSecret: CANARY8Q~x",
    "api_key=CANARY",
    "apiKey: CANARY",
    "x-api-key: CANARY",
    "access_key: CANARY",
    "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/CANARY",
    "aws AKIACANARY0123456789 id",
    "aws ASIACANARY0123456789 id",
    "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=CANARY==;EndpointSuffix=x",
    "Endpoint=sb://x/;SharedAccessKeyName=root;SharedAccessKey=CANARY=",
    "https://x.blob.core.windows.net/c?sv=2022&sig=CANARY%2Fabc0",
    "SharedAccessSignature: CANARY0sig",
    "abc8Q~CANARYCANARYCANARYCANARYCANARYCA12",
    "postgres://app:CANARY@db:5432/x",
    "mongodb+srv://app:CANARY@db/x",
    "redis://:CANARY@cache:6379",
    "amqp://guest:CANARY@mq",
    "https://user:CANARY@git.example.com/repo.git",
    "jdbc:mysql://db/x?user=u&password=CANARY",
    "{\"auths\":{\"r.io\":{\"auth\":\"dXNlcjpwQ0FOCANARY==\"}}}",
    ".dockerconfigjson: eyJhdXRocyI6eyJyLmlvIjp7ImF1dGgiOiJDCANARY",
    "ghp_CANARYcanaryCANARYcanary0123456789ab",
    "github_pat_11CANARYcanaryCANARYcanary",
    "glpat-CANARYcanary0123456789",
    "xoxb-1234567890-CANARY",
    "https://hooks.slack.com/services/T000/B000/CANARY",
    "AIzaCANARYCANARYCANARYCANARYCANARY01234",
    "ya29.CANARYCANARYCANARY0123456789",
    "hvs.CANARYCAESIJcanarycanarycanary",
    "npm_CANARYCANARYCANARYCANARYCANARY012345",
    "sk_live_CANARY0123456789",
    "SG.CANARY0123456789abcdef.CANARY0123456789abcdef",
    "$2y$10$CANARY0123456789abcdefghijk",
    "data[password]: Invalid value: \"CANARY\": must be base64",
];

/// Texts that look alike and are harmless.
const HARMLESS: [&str; 16] = [
    "automountServiceAccountToken: false",
    "secretName: db-creds",
    "secret \"db-creds\" not found",
    "couldn't get secret: namespaces not found",
    "error decoding token: unexpected end of input",
    "resourceSnapshotName: web-1-snapshot",
    "https://kubefleet.dev/docs/concepts",
    "key: kubernetes-fleet.io/parent-CRP",
    "imagePullSecrets: []",
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
        .iter()
        .map(|text| (text, hide_credentials(text)))
        .filter(|(_, shown)| shown.contains("CANARY"))
        .collect();
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
