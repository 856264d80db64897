//! The lines of a paste, without quote marks, in blocks.
//!
//! Owns Markdown fences, `>` quotes of mails and the YAML front matter of a document. A block is the
//! inside of a fence or what stands between two fences; nothing reaches over its border.
//! Invariant: lines come in file order and never overlap.

use super::shape::{Fence, fence, indent, yaml_key};

/// One line of the clean text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PasteLine {
    /// Where the line starts, quote marks included.
    pub(crate) lo: usize,
    /// Where its text starts, behind the quote marks.
    pub(crate) start: usize,
    /// Where its text ends, before the line break.
    pub(crate) end: usize,
    /// Where the next line starts.
    pub(crate) next: usize,
    /// The number of its block.
    pub(crate) block: usize,
    /// Whether the block is the inside of a fence.
    pub(crate) fenced: bool,
}

impl PasteLine {
    /// Returns the text of the line.
    pub(crate) fn text(self, clean: &str) -> &str {
        clean.get(self.start..self.end).unwrap_or_default()
    }
}

struct Open {
    fence: Fence,
    indent: usize,
    depth: usize,
}

/// Splits clean text into lines; fences and front matter are left out.
pub(crate) fn split_lines(clean: &str) -> Vec<PasteLine> {
    let mut lines = Vec::new();
    let mut open: Option<Open> = None;
    let mut block = 0;
    let mut margin: Option<Margin> = None;
    let mut lo = front_matter(clean);
    while lo < clean.len() {
        let rest = clean.as_bytes().get(lo..).unwrap_or_default();
        let next = memchr::memchr(b'\n', rest).map_or(clean.len(), |at| lo + at + 1);
        let whole = clean.get(lo..next).unwrap_or_default();
        let text = whole.trim_end_matches(['\n', '\r']);
        let (depth, mut skip) = quote(text, open.as_ref().map_or(usize::MAX, |open| open.depth));
        margin = margin.filter(|margin| text.starts_with(margin.mark));
        margin = margin.or_else(|| Margin::begins(clean.get(lo..).unwrap_or_default()));
        if let Some(margin) = margin.filter(|_| skip == 0) {
            skip = margin.len(text);
        }
        let line = PasteLine {
            lo,
            start: lo + skip,
            end: lo + text.len(),
            next,
            block,
            fenced: open.is_some(),
        };
        let body = line.text(clean);
        lo = next;
        let Some(mark) = fence(body) else {
            lines.push(line);
            continue;
        };
        let opened = Open { fence: mark, indent: indent(body), depth };
        // Somebody wrote the first line of the block behind the marks.
        let behind = line.start + indent(body) + mark.len;
        let content = clean.get(behind..line.end).filter(|info| info.trim().contains(' '));
        let content = content.filter(|_| open.is_none()).map(|_| PasteLine {
            lo: behind,
            start: behind,
            ..line
        });
        match &open {
            None => open = Some(opened),
            Some(outer) if !closes(outer, &opened) => {
                lines.push(line);
                continue;
            }
            // Somebody forgot to close the block before: this fence opens the next one.
            Some(_) if !mark.bare => open = Some(opened),
            Some(_) => open = None,
        }
        block += 1;
        lines.extend(content.map(|line| PasteLine { block, fenced: true, ..line }));
    }
    lines
}

fn closes(outer: &Open, mark: &Open) -> bool {
    mark.fence.mark == outer.fence.mark
        && mark.fence.len >= outer.fence.len
        && mark.indent <= outer.indent + 3
}

/// Returns how deep a line is quoted, up to `limit`, and the length of its quote marks.
fn quote(text: &str, limit: usize) -> (usize, usize) {
    let bytes = text.as_bytes();
    let mut depth = 0;
    let mut end = 0;
    while depth < limit {
        let blanks = bytes.iter().skip(end).take_while(|byte| **byte == b' ').count();
        if blanks > 3 || bytes.get(end + blanks) != Some(&b'>') {
            break;
        }
        depth += 1;
        end += blanks + 1;
        if bytes.get(end) == Some(&b' ') {
            end += 1;
        }
    }
    (depth, end)
}

