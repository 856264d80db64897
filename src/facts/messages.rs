//! [`Messages`]: each message of the bundle is matched with the catalogue once, and the result is cached.
//!
//! The same words stand in a Work, in its binding and in its placement, and the header line, facts and rules all
//! ask for them. Taking a message apart is by far the dearest thing that is done with an object, so it is remembered.

use std::collections::HashMap;
use std::hash::BuildHasher as _;
use std::sync::{Arc, Mutex, PoisonError};

use foldhash::fast::RandomState;

use crate::grammar::message::{MessageContext, Recognised, recognise};
use crate::model::condition::Condition;
use crate::model::parsed_message::ParsedMessage;
use crate::model::read::Text;

/// So many threads can ask at once without waiting for each other, mostly.
const SHARDS: usize = 32;

type Shard<'g> = Mutex<HashMap<(&'g str, MessageContext<'g>), Arc<Recognised>, RandomState>>;

/// The messages of a bundle, as far as they have been taken apart.
#[derive(Debug, Default)]
pub struct Messages<'g> {
    shards: [Shard<'g>; SHARDS],
    hasher: RandomState,
}

impl<'g> Messages<'g> {
    /// Takes a message apart.
    pub fn recognise(&self, text: &'g str, hint: MessageContext<'g>) -> Arc<Recognised> {
        let Some(shard) = self.shard_of(text) else { return Arc::new(recognise(text, &hint)) };
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&(text, hint)) {
            return Arc::clone(known);
        }
        // Without the lock: two threads may do the same work, and none waits for it.
        let fresh = Arc::new(recognise(text, &hint));
        Arc::clone(lock().entry((text, hint)).or_insert(fresh))
    }

    /// Takes a text apart and keeps it beside its parts.
    pub fn said(&self, text: &'g Text, hint: MessageContext<'g>) -> ParsedMessage {
        ParsedMessage { text: text.clone(), parts: self.recognise(text, hint) }
    }

    /// Takes the message of a condition of an object of some kind apart.
    pub fn of_condition(&self, condition: &'g Condition, kind: &'g str) -> Option<ParsedMessage> {
        Some(self.said(condition.message.as_ref()?, condition.hint(kind)))
    }

    fn shard_of(&self, text: &str) -> Option<&Shard<'g>> {
        let hash = usize::try_from(self.hasher.hash_one(text) % 1024).unwrap_or_default();
        self.shards.get(hash % SHARDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_taken_apart_once_per_hint() {
        let messages = Messages::default();
        let text = "no placement".to_owned();
        let copy = text.clone();
        let hint = MessageContext { kind: Some("Work"), ..MessageContext::default() };
        let first = messages.recognise(&text, hint);
        assert!(Arc::ptr_eq(&first, &messages.recognise(&copy, hint)));
        assert!(!Arc::ptr_eq(&first, &messages.recognise(&text, MessageContext::default())));
    }
}
