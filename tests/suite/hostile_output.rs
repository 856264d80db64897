//! What names and messages of the input could do to whoever reads a report: nothing, in any format of any command.

use std::path::Path;

use fleetlens::internals::source::is_harmful;

use crate::bless::report;
use crate::secrets::{COMMANDS, copy, formats, run};

const CASE: &str = "testdata/regress/hostile-output";

/// What a line must not begin with, or a text not hold: a command to a pipeline, markup, an edge of a drawing.
fn is_obeyed(format: &str, text: &str) -> Option<String> {
    let steers = |c: char| (c.is_control() && c != '\n') || is_harmful(c);
    if let Some(found) = text.chars().find(|c| steers(*c)) {
        return Some(format!("it holds {found:?}"));
    }
    let commands =
        ["::set-output", "::error file=canary", "::error::canary", "##vso[task.setvariable"];
    let begins =
        |line: &&str| commands.iter().any(|command| line.trim_start().starts_with(command));
    // In a box the line has a number or a bar in front of it; a command stands at the start.
    if let Some(line) = text.lines().find(begins) {
        return Some(format!("a line begins with {line:?}"));
    }
    let markup: &[&str] = match format {
        "--format=html" => &["<script>canary", "canary -> x; [\"<"],
        "--format=markdown" | "--format=reply" => &["<script>canary"],
        "--format=mermaid" => &["\"]; canary", "<script>"],
        "--format=dot" => &["\"]; canary"],
        "--format=junit" => &["<script>canary"],
        _ => &[],
    };
    // What is escaped ends nothing.
    let text = text.replace("\\\"", "");
    let found = markup.iter().find(|mark| text.contains(**mark))?;
    Some(format!("it holds {found:?}"))
}

#[test]
fn no_text_of_the_input_steers_its_reader() {
    let formats = formats();
    let mut commands: Vec<Vec<&str>> = COMMANDS.iter().map(|command| command.to_vec()).collect();
    for command in ["analyze", "check"] {
        commands.extend(formats.iter().map(|format| vec![command, format]));
    }
    commands.push(vec!["analyze", "--all", "-v"]);
    // Apart from this repository, whose other files `check` would take as context.
    let folder = tempfile::tempdir().expect("a folder");
    copy(Path::new(CASE), folder.path());
    let mut troubles = Vec::new();
    let mut told = 0;
    for command in &commands {
        let text = run(command, folder.path());
        let text = text.replace('\t', " ");
        told += usize::from(text.contains("canary"));
        let format = command.last().copied().unwrap_or_default();
        if let Some(trouble) = is_obeyed(format, &text) {
            troubles.push(format!("{command:?}: {trouble}"));
        }
    }
    // A report that shows nothing of the input proves nothing.
    assert!(told > commands.len() / 2, "{told} of {} show the words", commands.len());
    report(troubles);
}
