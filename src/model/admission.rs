//! Admission control of a member: webhook configurations and ValidatingAdmissionPolicies.

use super::meta::Meta;
use super::read::{Text, read_some, read_text};

/// The kinds that configure admission webhooks.
pub const WEBHOOK_CONFIGURATIONS: [&str; 2] =
    ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];

/// One of the `webhooks` of a configuration.
#[derive(Clone, Debug)]
pub struct AdmissionWebhook {
    /// `name`.
    pub name: Text,
    /// `clientConfig.service.namespace`; absent where a URL is called instead.
    pub service_namespace: Option<Text>,
}

impl AdmissionWebhook {
    /// Reads the webhooks of a configuration.
    pub fn all_of(configuration: &Meta) -> Vec<Self> {
        read_some(&configuration.root, "webhooks", |webhook| {
            let service = webhook.at(&["clientConfig", "service"]);
            Some(Self {
                name: read_text(webhook, "name")?,
                service_namespace: service.and_then(|service| read_text(service, "namespace")),
            })
        })
    }
}

/// One of the `spec.validations` of a ValidatingAdmissionPolicy.
#[derive(Clone, Debug)]
pub struct PolicyValidation {
    /// `expression`.
    pub expression: Option<Text>,
    /// `message`.
    pub message: Option<Text>,
}

impl PolicyValidation {
    /// Reads the validations of a policy.
    pub fn all_of(policy: &Meta) -> Vec<Self> {
        let spec = policy.root.get("spec");
        let read = |spec| {
            read_some(spec, "validations", |validation| {
                Some(Self {
                    expression: read_text(validation, "expression"),
                    message: read_text(validation, "message"),
                })
            })
        };
        spec.map(read).unwrap_or_default()
    }
}
