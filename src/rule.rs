//! Rules: their declaration, and [`Cx`], through which they read the input.
//!
//! Owns [`Rule`], `declare_rule!`, [`World`], which is a capture or manifests, and [`Cx`], the door to
//! it, which records the kinds that are asked for (a test compares that with what the rule declares).

mod cx;
mod explained;
mod family;
mod world;

pub use cx::{Ask, Cx, Reads};
pub use explained::Explained;
pub use family::{RuleFamily, RuleScope};
pub use world::World;

use crate::finding::{Certainty, Finding, Label, Layer, Matter, Severity};
use crate::grammar::kind::Kind;
use crate::manifest::FieldPlace;
use crate::source::Span;

/// How a rule looks.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// At the input alone.
    Input(fn(&mut Cx<'_>)),
    /// At what the other rules have left untold; it runs after all of them.
    Remainder(fn(&mut Cx<'_>, &Explained)),
    /// At what even those have left untold.
    Net(fn(&mut Cx<'_>, &Explained)),
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
    /// The kinds it asks for itself (what a fact is made of is declared beside the fact). The first is its subject:
    /// without it in the bundle the rule is not evaluated.
    pub reads: &'static [Kind],
    /// The page: the declaration's doc comment.
    pub page: &'static str,
    /// Of a rule about manifests: who usually stands against them.
    pub layer: Option<Layer>,
    /// Looks, and reports what it finds.
    pub check: Check,
}

impl Rule {
    /// Says in which round it runs: after all those of an earlier one, knowing what they told.
    pub fn round(&self) -> usize {
        match self.check {
            Check::Input(_) => 0,
            Check::Remainder(_) => 1,
            Check::Net(_) => 2,
        }
    }

    /// Finds its family; every rule has one (a test of the registry says so).
    pub fn family(&self) -> Option<RuleFamily> {
        RuleFamily::of(self.code)
    }

    /// Says what it looks at.
    pub fn scope(&self) -> RuleScope {
        self.family().map_or(RuleScope::Bundle, |family| family.scope)
    }

    /// Starts a finding of this rule at a place.
    pub fn at(&self, span: Span, text: impl Into<String>) -> Finding {
        Finding {
            code: self.code,
            name: self.name,
            matter: Matter::Fleet,
            severity: self.severity,
            certainty: Certainty::Shown,
            message: String::new(),
            why: String::new(),
            then: String::new(),
            hint: String::new(),
            primary: Label { span, text: text.into(), subject: None, field: None },
            related: Vec::new(),
            recoverability: None,
            steps: Vec::new(),
            about: Vec::new(),
            explains: Vec::new(),
            incident: None,
            layer: self.layer,
            path: None,
            fix: None,
        }
    }

    /// Starts a finding of this rule at a field of a manifest.
    pub fn at_field(&self, place: &FieldPlace, text: impl Into<String>) -> Finding {
        Finding { path: Some(place.path.clone()), ..self.at(place.span, text) }
    }

    /// Says whether it is named by its code, the beginning of its code, or its name.
    pub fn is_named(&self, names: &[String]) -> bool {
        names
            .iter()
            .any(|name| self.code.starts_with(&name.to_ascii_uppercase()) || self.name == name)
    }

    /// Returns the page as Markdown.
    pub fn markdown(&self) -> String {
        let lines = self.page.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// Returns the first line of the page.
    pub fn summary(&self) -> &'static str {
        self.page.lines().next().unwrap_or_default().trim()
    }
}

/// Declares a rule; its doc comment becomes the `explain` page. `layer` is for rules about manifests; a rule with
/// `remainder:` instead of `check:` looks at what the others have left untold, one with `net:` at what then is left.
macro_rules! declare_rule {
    (
        $(#[doc = $doc:literal])+
        pub static $id:ident = Rule {
            code: $code:literal,
            name: $name:literal,
            severity: $severity:expr,
            $(layer: $layer:expr,)?
            reads: $reads:expr,
            $way:ident: $check:expr $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        pub static $id: $crate::rule::Rule = $crate::rule::Rule {
            code: $code,
            name: $name,
            severity: $severity,
            reads: $reads,
            page: concat!($($doc, "\n"),+),
            layer: $crate::declare_rule!(@layer $($layer)?),
            check: $crate::declare_rule!(@$way $check),
        };
    };
    (@check $check:expr) => { $crate::rule::Check::Input($check) };
    (@remainder $check:expr) => { $crate::rule::Check::Remainder($check) };
    (@net $check:expr) => { $crate::rule::Check::Net($check) };
    (@layer) => { None };
    (@layer $layer:expr) => { Some($layer) };
}

pub(crate) use declare_rule;
