//! What a rule may ask about logs: their lines, and how much of them was kept.

use jiff::civil::DateTime;

use super::Cx;
use crate::grammar::message::LogLines;
use crate::model::log::{Log, LogEvent, LogRef};
use crate::source::Span;
use crate::syntax::log::ObjectName;

impl<'g> Cx<'g> {
    /// Returns the logs of the bundle.
    pub fn logs(&self) -> &'g [Log] {
        &self.graph.logs
    }

    /// Returns what the logs say, log by log in file order.
    pub fn log_events(&self) -> &'g [LogEvent] {
        &self.graph.log_events
    }

    /// Says whether every line of a template was kept of a log.
    pub fn keeps_all(&self, log: usize, template: &str) -> bool {
        self.bundle().logs.get(log).is_some_and(|kept| kept.keeps_all(template))
    }

    /// Returns the number of the last line of these in a log that is about an object.
    pub fn last_line_about(&self, log: usize, lines: LogLines, object: &LogRef) -> Option<u32> {
        let (namespace, name) = (object.namespace.clone(), object.name.clone());
        let kept = self.bundle().logs.get(log)?;
        kept.last_line_about(lines.stem(), &ObjectName { namespace, name })
    }

    /// Returns the latest time of a log that tells no year, in some year.
    pub fn last_civil(&self, log: usize) -> Option<DateTime> {
        let last = self.bundle().logs.get(log)?.scan.extent.latest_civil()?;
        last.civil?.in_some_year(last.turn)
    }

    /// Returns the place where the text of a log begins.
    pub fn start_of_log(&self, log: &Log) -> Span {
        self.bundle().sources.get(log.source).span().start()
    }

    /// Returns the text of a line, or of a part of one.
    pub fn text_of(&self, span: Span) -> &'g str {
        self.bundle().sources.text(span)
    }
}
