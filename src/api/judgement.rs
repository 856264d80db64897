//! [`Judgement`]: a report with the texts that it points into.

use crate::engine::Report;
use crate::report::Format;
use crate::report::human::Look;
use crate::source::Sources;

/// What was judged: the report, and the texts that it points into.
#[derive(Debug)]
pub struct Judgement {
    /// What was found, causes first.
    pub report: Report,
    /// The texts; every span of the report points into one of them.
    pub sources: Sources,
}

impl Judgement {
    /// Returns the report as text, without any value of a Secret; `look` matters only to [`Format::Human`].
    pub fn render(&self, format: Format, look: Look) -> String {
        let text = format.render(&self.report, &self.sources, look);
        self.sources.hide_known(&text).into_owned()
    }
}
