//! A look over a JSON text: where its objects are and what they are about.
//!
//! Owns the quick walk from bracket to bracket that reads nothing but heads, so that an object that
//! nobody wants is not parsed. Whatever it does not understand it leaves to the full reader.
//! Invariant: for well-formed text, the objects and heads are those that the full reader finds.

mod printed_item;

use std::borrow::Cow;

use memchr::memchr3;
use smol_str::SmolStr;

use super::lexeme::{blanks, string};
use crate::syntax::DocumentHead;
use crate::syntax::flatten_lists::inherit;
use crate::syntax::list_items::{ListItem, Parts};
use printed_item::printed_item;

/// What a text is made of.
pub(super) enum JsonOutline {
    /// One object.
    Object(ListItem),
    /// A list or an array of objects.
    List(Parts),
}

/// Looks over the text that begins at `start`; also returns where it ends.
pub(super) fn skim(text: &str, start: usize) -> Option<(JsonOutline, usize)> {
    let mut skimmer = Skimmer { text, at: start };
    let (list, items) = match skimmer.peek()? {
        b'{' => {
            let mut items = None;
            let mut seen = Vec::new();
            let head = skimmer.object(&mut |skimmer, key| {
                // A key that stands twice is for the full reader to report.
                let repeated = seen.contains(key);
                seen.push(key.clone());
                if repeated {
                    return None;
                }
                if key == "items" && skimmer.peek() == Some(b'[') {
                    items = Some(skimmer.array()?);
                    return Some(());
                }
                skimmer.value()
            })?;
            let list = head.kind.as_deref().is_some_and(|kind| kind.ends_with("List"));
            match items {
                Some(items) if list => (head, items),
                _ if list || head.kind.is_none() => return None,
                _ => {
                    let (end, range) = (skimmer.at, start..skimmer.at);
                    let part = ListItem { content: range.clone(), range, head: Some(head) };
                    return Some((JsonOutline::Object(part), end));
                }
            }
        }
        b'[' => (DocumentHead::default(), skimmer.array()?),
        _ => return None,
    };
    let mut parts = Parts { list, items };
    let heads = parts.items.iter_mut().filter_map(|part| part.head.as_mut());
    heads.for_each(|head| inherit(head, &parts.list));
    Some((JsonOutline::List(parts), skimmer.at))
}

/// Returns where a value ends that begins at a place.
pub(super) fn end_of_value(text: &str, at: usize) -> Option<usize> {
    let mut skimmer = Skimmer { text, at };
    skimmer.value()?;
    Some(skimmer.at)
}

struct Skimmer<'t> {
    text: &'t str,
    at: usize,
}

/// Steps over the value of a key.
type Visit<'t, 'f> = &'f mut dyn FnMut(&mut Skimmer<'t>, &Cow<'t, str>) -> Option<()>;

impl<'t> Skimmer<'t> {
    /// Steps over an object and reads its head; `other` steps over the values beside the head.
    fn object(&mut self, other: Visit<'t, '_>) -> Option<DocumentHead> {
        let mut head = DocumentHead::default();
        let mut seen_metadata = false;
        self.entries(&mut |skimmer, key| match &**key {
            "apiVersion" if head.api_version.is_none() => skimmer.text_into(&mut head.api_version),
            "kind" if head.kind.is_none() => skimmer.text_into(&mut head.kind),
            "metadata" if !seen_metadata && skimmer.peek() == Some(b'{') => {
                seen_metadata = true;
                let DocumentHead { name, namespace, .. } = &mut head;
                skimmer.entries(&mut |skimmer, key| match &**key {
                    "name" if name.is_none() => skimmer.text_into(name),
                    "namespace" if namespace.is_none() => skimmer.text_into(namespace),
                    _ => skimmer.value(),
                })
            }
            _ => other(skimmer, key),
        })?;
        Some(head)
    }

    /// Steps over an array of objects.
    fn array(&mut self) -> Option<Vec<ListItem>> {
        let mut items = Vec::new();
        self.at += 1;
        self.skip_blanks();
        while self.peek()? != b']' {
            let start = self.at;
            if self.peek()? != b'{' {
                return None;
            }
            if let Some((head, end)) = printed_item(self.text, start) {
                items.push(ListItem { range: start..end, content: start..end, head: Some(head) });
                self.at = end;
                self.comma(b']')?;
                continue;
            }
            let head = self.object(&mut |skimmer, _| skimmer.value());
            if head.is_none() {
                // A broken item ends where its brackets say, so that it does not take the rest along.
                self.at = start;
                self.value()?;
            }
            items.push(ListItem { range: start..self.at, content: start..self.at, head });
            self.comma(b']')?;
        }
        self.at += 1;
        Some(items)
    }

    /// Steps over the entries of an object, `visit` over each value.
    fn entries(&mut self, visit: Visit<'t, '_>) -> Option<()> {
        self.at += 1;
        self.skip_blanks();
        while self.peek()? != b'}' {
            let key = self.string()?;
            self.skip_blanks();
            if self.peek()? != b':' {
                return None;
            }
            self.at += 1;
            self.skip_blanks();
            visit(self, &key)?;
            self.comma(b'}')?;
        }
        self.at += 1;
        Some(())
    }

    /// Steps over a comma that something follows, or up to the closing bracket.
    fn comma(&mut self, bracket: u8) -> Option<()> {
        self.skip_blanks();
        if self.peek()? == b',' {
            self.at += 1;
            self.skip_blanks();
            return (self.peek()? != bracket).then_some(());
        }
        (self.peek()? == bracket).then_some(())
    }

    fn text_into(&mut self, field: &mut Option<SmolStr>) -> Option<()> {
        *field = Some(self.string()?.into());
        Some(())
    }

    fn string(&mut self) -> Option<Cow<'t, str>> {
        let (rest, text) = string(self.text.get(self.at..)?.strip_prefix('"')?).ok()?;
        self.at = self.text.len() - rest.len();
        Some(text)
    }

    /// Steps over any value without looking into it.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            self.skip_indifferent();
            match self.peek()? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b',' | b'}' | b']' if depth == 0 => return Some(()),
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// Steps over what is neither a string nor a bracket nor a comma: indentation, most of it.
    fn skip_indifferent(&mut self) {
        let mut rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        loop {
            while let Some((b"        ", behind)) = rest.split_first_chunk::<8>() {
                rest = behind;
            }
            match rest {
                [b'"' | b'{' | b'}' | b'[' | b']' | b',', ..] | [] => break,
                [_, behind @ ..] => rest = behind,
            }
        }
        self.at = self.text.len() - rest.len();
    }

    /// Steps over a string; one that runs over the end of a line has lost its closing quote.
    fn skip_string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            let found = memchr3(b'"', b'\\', b'\n', rest)?;
            self.at += found + 1;
            match rest.get(found)? {
                b'"' => return Some(()),
                b'\\' => self.at += 1,
                _ => return None,
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        self.at += blanks(self.text.get(self.at..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests;
