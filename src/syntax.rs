//! Text to trees: what is in a file, and where.
//!
//! Owns detection (which parts of a file are what) and the parsers. All object syntaxes become the
//! same [`tree::Node`]; log parts become [`LogSection`]s for the log reader. It does not know what a
//! field means, only how the schema of [`crate::grammar`] types it.
//! Invariant: a part that cannot be parsed becomes a [`Problem`], never an error and never a panic.

mod blanks;
pub mod compare;
mod condition_hints;
pub mod describe;
pub mod detect;
pub mod edit;
mod entries;
mod flatten_lists;
pub mod json;
mod klog;
mod list_items;
pub mod log;
pub mod node_path;
pub mod projection;
#[cfg(test)]
mod read_for_tests;
mod shallow_lines;
pub mod subspan;
pub mod table;
pub mod text_view;
pub(crate) mod transcript;
pub mod tree;
mod tree_builder;
mod truncation;
mod way_back;
pub mod yaml;

use std::sync::Arc;

use crate::grammar::kind::{KindSpec, find_own_kind};
use crate::source::Span;
use smol_str::SmolStr;
use transcript::rejection::reason_start;
use tree::Node;

/// The form in which a document was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Syntax {
    /// YAML, from `-o yaml` or a manifest.
    Yaml,
    /// JSON, from `-o json`, `--raw` or a log line.
    Json,
    /// `kubectl describe` of a custom resource, or a fragment of one.
    Describe,
    /// `kubectl describe` of a built-in kind (Pod, Deployment, …).
    DescribeBuiltin,
    /// A row of a `kubectl get` table.
    Table,
}

/// What the surroundings of a document say about it: a hint, never a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context {
    /// The command that printed it, where a prompt line was kept.
    pub command: Option<Span>,
    /// The kind named by the command, as a kind name where it is known.
    pub kind: Option<SmolStr>,
    /// The object named by the command.
    pub name: Option<SmolStr>,
    /// The namespace named by the command.
    pub namespace: Option<SmolStr>,
    /// The cluster that the command talked to: `--context`, or an earlier `use-context`.
    pub cluster: Option<SmolStr>,
    /// What the command printed of the object, where it printed a part.
    pub projection: Option<Box<projection::Projection>>,
}

/// What a document is about, as far as a look at its first lines tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentHead {
    /// `apiVersion`.
    pub api_version: Option<SmolStr>,
    /// `kind`, corrected to a known kind where only that makes sense (see [`Document::problems`]).
    pub kind: Option<SmolStr>,
    /// `metadata.namespace`.
    pub namespace: Option<SmolStr>,
    /// `metadata.name`.
    pub name: Option<SmolStr>,
}

impl DocumentHead {
    /// Finds the kind, unless it is that of another project under the same name.
    pub fn find_kind(&self) -> Option<&'static KindSpec> {
        find_own_kind(self.api_version.as_deref(), self.kind.as_deref()?)
    }
}

/// One object, fragment or table row found in a file.
#[derive(Clone, Debug)]
pub struct Document {
    /// All of its text.
    pub span: Span,
    /// How it was written.
    pub syntax: Syntax,
    /// The kind, name and scope that its text states.
    pub head: DocumentHead,
    /// What the text around it says.
    pub context: Context,
    /// Its tree, rooted at the object (so `spec` and `status` are keys of it, also for fragments);
    /// `None` when the document was not wanted and only counted, or could not be parsed at all. Shared with
    /// whatever is made of it, since trees are most of what a dump takes in memory.
    pub root: Option<Arc<Node>>,
    /// Whether it is an item of a list, a table or a describe of many: then what is not there did not exist.
    pub listed: bool,
    /// Whether text is known to be missing: then an absent field proves nothing.
    pub partial: bool,
    /// The comments in it, for suppressions.
    pub comments: Vec<Span>,
    /// What went wrong while reading it.
    pub problems: Vec<Problem>,
}

/// Something that could not be read as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What kind of trouble it is.
    pub kind: ProblemKind,
    /// The text that could not be read.
    pub span: Span,
    /// A second place (the first use of a duplicate key).
    pub other: Option<Span>,
    /// The trouble in words, without the place.
    pub message: String,
}

/// The kinds of trouble a parser reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProblemKind {
    /// The text is not well-formed; what stood before it was kept.
    Malformed,
    /// A key occurs twice in one map; the first value was kept.
    DuplicateKey,
    /// The file ends in the middle of a document.
    Truncated,
    /// A limit of depth, size or number was reached.
    TooLarge,
    /// The kind is misspelt and was read as the nearest known one.
    MisspeltKind,
    /// Indentation was lost and rebuilt from the schema.
    LostNesting,
    /// The blanks between the columns of a table were lost, and with them which cell is which.
    LostColumns,
    /// The text is a template (Helm, kustomize, shell variables), not a manifest.
    Template,
}

impl ProblemKind {
    /// Says whether something that was there may be missing from the tree, or from the list around it.
    pub fn loses_text(self) -> bool {
        matches!(self, Self::Malformed | Self::Truncated | Self::TooLarge | Self::LostColumns)
    }
}

/// Lines of a file that are controller log, to be read by the log reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogSection {
    /// The lines, whole.
    pub span: Span,
    /// Its text as the agent wrote it, where a mail or a chat has changed it.
    pub mended: Option<text_view::Detached>,
}

/// Proof that something was asked for and was not there: a line that kubectl wrote to standard error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absence {
    /// How much is missing.
    pub what: Absent,
    /// The kind, as a kind name where it is known.
    pub kind: Option<SmolStr>,
    /// The object, for [`Absent::Object`].
    pub name: Option<SmolStr>,
    /// The namespace that was asked in; `None` for a cluster-scoped kind and for all namespaces.
    pub namespace: Option<SmolStr>,
    /// The cluster that was asked: `--context`, or an earlier `use-context`.
    pub cluster: Option<SmolStr>,
    /// Where the line stands.
    pub span: Span,
}

/// How much an [`Absence`] denies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absent {
    /// One object: `… "x" not found`.
    Object,
    /// Every object of the kind: `No resources found`.
    All,
    /// The kind itself: the API server does not serve it.
    Type,
}

/// A request that was not carried out, by the answer of kubectl or of the API server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The answer, on one line.
    pub words: SmolStr,
    /// The kind of the object, as a kind name where it is known.
    pub kind: Option<SmolStr>,
    /// The object.
    pub name: Option<SmolStr>,
    /// Its namespace.
    pub namespace: Option<SmolStr>,
    /// The cluster that was asked: `--context`, or an earlier `use-context`.
    pub cluster: Option<SmolStr>,
    /// The lines of the answer.
    pub span: Span,
    /// Of these, what was wrong.
    pub reason_span: Span,
}

impl Rejection {
    /// Returns the words behind what kubectl and the API server put in front of every answer.
    pub fn reason(&self) -> &str {
        self.words.get(reason_start(&self.words)..).unwrap_or(&self.words)
    }
}

/// Everything that was found in one source.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// Objects, fragments and table rows in file order.
    pub documents: Vec<Document>,
    /// Log lines between them.
    pub logs: Vec<LogSection>,
    /// What kubectl said is not there.
    pub absences: Vec<Absence>,
    /// What was asked for and not done.
    pub rejections: Vec<Rejection>,
    /// Trouble outside of any document.
    pub problems: Vec<Problem>,
}

/// Decides by its head whether a document is parsed in full or only counted.
///
/// `Sync`, because files are parsed in parallel.
pub type DocumentFilter<'w> = &'w (dyn Fn(&DocumentHead) -> bool + Sync);
