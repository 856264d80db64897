//! [`Draft`]: a typed object of the files, beside the manifest it was read from.

use std::ops::Deref;

use super::{FileRole, Manifest, Repository};
use crate::grammar::kind::Kind;
use crate::model::object::Typed;
use crate::model::strategy::Strategy;
use crate::model::{placement::Placement, run::Run};

/// An object as the API server would store it. What is particular to a manifest (its role, its fixes, the
/// server's rules for its version, the object it replaces) is asked of [`Draft::manifest`].
#[derive(Debug)]
pub struct Draft<'r, T> {
    /// The manifest.
    pub manifest: &'r Manifest,
    /// The object, the same type as in a capture.
    pub object: &'r T,
}

impl<T> Clone for Draft<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Draft<'_, T> {}

impl<T> Deref for Draft<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.object
    }
}

impl<'r, T: Typed> Draft<'r, T> {
    /// Takes a manifest as an object of a family.
    pub fn of(manifest: &'r Manifest) -> Option<Self> {
        Some(Self { manifest, object: T::of(&manifest.object)? })
    }

    /// Returns the stored object that it replaces.
    pub fn before(&self) -> Option<&'r T> {
        self.manifest.before.as_ref().and_then(|before| T::of(&before.object))
    }

    /// Returns its name.
    pub fn name(&self) -> &'r str {
        self.manifest.name()
    }

    /// Returns kind and name for a sentence.
    pub fn show(&self) -> String {
        format!("{} {}", self.manifest.key.kind, self.name())
    }

    /// Says whether it is to be judged, and not only there to look things up in.
    pub fn is_judged(&self) -> bool {
        self.manifest.role == FileRole::Judged
    }

    /// Says whether it does not exist yet, as far as is known.
    pub fn is_new(&self) -> bool {
        self.manifest.before.is_none()
    }
}

impl Repository {
    /// Returns all objects of a family that will be there, judged or not.
    pub fn all<'r, T: Typed + 'r>(&'r self) -> impl Iterator<Item = Draft<'r, T>> {
        self.present().filter_map(Draft::of)
    }

    /// Finds the placement that a run names, in the run's own scope, if the two are applied together.
    pub fn placement_of(&self, run: Draft<'_, Run>) -> Option<Draft<'_, Placement>> {
        let kind = Kind::Placement.in_scope(run.manifest.scope());
        self.find_beside(run.manifest, kind, run.placement.as_deref()?).and_then(Draft::of)
    }

    /// Finds the strategy that a run names, in the run's own scope, if the two are applied together.
    pub fn strategy_of(&self, run: Draft<'_, Run>) -> Option<Draft<'_, Strategy>> {
        let kind = Kind::Strategy.in_scope(run.manifest.scope());
        self.find_beside(run.manifest, kind, run.strategy.as_deref()?).and_then(Draft::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Setting;
    use crate::source::{Encoding, Origin, Sources};

    const HEAD: &str = "apiVersion: placement.kubernetes-fleet.io/v1beta1\nmetadata: {name: x}\n";

    /// Reads one manifest of a kind with the given spec.
    fn read(kind: &str, spec: &str) -> Repository {
        let mut sources = Sources::default();
        let text = format!("{HEAD}kind: {kind}\nspec:\n{spec}");
        sources.add("a.yaml", Origin::default(), Encoding::Utf8, text);
        Repository::read(&sources, &[FileRole::Judged], Setting::default())
    }

    #[test]
    fn what_the_server_fills_in_stands_at_its_parent() {
        let repository = read("ClusterStagedUpdateRun", "  placementName: p\n");
        let run = repository.all::<Run>().next().expect("a run");
        let state = run.state.as_ref().expect("the default");
        assert_eq!(&**state, "Initialize");
        assert!(state.is_default());
        assert_eq!(state.pointer(), "/spec/state");
        let spec = run.meta.spec().expect("a spec").key_place();
        assert_eq!(state.place().span, spec.span);
        let placement = run.placement.as_ref().expect("a name");
        assert!(!placement.is_default());
    }

    #[test]
    fn absent_and_malformed_are_told_apart() {
        let repository = read(
            "ClusterStagedUpdateStrategy",
            "  stages:\n  - name: a\n  - {name: 5, labelSelector: all}\n  - {name: c, labelSelector: null}\n",
        );
        let strategy = repository.all::<Strategy>().next().expect("a strategy");
        let absent = |stage: usize| {
            let place = strategy.stages[stage].site.absent("labelSelector");
            place.map(|place| (place.path.field, place.path.pointer))
        };
        let field = |field: &str, pointer: &str| Some((field.to_owned(), pointer.to_owned()));
        assert_eq!(
            absent(0),
            field("spec.stages[a].labelSelector", "/spec/stages/0/labelSelector")
        );
        assert_eq!(absent(1), None, "it is there, and somebody else says what is wrong with it");
        assert_eq!(
            absent(2),
            field("spec.stages[c].labelSelector", "/spec/stages/2/labelSelector")
        );
        let malformed = &strategy.stages[1];
        assert!(malformed.name.is_none(), "a number is no name");
        assert!(malformed.selector.as_ref().is_some_and(|selector| selector.malformed));
    }

    #[test]
    fn a_selector_with_an_unreadable_part_says_nothing() {
        let malformed = |selector: &str| {
            let spec = format!("  stages:\n  - {{name: a, labelSelector: {selector}}}\n");
            let repository = read("ClusterStagedUpdateStrategy", &spec);
            let strategy = repository.all::<Strategy>().next().expect("a strategy");
            strategy.stages[0].selector.as_ref().expect("a selector").malformed
        };
        assert!(!malformed("{}"));
        assert!(!malformed(
            "{matchLabels: {a: b}, matchExpressions: [{key: a, operator: Exists}]}"
        ));
        assert!(malformed("{matchLabels: {a: 1}}"));
        assert!(malformed("{matchLabels: [a]}"));
        assert!(malformed("{matchExpressions: [{key: a}]}"));
        assert!(malformed("{matchExpressions: {key: a, operator: Exists}}"));
    }

    #[test]
    fn shared_text_keeps_the_path_of_each_field() {
        let repository = read(
            "ClusterStagedUpdateStrategy",
            "  stages:\n  - {name: a, labelSelector: &all {}}\n  - {name: b, labelSelector: *all}\n",
        );
        let strategy = repository.all::<Strategy>().next().expect("a strategy");
        let pointers = strategy.stages.iter().filter_map(|stage| stage.selector.as_ref());
        let pointers: Vec<String> = pointers.map(|selector| selector.site.pointer()).collect();
        assert_eq!(pointers, ["/spec/stages/0/labelSelector", "/spec/stages/1/labelSelector"]);
    }
}
