//! Whether a log was kept far enough to conclude from what does not follow in it.
//!
//! Of each kind of line the first ones and the last ones are kept. Between them some may be missing, so that an earlier
//! line need not be the last word, though nothing that was kept comes after it.

use crate::grammar::message::LogLines;
use crate::model::log::LogEvent;
use crate::rule::Cx;
use crate::syntax::log::ScanOptions;

/// Says whether all lines of some kinds that were written after a line were kept.
pub fn is_rest_kept(cx: &Cx<'_>, event: &LogEvent, lines: &[LogLines]) -> bool {
    let mut wanted = lines.iter().flat_map(|lines| lines.templates()).map(|it| it.id);
    wanted.all(|id| cx.keeps_all(event.log, id) || event.line >= start_of_last(cx, event.log, id))
}

/// Returns the line from which on all lines of a kind were kept.
fn start_of_last(cx: &Cx<'_>, log: usize, id: &str) -> u32 {
    let own = cx.log_events().iter().rev().filter(|event| event.log == log);
    let mut own = own.filter(|event| event.template.is_some_and(|template| template.id == id));
    let last = ScanOptions::default().keep_last;
    own.nth(last.saturating_sub(1)).map_or(u32::MAX, |event| event.line)
}
