//! What a file holds: the door of the syntax layer.
//!
//! Owns the decision which parser reads what. A file of one syntax goes straight to its parser; all
//! others are split by [`super::transcript`] and their sections are classified one by one. What the
//! text around a section says (the command, the path) fills the gaps of its documents.
//! Invariant: detection goes by content; the name of a file is a hint that content overrules.

mod bare_message;
mod complete_fragment;
mod empty;
mod flattened;
mod fragment;
mod projected;
mod single_syntax;
mod template;

use complete_fragment::{adopt_fragments, fill_head};
use empty::empty_list;
use flattened::flattened;
use template::without_templates;

use super::describe::{parse_describe, read_flattened};
use super::flatten_lists::forget_unwanted;
use super::json::parse_json;
use super::table::{parse_names, parse_table};
use super::transcript::{Filter, Section, SectionSyntax, clean, restore_colons, split};
use super::truncation::mark_torn_condition;
use bare_message::add_spoken;
use projected::{read_projected, restore_keys};

use super::text_view::TextView;
use super::transcript::mend_log;
use super::yaml::parse_yaml;
use super::{Context, Document, DocumentFilter, DocumentHead, LogSection, Parsed};
use crate::grammar::kind::find_resource;
use crate::source::SourceFile;

/// How many fragments of one source are looked at; a paste holds a handful.
const MAX_FRAGMENTS: usize = 2000;

/// Parses everything that a source holds.
pub fn parse_source(source: &SourceFile, wanted: DocumentFilter<'_>) -> Parsed {
    let path = PathHint::of(source.path());
    let mut reader = Reader { wanted, parsed: Parsed::default(), fragments: MAX_FRAGMENTS };
    if source.text().trim().is_empty() {
        return reader.parsed;
    }
    if let Some(form) = single_syntax::whole_form(source) {
        let view = TextView::whole(source, source.span());
        let context = path.context.clone();
        reader.read(&Section { form, view, lines: source.span(), context, filter: Filter::None });
        if path.is_plural && matches!(form, SectionSyntax::Table | SectionSyntax::Describe) {
            reader.parsed.documents.iter_mut().for_each(|document| document.listed = true);
        }
        return reader.parsed;
    }
    let (base, problems) = clean(source);
    let base = restore_colons(base);
    let transcript = split(&base, &path.context);
    reader.parsed.problems = problems;
    reader.parsed.problems.extend(transcript.problems);
    reader.parsed.absences = transcript.absences;
    reader.parsed.rejections = transcript.rejections;
    transcript.sections.iter().for_each(|section| reader.read(section));
    reader.drop_strangers(source);
    add_spoken(&base, &transcript.lines, &mut reader.parsed);
    reader.parsed
}

struct Reader<'w> {
    wanted: DocumentFilter<'w>,
    parsed: Parsed,
    /// How many more fragments are looked at.
    fragments: usize,
}

impl Reader<'_> {
    /// Reads one section with the parser of its form.
    fn read(&mut self, section: &Section<'_>) {
        let Section { view, context, .. } = section;
        let wanted = self.wanted;
        // A fragment does not say its kind: it is looked at before it is judged.
        let open = |head: &DocumentHead| head.kind.is_none() || wanted(head);
        let mut documents = match section.form {
            SectionSyntax::Log => {
                let mended = mend_log(view).map(|view| view.detach());
                self.parsed.logs.push(LogSection { span: section.lines, mended });
                return;
            }
            SectionSyntax::Yaml => {
                let flat = flattened(view).map(|flat| read_flattened(&flat, context));
                flat.filter(|flat| !flat.is_empty()).unwrap_or_else(|| {
                    let mut documents = Vec::new();
                    for part in &without_templates(view, &mut self.parsed.problems) {
                        add_all(&mut documents, self.adopt(parse_yaml(part, &open), context));
                    }
                    documents
                })
            }
            SectionSyntax::Json if single_syntax::is_export(view.text()) => {
                self.parsed.logs.push(LogSection { span: section.lines, mended: None });
                return;
            }
            SectionSyntax::Json => {
                let mut documents = parse_json(view, &open);
                restore_keys(&mut documents, context);
                self.adopt(documents, context)
            }
            SectionSyntax::Projected => read_projected(view, context),
            SectionSyntax::Describe => parse_describe(view, context),
            SectionSyntax::Table => parse_table(view, context),
            SectionSyntax::Names => parse_names(view, context),
        };
        if documents.is_empty() && section.filter == Filter::None {
            self.parsed.absences.extend(empty_list(view, context));
        }
        let several = documents.len() > 1;
        for document in &mut documents {
            document.context = context.clone();
            if several && section.form == SectionSyntax::Describe && context.command.is_some() {
                document.listed = context.name.is_none();
            }
            document.listed &= section.filter == Filter::None;
            document.partial |= section.filter == Filter::Lines;
            fill_head(document);
            if matches!(section.form, SectionSyntax::Yaml | SectionSyntax::Describe) {
                mark_torn_condition(document);
            }
            forget_unwanted(document, wanted);
        }
        add_all(&mut self.parsed.documents, documents);
    }

    fn adopt(&mut self, documents: Vec<Document>, context: &Context) -> Vec<Document> {
        adopt_fragments(documents, context, &mut self.fragments)
    }

    /// Drops what only looked like an object; trouble with a real one is kept.
    fn drop_strangers(&mut self, source: &SourceFile) {
        let Parsed { documents, problems, .. } = &mut self.parsed;
        documents.retain_mut(|document| {
            let known = document.head.kind.is_some();
            if !known && source.slice(document.span).contains("apiVersion") {
                problems.append(&mut document.problems);
            }
            known
        });
    }
}

/// Adds documents to others; the many of a dump are not moved.
fn add_all(to: &mut Vec<Document>, mut more: Vec<Document>) {
    if to.is_empty() {
        *to = more;
    } else {
        to.append(&mut more);
    }
}

/// What the name of a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct PathHint {
    context: Context,
    /// Whether it is the plural name of a kind, as files that hold all of a kind are called.
    is_plural: bool,
}

impl PathHint {
    fn of(path: &str) -> Self {
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = file.split('.').next().unwrap_or(file);
        let spec = find_resource(stem);
        let kind = spec.map(|spec| spec.name.into());
        let is_plural = spec.is_some_and(|spec| spec.plural.eq_ignore_ascii_case(stem));
        Self { context: Context { kind, ..Context::default() }, is_plural }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_hint_at_a_kind() {
        let kind = |path| PathHint::of(path).context.kind;
        assert_eq!(kind("hub/works.A.txt").as_deref(), Some("Work"));
        assert_eq!(kind("crp.txt").as_deref(), Some("ClusterResourcePlacement"));
        assert_eq!(kind("none-cluster.txt"), None);
        assert!(PathHint::of("a/clusterstagedupdateruns.describe.txt").is_plural);
        assert!(!PathHint::of("csur.txt").is_plural);
    }
}
