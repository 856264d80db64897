//! YAML events with byte ranges: the one file that names the parser crate.
//!
//! Owns the translation of its events, styles, tags and errors into our own, so that another
//! scanner can take its place. It leaves trees to [`super::from_events`].
//! Invariant: ranges count bytes of the text that was given, and lie on character borders.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{
    ErrorKind, Event as Raw, Options, Parser, ScalarStyle, ScanError, StrInput, StructureStyle, Tag,
};

use crate::syntax::tree_builder::MAX_DEPTH;

/// How a scalar was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarForm {
    /// Without quotes: the text decides about the type.
    Plain,
    /// In single or double quotes.
    Quoted,
    /// As a literal or folded block.
    Block,
}

/// What an explicit tag says about a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagHint {
    /// No tag, or one that is not YAML's own.
    None,
    /// `!!str` or `!`.
    Text,
    /// `!!binary`.
    Binary,
    /// `!!int`, `!!float`, `!!bool`, `!!null` or `!!timestamp`: typed as if written plain.
    Typed(&'static str),
    /// A tag of somebody else's: the server takes the text as it stands.
    Foreign,
}

/// One step through the text. An anchor of zero means none.
#[derive(Debug)]
pub(super) enum YamlEvent<'t> {
    DocumentStart,
    DocumentEnd,
    Scalar { text: Cow<'t, str>, form: ScalarForm, hint: TagHint, anchor: usize },
    MapStart { anchor: usize, flow: bool },
    MapEnd,
    ListStart { anchor: usize, flow: bool },
    ListEnd,
    Alias(usize),
    UnknownAlias(Cow<'t, str>),
    Comment,
}

/// Why a document could not be read to its end.
#[derive(Debug)]
pub(super) struct YamlError {
    /// Where, in bytes.
    pub(super) at: usize,
    /// What kind of trouble it is.
    pub(super) cause: YamlErrorKind,
    /// The trouble in words.
    pub(super) message: String,
}

/// The kinds of trouble that matter to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum YamlErrorKind {
    /// The text is not YAML.
    Syntax,
    /// Something that was opened is still open at the end of the text.
    Open,
    /// A comment touches what stands before it.
    Glued,
    /// A further line of a quoted text begins too far to the left.
    Margin,
    /// A limit was reached.
    Limit,
}

/// The events of a text, one document after another.
pub(super) struct Events<'t> {
    parser: Parser<'t, StrInput<'t>>,
}

impl<'t> Events<'t> {
    /// Starts at the first document of a text.
    pub(super) fn new(text: &'t str) -> Self {
        let mut options = Options::default();
        options.emit_unresolved_aliases = true;
        options.max_buffered_comment_events = 100_000;
        options.flow_nesting_limit = MAX_DEPTH;
        options.block_nesting_limit = MAX_DEPTH;
        Self { parser: Parser::new_from_str_with_options(text, options) }
    }

    /// Returns the next event, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Option<Result<(YamlEvent<'t>, Range<usize>), YamlError>> {
        loop {
            let (raw, span) = match self.parser.next_event()? {
                Ok(next) => next,
                Err(error) => return Some(Err(failure(&error))),
            };
            if let Some(event) = translate(raw) {
                return Some(Ok((event, span.byte_range().unwrap_or_default())));
            }
        }
    }

    /// Gives the current document up; says whether another one follows.
    pub(super) fn skip_document(&mut self) -> bool {
        self.parser.proceed_next_document().unwrap_or(false)
    }
}

fn translate(raw: Raw<'_>) -> Option<YamlEvent<'_>> {
    Some(match raw {
        Raw::DocumentStart(..) => YamlEvent::DocumentStart,
        Raw::DocumentEnd => YamlEvent::DocumentEnd,
        Raw::Scalar(text, style, anchor, tag) => {
            YamlEvent::Scalar { text, form: form(style), hint: hint(tag.as_deref()), anchor }
        }
        Raw::MappingStart(style, anchor, _) => {
            YamlEvent::MapStart { anchor, flow: style == StructureStyle::Flow }
        }
        Raw::MappingEnd => YamlEvent::MapEnd,
        Raw::SequenceStart(style, anchor, _) => {
            YamlEvent::ListStart { anchor, flow: style == StructureStyle::Flow }
        }
        Raw::SequenceEnd => YamlEvent::ListEnd,
        Raw::Alias(anchor) => YamlEvent::Alias(anchor),
        Raw::UnresolvedAlias(name) => YamlEvent::UnknownAlias(name),
        Raw::Comment(..) => YamlEvent::Comment,
        _ => return None,
    })
}

fn form(style: ScalarStyle) -> ScalarForm {
    match style {
        ScalarStyle::Plain => ScalarForm::Plain,
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => ScalarForm::Quoted,
        ScalarStyle::Literal | ScalarStyle::Folded => ScalarForm::Block,
    }
}

fn hint(tag: Option<&Tag>) -> TagHint {
    let Some(tag) = tag else { return TagHint::None };
    match tag.suffix_in_namespace("tag:yaml.org,2002:").as_deref() {
        Some("str") => TagHint::Text,
        Some("int") => TagHint::Typed("int"),
        Some("float") => TagHint::Typed("float"),
        Some("bool") => TagHint::Typed("bool"),
        Some("null") => TagHint::Typed("null"),
        Some("timestamp") => TagHint::Typed("timestamp"),
        Some("binary") => TagHint::Binary,
        None if tag.original() == "!" => TagHint::Text,
        _ => TagHint::Foreign,
    }
}

fn failure(error: &ScanError) -> YamlError {
    let cause = match error.kind() {
        ErrorKind::CommentNotSeparated => YamlErrorKind::Glued,
        ErrorKind::InvalidQuotedScalarIndent => YamlErrorKind::Margin,
        ErrorKind::RecursionLimitExceeded | ErrorKind::TooManyComments => YamlErrorKind::Limit,
        ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::UnexpectedEofBlockMapping
        | ErrorKind::UnexpectedEof
        | ErrorKind::UnclosedFlowCollection { .. }
        | ErrorKind::UnclosedQuotedScalar
        | ErrorKind::UnexpectedEndOfPlainScalar => YamlErrorKind::Open,
        _ => YamlErrorKind::Syntax,
    };
    let at = error.marker().byte_offset().unwrap_or_default();
    YamlError { at, cause, message: error.info() }
}