/// A column of `+` or `|` that chats, diffs and terminals put in front of quoted lines.
#[derive(Clone, Copy)]
struct Margin {
    mark: char,
}

/// How many lines under each other make a column of marks.
const MARGIN: usize = 3;

impl Margin {
    /// Finds the column of marks that begins with the first line of a text.
    fn begins(text: &str) -> Option<Self> {
        let mark = text.chars().next().filter(|mark| matches!(mark, '+' | '|'))?;
        let lines = text.lines().take(MARGIN).take_while(|line| {
            // The bars of a table close its rows, too.
            let rest = line.strip_prefix(mark);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
                && !line.trim_end().ends_with('|')
        });
        (lines.count() == MARGIN).then_some(Self { mark })
    }

    /// Returns how many bytes of a line belong to the margin.
    fn len(self, text: &str) -> usize {
        let rest = text.get(1..).unwrap_or_default();
        1 + usize::from(rest.starts_with(' '))
    }
}

/// Returns where the text behind a document's YAML front matter starts; zero if there is none.
fn front_matter(clean: &str) -> usize {
    let body = clean.trim_start_matches('\u{feff}');
    let mut at = clean.len() - body.len();
    let mut lines = body.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if first.trim_end() != "---" {
        return 0;
    }
    at += first.len();
    // Long front matter does not exist; a YAML file that starts with `---` does.
    for line in lines.take(100) {
        at += line.len();
        if line.trim_end() == "---" {
            return at;
        }
        let plain = line.trim().is_empty() || line.starts_with([' ', '-', '#']);
        match yaml_key(line) {
            Some("apiVersion" | "kind" | "metadata" | "items") => return 0,
            None if !plain => return 0,
            _ => {}
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(clean: &str) -> Vec<(usize, bool, &str)> {
        split_lines(clean).iter().map(|line| (line.block, line.fenced, line.text(clean))).collect()
    }

    #[test]
    fn fences_make_blocks_even_when_their_indents_differ() {
        let clean = "a\n    ```yaml\n    b: 1\n      ```\nc\n~~~\nd\n```\n~~~\n";
        let want = [
            (0, false, "a"),
            (1, true, "    b: 1"),
            (2, false, "c"),
            (3, true, "d"),
            (3, true, "```"),
        ];
        assert_eq!(texts(clean), want);
    }

    #[test]
    fn a_fence_that_was_not_closed_ends_at_the_next_one() {
        let want = [(1, true, "a"), (2, true, "b"), (3, false, "c")];
        assert_eq!(texts("```\na\n```yaml\nb\n```\nc"), want);
    }

    #[test]
    fn quote_marks_go_but_not_inside_a_fence() {
        let want = [(0, false, "a"), (0, false, "  b"), (0, false, ""), (1, true, "> c")];
        assert_eq!(texts("> a\r\n> >   b\n>\n```\n> c\n```\n"), want);
        let want = [(1, true, "c: 1"), (2, false, "d")];
        assert_eq!(texts("> ```\n> c: 1\n> ```\nd\n"), want);
    }

    #[test]
    fn columns_of_marks_go_but_tables_stay() {
        let want = [(1, true, "- a: 1"), (1, true, "  b: 2"), (1, true, ""), (1, true, "c")];
        assert_eq!(texts("```diff\n+ - a: 1\n+   b: 2\n+\n+ c\n```\n"), want);
        let table = "| a | b |\n| - | - |\n| 1 | 2 |\n";
        assert_eq!(texts(table).first(), Some(&(0, false, "| a | b |")));
        assert_eq!(texts("+ one\n+ two\n").len(), 2);
        assert_eq!(texts("+ one\n+ two\n").first(), Some(&(0, false, "+ one")));
    }

    #[test]
    fn front_matter_goes_but_an_object_stays() {
        assert_eq!(texts("---\ntitle: x\nweight: 10\n---\nbody\n"), [(0, false, "body")]);
        assert_eq!(texts("---\nkind: Pod\n---\n").len(), 3);
        assert_eq!(texts("---\ntitle: x\n").len(), 2);
    }
}
