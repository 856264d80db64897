//! The walk over the lines of a transcript: where sections begin and end, and whose output they are.
//!
//! Owns the state that lines share: the command in force, the cluster it talks to, the section that
//! is open. What a line looks like is asked of [`super::shape`], [`super::starts`], [`super::continues`].
//! Invariant: one pass, a few lines of look-ahead; a section never reaches over a fence or a prompt.

use smol_str::SmolStr;

use super::Transcript;
use super::cluster::{ClustersInProse, cluster_of_prompt};
use super::command::{CommandLine, ExpectedOutput, Filter, parse_command};
use super::continues::{LineBelongs, stay};
use super::json_depth::begins_json;
use super::lines::PasteLine;
use super::logline::is_kubectl_noise;
use super::prompt::{self, CommandQuoting};
use super::rejection::{begins_rejection, further_lines, read_rejection, reason_start};
use super::section::{OpenSection, SectionSyntax};
use super::shape::{indent, is_cut, is_title, yaml_key};
use super::starts::{is_object_start, start};
use super::stderr::{Stderr, is_stderr, parse_stderr};
use crate::grammar::kind;
use crate::source::Span;
use crate::syntax::projection::ProjectionShape;
use crate::syntax::text_view::TextView;
use crate::syntax::{Absent, Context};

/// The command whose output is being read.
#[derive(Debug, Default)]
struct Hint {
    command: CommandLine,
    span: Option<Span>,
    /// The block it stands in; output in another block counts only if there was none in its own.
    block: usize,
    used: bool,
}

/// Finds the sections of a transcript.
pub(super) fn scan<'s>(base: &TextView<'s>, lines: &[PasteLine], path: &Context) -> Transcript<'s> {
    let mut scanner = Scanner {
        base,
        path,
        hint: Hint::default(),
        cluster: None,
        namespace: None,
        spoken: ClustersInProse::default(),
        open: None,
        log_until_end: false,
        leading_cut: false,
        pending: None,
        taken: 0,
        out: Transcript::default(),
    };
    let mut block = 0;
    for (at, line) in lines.iter().enumerate() {
        if line.block != block {
            scanner.close();
            scanner.end_command();
            scanner.leading_cut = false;
            scanner.log_until_end = false;
            block = line.block;
        }
        scanner.step(*line, lines.get(at + 1..).unwrap_or_default());
    }
    scanner.close();
    scanner.end_command();
    scanner.out
}

struct Scanner<'b, 's> {
    base: &'b TextView<'s>,
    /// What the path of the file says, for output without a command.
    path: &'b Context,
    hint: Hint,
    /// The cluster that an earlier command switched to.
    cluster: Option<SmolStr>,
    namespace: Option<SmolStr>,
    /// The clusters that the prose above names.
    spoken: ClustersInProse,
    open: Option<OpenSection>,
    /// Whether everything is log until its end is announced.
    log_until_end: bool,
    /// Whether lines were cut right before what comes next.
    leading_cut: bool,
    /// A command that goes on on the next line.
    pending: Option<(String, Span)>,
    /// Where the last answer over several lines ends: lines before that are taken.
    taken: usize,
    out: Transcript<'s>,
}

impl Scanner<'_, '_> {
    fn step(&mut self, line: PasteLine, following: &[PasteLine]) {
        let clean = self.base.text();
        let text = line.text(clean);
        if line.lo < self.taken {
            return;
        }
        if self.pending.is_some() {
            self.go_on(text, line);
            return;
        }
        if self.is_log_border(text) || self.ends_heredoc(text) {
            return;
        }
        if self.log_until_end {
            self.take_log(line, following);
            return;
        }
        if is_cut(text) {
            match &mut self.open {
                Some(open) => open.cut(),
                None => self.leading_cut = true,
            }
            return;
        }
        // What stands deeper than its section belongs to it, whatever it looks like.
        let inside = self.open.as_ref().is_some_and(|open| open.encloses(text));
        if !inside {
            if self.is_command(line, following)
                || self.is_rejection(line, following)
                || self.is_stderr(text, line)
            {
                return;
            }
            if is_title(text) {
                self.close();
                self.spoken.hear(text);
                return;
            }
        }
        if self.continues(line, following) {
            return;
        }
        self.begin(line, following);
    }

    /// Takes the line into the open section, if it belongs there.
    fn continues(&mut self, line: PasteLine, following: &[PasteLine]) -> bool {
        let clean = self.base.text();
        let Some(open) = &mut self.open else { return false };
        let stay = stay(open, line, following, clean);
        open.after_blank = line.text(clean).trim().is_empty();
        match stay {
            LineBelongs::In => open.push(line),
            LineBelongs::Tail => open.push_tail(line),
            LineBelongs::Out => {}
        }
        if stay == LineBelongs::Out || open.is_complete() {
            self.close();
        }
        stay != LineBelongs::Out
    }

