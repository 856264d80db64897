//! [`Explained`]: what the rules so far have explained, for rules that report the rest.
//!
//! Most rules look for one fault. A few look for what no rule has a word for: they run after all others and see
//! what those explained, so that none of them keeps a list of what another one knows.

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::FixedState;

use crate::finding::{Finding, Topic};
use crate::model::key::ObjectKey;
use crate::model::read::Text;
use crate::source::Span;

/// What the findings of the other rules explain.
#[derive(Debug, Default)]
pub struct Explained {
    explained: HashSet<Topic, FixedState>,
    about: HashSet<Topic, FixedState>,
    /// The places that findings point at, in the order of the bundle.
    places: BTreeSet<Span>,
}

impl Explained {
    /// Adds what findings explain.
    pub fn add<'f>(&mut self, findings: impl IntoIterator<Item = &'f Finding>) {
        for finding in findings {
            self.explained.extend(finding.explains.iter().cloned());
            self.about.extend(finding.about.iter().cloned());
            let labels = std::iter::once(&finding.primary).chain(&finding.related);
            self.places.extend(labels.map(|label| label.span));
        }
    }

    /// Says whether a finding speaks of a matter: as what it is about, or as what it explains.
    pub fn concerns(&self, topic: &Topic) -> bool {
        self.explained.contains(topic) || self.about.contains(topic)
    }

    /// Says whether no rule has found anything.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Says whether a finding speaks of a matter like this.
    pub fn any(&self, is_it: impl Fn(&Topic) -> bool) -> bool {
        self.explained.iter().chain(&self.about).any(is_it)
    }

    /// Returns the objects that findings speak of, in no order.
    pub fn objects(&self) -> impl Iterator<Item = &ObjectKey> {
        self.explained.iter().chain(&self.about).filter_map(Topic::object)
    }

    /// Says whether a finding points at something within a text.
    pub fn points_into(&self, text: Span) -> bool {
        let from = self.places.range(text.start()..);
        from.take_while(|place| place.source == text.source && place.lo <= text.hi)
            .any(|place| text.contains(*place))
    }

    /// Says whether a finding explains a matter.
    pub fn explains(&self, topic: &Topic) -> bool {
        self.explained.contains(topic)
    }

    /// Says whether a finding tells what the words of a message mean.
    pub fn explains_words(&self, message: &Text) -> bool {
        self.explains(&Topic::Message(message.span))
    }
}
