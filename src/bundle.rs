//! A bundle, opened: every source, and what was found in it.
//!
//! Owns the step from input to syntax: it takes each file from the input layer, decides by its first
//! block whether it is read whole or streamed as a log, and parses all of them in parallel.
//! Invariant: `parsed` has one entry per source, in the order of `sources`.

use rayon::prelude::*;

use crate::error::Error;
use crate::grammar::kind::{Kind, find_kind};
use crate::input::{InputPath, Limits, Member, Tally, Text, read_inputs};
use crate::source::{Encoding, Origin, Sources, Span};
use crate::syntax::{Head, Parsed, Wanted, detect};

/// Everything that was read, before it means anything.
#[derive(Debug, Default)]
pub struct Bundle {
    /// What the user named.
    pub inputs: Vec<String>,
    /// The files.
    pub sources: Sources,
    /// What each file holds, in the order of `sources`.
    pub parsed: Vec<Parsed>,
    /// What was not read, and why.
    pub refusals: Vec<Refused>,
    /// What was met on the way.
    pub tally: Tally,
}

/// A file that was not read, or not to its end.
#[derive(Debug)]
pub struct Refused {
    /// An empty place in a source that stands for the file.
    pub span: Span,
    /// Its path.
    pub path: String,
    /// Why it was not read.
    pub reason: String,
}

impl Bundle {
    /// Opens paths as the user gave them: directories, archives, files, `-`.
    pub fn open(paths: &[String]) -> Result<Self, Error> {
        let mut texts: Vec<(String, Option<Text>)> = Vec::new();
        let mut sink =
            |member: Member<'_>| texts.push((member.path.to_owned(), member.body.into_text()));
        let given: Vec<InputPath> = paths.iter().map(InputPath::from).collect();
        let outcome = read_inputs(&given, &Limits::default(), &mut sink)?;
        let mut sources = Sources::default();
        for ((path, text), origin) in texts.into_iter().zip(outcome.origins) {
            if let Some(text) = text {
                sources.add(path, origin, text.encoding, text.text);
            }
        }
        let refusals = outcome.refusals.into_iter().map(|refusal| {
            let id = sources.add(refusal.path.clone(), Origin::default(), Encoding::Utf8, "");
            let span = Span::new(id, 0, 0);
            Refused { span, path: refusal.path.into(), reason: refusal.reason.to_string() }
        });
        let refusals = refusals.collect();
        Ok(Self {
            inputs: paths.to_vec(),
            refusals,
            tally: outcome.tally,
            ..Self::parse(sources, &is_wanted)
        })
    }

    /// Parses sources that are in memory.
    pub fn parse(sources: Sources, wanted: Wanted<'_>) -> Self {
        let parse = |source| detect::parse_source(source, wanted);
        let parsed = sources.as_slice().par_iter().map(parse).collect();
        Self { sources, parsed, ..Self::default() }
    }

    /// Says whether nothing was recognised.
    pub fn is_empty(&self) -> bool {
        self.parsed.iter().all(|parsed| parsed.documents.is_empty() && parsed.logs.is_empty())
    }
}

/// Says whether an object is of a kind that some rule may read; what is in a Secret never is.
fn is_wanted(head: &Head) -> bool {
    let kind = head.kind.as_deref().and_then(find_kind);
    kind.is_some_and(|spec| spec.family != Kind::Secret)
}