    /// Opens a section if the line begins one.
    fn begin(&mut self, line: PasteLine, following: &[PasteLine]) {
        let clean = self.base.text();
        let text = line.text(clean);
        if text.trim().is_empty() {
            return;
        }
        let same = following.iter().take(8).take_while(|next| next.block == line.block);
        let mut says = same.map(|next| next.text(clean)).filter(|next| !is_cut(next));
        let next = says.find(|next| !next.trim().is_empty()).unwrap_or_default();
        let expects_rows =
            self.hint.command.output == ExpectedOutput::Rows && self.hint.command.kind.is_some();
        let form = self.projected(text, line).or_else(|| start(text, next)).or_else(|| {
            let rows = expects_rows && text.trim().contains("   ");
            let names =
                is_object_name(text) && (text.contains('.') || self.hint.command.kind.is_some());
            if rows { Some(SectionSyntax::Table) } else { names.then_some(SectionSyntax::Names) }
        });
        let Some(form) = form else {
            self.read_prose(text, line);
            return;
        };
        let (mut context, filter) = self.context(line.block);
        // Words above a table tell twins apart that share their columns.
        if form == SectionSyntax::Table && context.command.is_none() && context.kind.is_none() {
            context.kind = self.spoken.kind();
        }
        self.spoken.is_used = true;
        let mut open = OpenSection::new(form, indent(text), context, filter);
        if std::mem::take(&mut self.leading_cut) && form != SectionSyntax::Log {
            open.cut();
        }
        open.has_api_version = yaml_key(text) == Some("apiVersion");
        open.push(line);
        open.json.feed(text);
        let complete = open.is_complete();
        self.open = Some(open);
        self.hint.used = true;
        if complete {
            self.close();
        }
    }

    /// Says whether a line is what a filter printed; JSON and YAML say that themselves.
    fn projected(&self, text: &str, line: PasteLine) -> Option<SectionSyntax> {
        let projection = self.hint.command.projection.as_deref()?;
        let fresh = !self.hint.used || self.hint.block == line.block;
        let structured = begins_json(text) || yaml_key(text).is_some();
        let prints_lines = match projection.shape {
            ProjectionShape::Value => !structured && !self.hint.used,
            ProjectionShape::Line(_) | ProjectionShape::Columns(_) => true,
            ProjectionShape::Fields(_) => false,
        };
        (fresh && prints_lines && self.hint.command.kind.is_some())
            .then_some(SectionSyntax::Projected)
    }

    fn close(&mut self) {
        if let Some(section) = self.open.take().and_then(|open| open.finish(self.base)) {
            self.out.sections.push(section);
        }
    }

    /// Returns what is known about output in a block, and what was left out of it.
    fn context(&self, block: usize) -> (Context, Filter) {
        let cluster = self.spoken.cluster().or_else(|| self.cluster.clone());
        let mut context = Context { cluster, ..Context::default() };
        if self.hint.used && self.hint.block != block {
            return (context, Filter::None);
        }
        let command = &self.hint.command;
        context.command = self.hint.span;
        context.kind = command.kind.map(SmolStr::from);
        context.projection.clone_from(&command.projection);
        context.name.clone_from(&command.name);
        context.namespace = command.namespace.clone().or_else(|| self.namespace.clone());
        context.cluster = command.cluster.clone().or(context.cluster);
        if context.command.is_none() {
            context.kind.clone_from(&self.path.kind);
        }
        (context, command.filter)
    }

    fn is_command(&mut self, line: PasteLine, following: &[PasteLine]) -> bool {
        let clean = self.base.text();
        let text = line.text(clean);
        let Some(command) = prompt::command(text) else { return false };
        let next = following.first().filter(|next| next.block == line.block);
        let next = next.map(|next| next.text(clean)).unwrap_or_default();
        if self.open.as_ref().is_some_and(|open| open.is_comment(text, next)) {
            return false;
        }
        self.close();
        self.leading_cut = false;
        // The command is the end of the line.
        let end = line.start + text.trim_end().len();
        let span = self.base.span(end - command.len()..end);
        if let Some(cluster) = cluster_of_prompt(text, command) {
            self.cluster = Some(cluster);
            self.spoken = ClustersInProse::default();
        }
        match prompt::continued(command) {
            Some(head) => self.pending = Some((head.to_owned(), span)),
            None => self.run(command, span, line.block),
        }
        true
    }

    /// Adds a line to a command that goes on.
    fn go_on(&mut self, text: &str, line: PasteLine) {
        let Some((mut command, span)) = self.pending.take() else { return };
        let span = span.to(self.base.span(line.start..line.end));
        match prompt::continued(text) {
            Some(head) => {
                command.push_str(head);
                self.pending = Some((command, span));
            }
            None => {
                command.push_str(text);
                self.run(&command, span, line.block);
            }
        }
    }

