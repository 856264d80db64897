//! [`Told`]: what the rules have told, for those that look at what is left.
//!
//! Most rules look for one fault. A few look for what no rule has a word for: they run after all others and see
//! what those explained, so that none of them keeps a list of what another one knows.

use std::collections::BTreeSet;

use crate::finding::{Finding, Topic};
use crate::model::read::Text;

/// What the findings of the other rules explain.
#[derive(Debug, Default)]
pub struct Told {
    explained: BTreeSet<Topic>,
}

impl Told {
    /// Collects what findings explain.
    pub fn by<'f>(findings: impl IntoIterator<Item = &'f Finding>) -> Self {
        let topics = findings.into_iter().flat_map(|finding| finding.explains.iter().cloned());
        Self { explained: topics.collect() }
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
