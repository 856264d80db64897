//! To which record a line without a head belongs.
//!
//! To the writer's open record, as a rule. But zap writes stack traces, and klog lines of the same
//! process may come between the lines of one: those are given back to the zap record above.

use super::scan_state::{Kept, STACK_REACH, WriterState};

/// What a line without a head looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trace {
    Function,
    Place,
    Other,
}

/// Finds the record that a line without a head belongs to; the inner value says whether it is kept.
pub(super) fn owner(
    slot: &mut WriterState,
    text: &str,
    number: i64,
    back: &mut bool,
) -> Option<Option<Kept>> {
    let Some(open) = &mut slot.open else {
        *back |= !slot.open_is_known;
        return None;
    };
    if open.in_marks {
        if text.starts_with(" >") {
            open.in_marks = text.ends_with("=<");
        }
        return Some(open.kept);
    }
    let trace = trace(text);
    let may_be_of_stack = match trace {
        Trace::Other => false,
        Trace::Function => open.is_zap || open.is_complete,
        // Free text may have lines of its own that look like places.
        Trace::Place => {
            open.is_zap || open.is_complete || slot.stack.is_none_or(|stack| stack.wants_path)
        }
    };
    if may_be_of_stack {
        match &mut slot.stack {
            Some(stack) if number - stack.line <= STACK_REACH => {
                stack.line = number;
                stack.wants_path = trace == Trace::Function;
                return Some(stack.kept);
            }
            None => *back |= !slot.stack_is_known && number < STACK_REACH,
            Some(_) => {}
        }
    }
    // A blank line after a record that is complete is nobody's.
    let is_blank = text.trim_ascii().is_empty();
    (!(is_blank && open.is_complete)).then_some(open.kept)
}

/// Says whether a line looks like one of a stack trace.
pub(super) fn is_trace(text: &str) -> bool {
    trace(text) != Trace::Other
}

/// Tells the lines of a Go stack trace: a function, then its place after a tab.
fn trace(text: &str) -> Trace {
    const LONGEST: usize = 1024;
    let bytes = text.as_bytes();
    match bytes.first() {
        _ if bytes.len() > LONGEST => Trace::Other,
        Some(b'\t' | b' ') => {
            let place = memchr::memmem::find(bytes, b".go:").and_then(|at| bytes.get(at + 4));
            if place.is_some_and(u8::is_ascii_digit) { Trace::Place } else { Trace::Other }
        }
        Some(_) if !text.contains([' ', '\t']) && text.contains('.') => Trace::Function,
        _ => Trace::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_stack_trace_are_known() {
        let function = "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller[...]).Start.func1.1";
        assert_eq!(trace(function), Trace::Function);
        assert_eq!(trace("main.main"), Trace::Function);
        assert_eq!(trace("\t/usr/local/go/src/runtime/proc.go:272"), Trace::Place);
        assert_eq!(trace("        /usr/local/go/src/runtime/proc.go:272"), Trace::Place);
        for other in ["", "line plain", "\tthird line", "Trace[1]: [781.9ms] END", "\tx.go:y"] {
            assert_eq!(trace(other), Trace::Other, "{other}");
        }
    }
}