    fn end_command(&mut self) {
        if let Some((command, span)) = self.pending.take() {
            self.run(&command, span, usize::MAX);
        }
    }

    fn run(&mut self, text: &str, span: Span, block: usize) {
        let command = parse_command(text);
        if command.switch.is_some() {
            self.cluster.clone_from(&command.switch);
            self.spoken = ClustersInProse::default();
            self.namespace = None;
        }
        if command.switch_namespace.is_some() {
            self.namespace.clone_from(&command.switch_namespace);
        }
        self.log_until_end = command.output == ExpectedOutput::Log;
        self.hint = Hint { command, span: Some(span), block, used: false };
    }

    fn is_rejection(&mut self, line: PasteLine, following: &[PasteLine]) -> bool {
        let clean = self.base.text();
        let text = line.text(clean);
        if !begins_rejection(text) {
            return false;
        }
        self.close();
        let more = further_lines(text, following, line.block, clean);
        let last =
            more.checked_sub(1).and_then(|last| following.get(last)).copied().unwrap_or(line);
        let words = clean.get(line.start..last.end).unwrap_or(text);
        let start = line.start + (text.len() - text.trim_start().len());
        let (context, _) = self.context(line.block);
        let reason = (line.start + reason_start(words)).max(start);
        let spans = [start, reason].map(|from| self.base.span(from..last.end));
        self.out.rejections.push(read_rejection(words, spans, &context));
        self.taken = last.next;
        self.hint.used = true;
        true
    }

    fn is_stderr(&mut self, text: &str, line: PasteLine) -> bool {
        if is_kubectl_noise(text.trim_start()) {
            return true;
        }
        if !is_stderr(text) {
            return false;
        }
        let span = self.base.span(line.start..line.end);
        let (context, filter) = self.context(line.block);
        let Some(found) = parse_stderr(text, span, &context) else { return false };
        if let Stderr::Absence(absence) = found
            && !(filter != Filter::None && absence.what == Absent::All)
        {
            self.out.absences.push(absence);
        }
        self.hint.used = true;
        true
    }

    /// Notices `==== START logs for container … ====` and its end.
    fn is_log_border(&mut self, text: &str) -> bool {
        let Some(title) = text.trim_start().strip_prefix("==== ") else { return false };
        let starts = title.starts_with("START logs");
        if starts || title.starts_with("END logs") {
            self.close();
            self.log_until_end = starts;
            return true;
        }
        false
    }

    fn take_log(&mut self, line: PasteLine, following: &[PasteLine]) {
        let text = line.text(self.base.text());
        let ends = prompt::command(text).is_some() || is_title(text) || is_object_start(text);
        if ends && !super::logline::is_log_line(text) {
            self.close();
            self.log_until_end = false;
            self.step(line, following);
            return;
        }
        let (context, filter) = self.context(line.block);
        let open = self
            .open
            .get_or_insert_with(|| OpenSection::new(SectionSyntax::Log, 0, context, filter));
        open.push(line);
        self.hint.used = true;
    }

    fn ends_heredoc(&mut self, text: &str) -> bool {
        let ends = self.hint.command.heredoc.as_deref().is_some_and(|tag| tag == text.trim());
        if ends {
            self.close();
            self.hint.command = CommandLine::default();
        }
        ends
    }

    /// Looks for a command that prose quotes: it may speak of what comes next.
    fn read_prose(&mut self, text: &str, line: PasteLine) {
        self.leading_cut = false;
        self.spoken.hear(text);
        if line.fenced {
            return;
        }
        let Some((quoted, quoting)) = prompt::mention(text) else { return };
        let mut command = parse_command(quoted);
        if quoting == CommandQuoting::None {
            command.name = None;
        }
        if command.kind.is_none() {
            return;
        }
        // What a sentence quotes is printed below only where the sentence ends with it.
        let alone = text.trim().trim_matches('`') == quoted || text.trim_end().ends_with(':');
        command.projection =
            command.projection.filter(|_| alone && quoting == CommandQuoting::Backticks);
        command.output = ExpectedOutput::Any;
        let span = self.base.span(line.start..line.end);
        self.hint = Hint { command, span: Some(span), block: usize::MAX, used: false };
    }
}

/// Says whether a line is an object's name as `kubectl get -o name` prints it.
pub(super) fn is_object_name(text: &str) -> bool {
    let Some((resource, name)) = text.trim().split_once('/') else { return false };
    let plain =
        |at: char| at.is_ascii_lowercase() || at.is_ascii_digit() || matches!(at, '-' | '.');
    !name.is_empty()
        && name.chars().all(plain)
        && resource.chars().all(plain)
        && kind::find_resource(resource).is_some()
}
