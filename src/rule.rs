//! Rules: their declaration, and the door through which they see the bundle.
//!
//! Owns [`Rule`], `declare_rule!` and [`Cx`]. A rule is one function over a [`Cx`]; the context
//! records which kinds it asks for, and a test compares that with what the rule declares.

mod cx;

pub use cx::{Ask, Cx};

use crate::finding::{Certainty, Finding, Label, Severity};
use crate::grammar::kind::Kind;
use crate::source::Span;

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// A captured fleet (`analyze`).
    Bundle,
    /// Manifests before they are applied (`check`).
    Manifest,
}

/// One diagnosis that a user would act on.
#[derive(Debug)]
pub struct Rule {
    /// `FL` and four digits; never reused.
    pub code: &'static str,
    /// What is wrong, in kebab case, as it reads after "allow".
    pub name: &'static str,
    /// How bad it usually is.
    pub severity: Severity,
    /// What it looks at.
    pub scope: Scope,
    /// The kinds it reads; without any of the first one in the bundle it is not evaluated.
    pub reads: &'static [Kind],
    /// The page: the declaration's doc comment.
    pub page: &'static str,
    /// The judge.
    pub check: fn(&mut Cx<'_>),
}

impl Rule {
    /// Starts a finding of this rule at a place.
    pub fn at(&self, span: Span, text: impl Into<String>) -> Finding {
        Finding {
            code: self.code,
            name: self.name,
            severity: self.severity,
            certainty: Certainty::Shown,
            message: String::new(),
            help: String::new(),
            primary: Label { span, text: text.into(), subject: None, field: None },
            related: Vec::new(),
            recoverability: None,
            commands: Vec::new(),
            about: Vec::new(),
            explains: Vec::new(),
        }
    }

    /// Returns the first line of the page.
    pub fn summary(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default().trim()
    }
}

/// Declares a rule; its doc comment becomes the `explain` page.
#[macro_export]
macro_rules! declare_rule {
    (
        $(#[doc = $doc:literal])+
        pub static $id:ident = Rule {
            code: $code:literal,
            name: $name:literal,
            severity: $severity:expr,
            scope: $scope:expr,
            reads: $reads:expr,
            check: $check:expr $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        pub static $id: $crate::rule::Rule = $crate::rule::Rule {
            code: $code,
            name: $name,
            severity: $severity,
            scope: $scope,
            reads: $reads,
            page: concat!($($doc, "\n"),+),
            check: $check,
        };
    };
}
