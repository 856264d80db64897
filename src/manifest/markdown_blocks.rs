//! The YAML blocks of a Markdown file, as views of it.
//!
//! Owns finding fenced blocks (CommonMark: three or more backticks or tildes) that say they are YAML. A view keeps the way
//! back to the file, so that places and fixes are those of the file.

use crate::source::{SourceFile, Span};
use crate::syntax::text_view::TextView;

/// Returns a view of each YAML block, without the blanks that the fence is indented by.
pub(super) fn yaml_blocks(source: &SourceFile) -> Vec<TextView<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(Fence, TextView<'_>)> = None;
    let mut at = 0;
    for line in source.text().split_inclusive('\n') {
        let start = at;
        at += line.len();
        let fence = Fence::read(line);
        match (&mut open, fence) {
            (None, Some(fence)) => open = Some((fence, TextView::empty(source))),
            (Some((around, _)), Some(fence)) if around.is_closed_by(&fence) => {
                let closed = open.take().filter(|(around, _)| around.yaml);
                blocks.extend(closed.map(|(_, view)| view));
            }
            (Some((around, view)), _) if around.yaml => {
                let blanks = line.len() - line.trim_start_matches(' ').len();
                let from = start + blanks.min(around.indent);
                view.push(Span::new(source.id(), from, at));
            }
            _ => {}
        }
    }
    // A block that nothing closes runs to the end of the file.
    blocks.extend(open.filter(|(around, _)| around.yaml).map(|(_, view)| view));
    blocks
}

/// A line that opens or closes a block.
struct Fence {
    mark: char,
    length: usize,
    indent: usize,
    /// Whether it says that the block is YAML.
    yaml: bool,
    /// Whether nothing stands behind it.
    bare: bool,
}

impl Fence {
    fn read(line: &str) -> Option<Self> {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let line = line.trim();
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = line.chars().take_while(|c| *c == mark).count();
        let info = line.get(length..)?.trim();
        let word = info.split([' ', ',', '{']).next().unwrap_or_default();
        let yaml = word.eq_ignore_ascii_case("yaml") || word.eq_ignore_ascii_case("yml");
        (length >= 3).then_some(Self { mark, length, indent, yaml, bare: info.is_empty() })
    }

    fn is_closed_by(&self, other: &Self) -> bool {
        other.bare && other.mark == self.mark && other.length >= self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Encoding, Origin, Sources};

    #[test]
    fn only_yaml_blocks_are_seen_and_lead_back_to_the_file() {
        let text = "# Title\n```yaml\na: b\n```\ntext\n  ~~~yml title=x\n  c:\n    d: e\n  ```\n  ~~~\n```sh\nls\n```\n```yaml\nend: 1\n";
        let mut sources = Sources::default();
        let id = sources.add("README.md", Origin::default(), Encoding::Utf8, text);
        let blocks = yaml_blocks(sources.get(id));
        let texts: Vec<&str> = blocks.iter().map(TextView::text).collect();
        assert_eq!(texts, ["a: b\n", "c:\n  d: e\n```\n", "end: 1\n"]);
        let span = blocks.get(1).map(|view| view.span(5..6)).expect("a block");
        assert_eq!(sources.get(id).slice(span), "d");
    }
}
