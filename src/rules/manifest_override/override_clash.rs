//! FL1512 override-clash.

use crate::declare_rule;
use crate::finding::{Layer, Severity};
use crate::grammar::kind::Kind;
use crate::model::overrides::Override;
use crate::rule::Cx;

declare_rule! {
    /// An object that two overrides select.
    ///
    /// ## Why it matters
    /// Only one override of a kind may select an object, even if they are for different placements; the webhook
    /// refuses the second.
    ///
    /// ## What to do
    /// Merge the two overrides.
    pub static OVERRIDE_CLASH = Rule {
        code: "FL1512",
        name: "override-clash",
        severity: Severity::Error,
        layer: Layer::Controller,
        reads: &[Kind::Override],
        check: override_clash,
    }
}

/// Of how many others one override is told: whoever merges those is told of the rest.
const MOST_TOLD: usize = 10;

fn override_clash(cx: &mut Cx<'_>) {
    let repository = cx.repository();
    for item in cx.drafts::<Override>() {
        let key = &item.manifest.key;
        let others: Vec<_> = repository
            .all::<Override>()
            .filter(|other| {
                let its = &other.manifest.key;
                (&its.kind, &its.namespace) == (&key.kind, &key.namespace)
                    && its.name != key.name
                    && repository.is_together(item.manifest.span, other.manifest.span)
            })
            .collect();
        for selector in &item.object.selectors {
            let Some(identity) = selector.identity() else { continue };
            let taken = others.iter().filter_map(|other| {
                let mut theirs = other.selectors.iter();
                let taken = theirs.find(|it| it.identity().as_ref() == Some(&identity))?;
                Some((other, taken))
            });
            let taken = Vec::from_iter(taken);
            let untold = taken.len().saturating_sub(MOST_TOLD);
            for (number, (other, taken)) in taken.into_iter().take(MOST_TOLD).enumerate() {
                let more = match untold {
                    more if more > 0 && number + 1 == MOST_TOLD => format!(", and by {more} more"),
                    _ => String::new(),
                };
                let finding = OVERRIDE_CLASH
                    .at_field(&selector.site.place(), "selected here")
                    .also(taken.site.place().span, "and here")
                    .layer(cx.hook_layer(item.manifest))
                    .message(format!(
                        "{} {} is selected by both {} and {}{more}",
                        selector.kind.as_deref().unwrap_or_default(),
                        selector.name.as_deref().unwrap_or_default(),
                        item.name(),
                        other.name()
                    ))
                    .why("one object is overridden by one override: merge them");
                cx.report(finding);
            }
        }
    }
}
