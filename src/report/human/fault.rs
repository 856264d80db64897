//! A fault in a file that steers the tool, drawn as findings are.

use super::Look;
use super::boxes::draw;
use super::colors::Tone;
use crate::engine::Place;
use crate::error::Fault;
use crate::report::prose::wrap;
use crate::report::snippet;
use crate::source::Sources;

/// Renders a fault: what is wrong, the place, what to do.
pub fn render_fault(fault: &Fault, sources: &Sources, look: Look) -> String {
    let mut out = String::from("\n");
    wrap(&mut out, "✗ ", "  ", &snippet::clean(&fault.message), look.width);
    let source = sources.get(fault.span.source);
    let place = Place {
        span: fault.span,
        path: source.path().to_owned(),
        start: source.position(fault.span.lo),
        end: source.position(fault.span.hi),
        label: fault.label.clone(),
        object: None,
        field: String::new(),
        pointer: String::new(),
    };
    let at = place.start;
    let head = format!("{}:{}:{}", snippet::clean(source.path()), at.line, at.column);
    draw(&mut out, source, &head, &[&place], Some(Tone::Error), look);
    if !fault.help.is_empty() {
        wrap(&mut out, "  help  ", "        ", &snippet::clean(&fault.help), look.width);
    }
    out
}
