//! What the bundle lacks, as one read-only script: each command once, with what its answer tells.

use std::fmt::Write as _;

use super::bundle::rule_line;
use super::colors::{Tone, paint};
use super::{Page, steps};
use crate::finding::RunsOn;
use crate::report::prose::wrap;
use crate::report::snippet;
use crate::rule::Ask;

/// What one command would tell.
struct Wanted<'r> {
    ask: &'r Ask,
    tells: Vec<&'r str>,
}

/// Draws the script: by cluster, and there what settles most first.
pub(super) fn render(out: &mut String, page: &Page<'_>) {
    let mut wanted: Vec<Wanted<'_>> = Vec::new();
    for ask in &page.report.asks {
        let same = |known: &&mut Wanted<'_>| {
            known.ask.command.argv() == ask.command.argv()
                && known.ask.command.place() == ask.command.place()
        };
        match wanted.iter_mut().find(same) {
            Some(known) => known.tells.push(&ask.decides),
            None => wanted.push(Wanted { ask, tells: vec![&ask.decides] }),
        }
    }
    if wanted.is_empty() {
        return;
    }
    wanted.sort_by_key(|it| (it.ask.command.place().clone(), std::cmp::Reverse(it.tells.len())));
    rule_line(out, page, "what the bundle lacks: a read-only script");
    let mut place: Option<&RunsOn> = None;
    for it in &wanted {
        if place != Some(it.ask.command.place()) {
            place = Some(it.ask.command.place());
            let _ = writeln!(
                out,
                "{}",
                paint(page.look, Tone::Bold, &format!("# {}", on(it.ask.command.place())))
            );
        }
        let mut tells = it.tells.clone();
        tells.dedup();
        let text = format!("tells {}", tells.join("; "));
        wrap(out, "# ", "#   ", &snippet::masked(&text), page.look.width);
        let _ = writeln!(out, "{}", steps::words(page, &it.ask.command));
    }
    out.push('\n');
}

fn on(place: &RunsOn) -> String {
    match place {
        RunsOn::Hub => "On the hub:".to_owned(),
        RunsOn::Member(cluster) => format!("On {}:", snippet::clean(cluster)),
        RunsOn::UnknownMember => "On the member cluster:".to_owned(),
    }
}
