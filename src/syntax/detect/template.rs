//! Templates are not manifests: Helm, kustomize variables, shell variables.
//!
//! Owns telling them from objects that merely quote such a text (an alert rule in a ConfigMap, an
//! override with `${MEMBER-CLUSTER-NAME}`), and keeping the documents around them.
//! Invariant: a document that holds a template is reported once and not parsed.

use std::ops::Range;

use crate::syntax::text_view::TextView;
use crate::syntax::transcript::shape::{indent, yaml_key};
use crate::syntax::{Problem, ProblemKind};

/// Fields that the API server would refuse with any of these signs in them.
const PLAIN_FIELDS: [&str; 4] = ["apiVersion", "kind", "name", "namespace"];

/// Returns the parts of a YAML text that are no templates; each template is a problem.
pub(super) fn without_templates<'s>(
    view: &TextView<'s>,
    problems: &mut Vec<Problem>,
) -> Vec<TextView<'s>> {
    let text = view.text();
    if !may_be_template(text) || find_template(text).is_none() {
        return vec![view.clone()];
    }
    let mut parts = Vec::new();
    for range in documents(text) {
        let part = text.get(range.clone()).unwrap_or_default();
        match find_template(part) {
            None => parts.push(view.slice(range)),
            Some(sign) => problems.push(Problem {
                kind: ProblemKind::Template,
                span: view.span(range.start + sign.start..range.start + sign.end),
                other: None,
                message: "this is a template, not a manifest: render it first".to_owned(),
            }),
        }
    }
    parts
}

/// Says whether a line has the sign of a template, be it in free text or not; almost no line of a dump is looked at.
fn may_be_template(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_sign = |at: usize| {
        let start = memchr::memrchr(b'\n', bytes.get(..at).unwrap_or_default());
        let start = start.map_or(0, |line_break| line_break + 1);
        let end = memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default());
        let end = end.map_or(text.len(), |line_break| at + line_break + 1);
        text.get(start..end).and_then(sign_in).is_some()
    };
    let mut dollars = memchr::memchr_iter(b'$', bytes);
    memchr::memmem::find_iter(bytes, "{{").any(has_sign)
        || dollars.any(|at| matches!(bytes.get(at + 1), Some(b'(' | b'{')) && has_sign(at))
}

/// Cuts a stream in front of each `---` line.
fn documents(text: &str) -> Vec<Range<usize>> {
    let marks = text.match_indices("\n---").map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0).chain(marks).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

/// Finds the first sign of a template outside of free text.
fn find_template(text: &str) -> Option<Range<usize>> {
    let mut start = 0;
    let mut block: Option<usize> = None;
    for line in text.split_inclusive('\n') {
        let depth = indent(line);
        let blank = line.trim().is_empty();
        if block.is_some_and(|outer| depth <= outer && !blank) {
            block = None;
        }
        if block.is_none() {
            if let Some(sign) = sign_in(line) {
                return Some(start + sign.start..start + sign.end);
            }
            let body = line.split(" #").next().unwrap_or(line).trim_end();
            let scalar = body.rsplit(' ').next().unwrap_or_default();
            let opens = scalar.starts_with(['|', '>']) && scalar.len() <= 3;
            block = opens.then_some(depth);
        }
        start += line.len();
    }
    None
}

fn sign_in(line: &str) -> Option<Range<usize>> {
    let trimmed = line.trim_start();
    let start = line.len() - trimmed.len();
    if trimmed.starts_with("{{") {
        return Some(start..start + 2);
    }
    let key = yaml_key(line);
    let colon = key.and_then(|_| line.find(": ")).map(|at| at + 2);
    let value_at = colon.or_else(|| trimmed.starts_with("- ").then_some(start + 2))?;
    let value = line.get(value_at..)?;
    let inner = value.trim_start();
    let inner_at = value_at + value.len() - inner.len();
    if inner.starts_with("{{") {
        return Some(inner_at..inner_at + 2);
    }
    if !key.is_some_and(|key| PLAIN_FIELDS.contains(&key)) {
        return None;
    }
    let at = ["{{", "$(", "${"].iter().filter_map(|sign| value.find(sign)).min()?;
    Some(value_at + at..value_at + at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_found() {
        let templates = [
            "kind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n",
            "{{- if .Values.on }}\nkind: Pod\n{{- end }}\n",
            "metadata:\n  name: \"web-{{ .Values.env }}\"\n",
            "metadata:\n  name: $(NAME)\n",
            "metadata:\n  namespace: ${NAMESPACE}\n",
            "spec:\n  replicas: {{ .Values.replicas }}\n",
        ];
        for text in templates {
            assert!(find_template(text).is_some(), "{text}");
            assert!(may_be_template(text), "{text}");
        }
    }

    #[test]
    fn objects_that_quote_a_template_are_none() {
        let objects = [
            "data:\n  rule: |\n    {{ $labels.pod }} is down\n  other: x\n",
            "value: \"${MEMBER-CLUSTER-NAME}\"\n",
            "command: [\"$(POD_NAME)\"]\n",
            "# name: {{ x }}\nkind: Pod\n",
            "message: 'use {{ x }} here'\n",
        ];
        for text in objects {
            assert_eq!(find_template(text), None, "{text}");
        }
    }
}
