//! What a rule may ask about manifests before they are applied.

use super::Cx;
use crate::finding::{Finding, Layer, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::{Draft, Manifest, ManifestFault, Repository, Surroundings, Webhooks};
use crate::model::object::Typed;

impl<'g> Cx<'g> {
    /// Returns all manifests; none if the input is a capture.
    pub fn repository(&self) -> &'g Repository {
        self.world.repository()
    }

    /// Returns what is judged.
    pub fn judged(&self) -> impl Iterator<Item = &'g Manifest> + use<'g> {
        self.repository().judged()
    }

    /// Returns what is judged of a family, as far as its shape is known.
    pub fn of(&self, family: Kind) -> impl Iterator<Item = &'g Manifest> + use<'g> {
        self.note(family);
        let known = move |manifest: &&Manifest| {
            manifest.family() == Some(family) && manifest.schema.is_some()
        };
        self.repository().judged().filter(known)
    }

    /// Returns what is judged of a family, typed, as far as its shape is known.
    pub fn drafts<T: Typed + 'g>(&self) -> impl Iterator<Item = Draft<'g, T>> + use<'g, T> {
        self.of(T::KIND).filter_map(Draft::of)
    }

    /// Returns the faults of everything that is judged.
    pub fn faults(&self) -> impl Iterator<Item = (&'g Manifest, &'g ManifestFault)> + use<'g> {
        let faults = |manifest: &'g Manifest| manifest.faults.iter().map(move |f| (manifest, f));
        self.repository().judged().flat_map(faults)
    }

    /// Says that the webhook refuses something; where the hub has none, it is advice.
    pub fn refused_or_warned(&self, manifest: &Manifest, finding: Finding) -> Finding {
        match self.hook_layer(manifest) {
            Layer::Webhook => finding.layer(Layer::Webhook),
            _ => finding.layer(Layer::Advice).severity(Severity::Warning),
        }
    }

    /// Tells who refuses what a webhook would refuse: the webhook, where the hub has one for the
    /// kind, else nobody before a controller stumbles over it.
    pub fn hook_layer(&self, manifest: &Manifest) -> Layer {
        let hooked = manifest.family().is_some_and(|family| match family {
            Kind::Placement => manifest.is_cluster_scoped(),
            Kind::Override | Kind::MemberCluster | Kind::Eviction | Kind::DisruptionBudget => true,
            _ => false,
        });
        if hooked && self.has_webhooks() { Layer::Webhook } else { Layer::Controller }
    }

    /// Makes a note of a finding about something missing, where it is not known what else there is.
    pub fn missing(&self, finding: Finding) -> Finding {
        if self.knows_surroundings() { finding } else { finding.severity(Severity::Note) }
    }

    /// Makes a note of a finding that follows from the members described here, where these may be examples
    /// rather than the fleet.
    pub fn by_members(&self, finding: Finding) -> Finding {
        if self.repository().knows_fleet() { finding } else { finding.severity(Severity::Note) }
    }

    /// Makes a note of a finding about something missing, unless all that is stored is known.
    pub fn unless_elsewhere(&self, finding: Finding) -> Finding {
        let all = self.repository().setting.surroundings == Surroundings::Stored;
        if all { finding } else { finding.severity(Severity::Note) }
    }

    /// Says whether what is referred to and not here is missing.
    pub fn knows_surroundings(&self) -> bool {
        self.repository().setting.surroundings != Surroundings::Unknown
    }

    /// Says whether the hub has its webhooks.
    pub fn has_webhooks(&self) -> bool {
        self.repository().setting.webhooks == Webhooks::On
    }
}
