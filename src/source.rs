//! Text with positions: the files of a bundle, and byte ranges into them.
//!
//! Owns [`Sources`], the append-only arena of everything that was read, and [`Span`], the one way in
//! which all other layers say "here". It knows nothing of Kubernetes or of syntaxes.
//! Invariant: a span always lies inside the text of its source, on character borders.

mod char_index;
mod file;
mod line_index;
mod span;
mod visible;

pub use file::{Encoding, Origin, Position, SourceFile, Sources};
pub use span::{SourceId, Span, Spanned};
pub use visible::{clean, clean_lines, is_clean, is_harmful};
