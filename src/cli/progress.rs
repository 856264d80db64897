//! Progress on standard error, for work that takes longer than a second and only on a terminal that a person watches.

use std::io::IsTerminal as _;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::interrupt::end_on_interrupt;
use super::output::{is_dumb, variable};
use crate::bundle::ReadProgress;

/// Work that is shorter shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is written anew.
const TICK: Duration = Duration::from_millis(120);

/// What is being done, shown until it is dropped.
#[derive(Debug)]
pub(super) struct Progress {
    gauge: Arc<ReadProgress>,
    stage: Arc<Mutex<&'static str>>,
    done: Option<Sender<()>>,
    watcher: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts to wait; nothing is shown before the patience of a reader is over.
    pub(super) fn start(stage: &'static str) -> Self {
        end_on_interrupt();
        let (gauge, stage) = (Arc::new(ReadProgress::default()), Arc::new(Mutex::new(stage)));
        let watched = std::io::stderr().is_terminal() && variable("CI").is_none() && !is_dumb();
        if !watched {
            return Self { gauge, stage, done: None, watcher: None };
        }
        let (done, waits) = channel::<()>();
        let (seen, at) = (Arc::clone(&gauge), Arc::clone(&stage));
        let watcher = std::thread::spawn(move || {
            let waited = |time| waits.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            if !waited(PATIENCE) {
                return;
            }
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
                bar.set_style(style);
            }
            bar.set_elapsed(PATIENCE);
            loop {
                bar.set_message(line(&at, &seen));
                bar.tick();
                if !waited(TICK) {
                    break;
                }
            }
            bar.finish_and_clear();
        });
        Self { gauge, stage, done: Some(done), watcher: Some(watcher) }
    }

    /// Returns what counts the bytes and files that are read.
    pub(super) fn gauge(&self) -> &ReadProgress {
        &self.gauge
    }

    /// Says what is done now.
    pub(super) fn stage(&self, stage: &'static str) {
        if let Ok(mut now) = self.stage.lock() {
            *now = stage;
        }
    }
}

/// Says what is done, and how much was read.
fn line(stage: &Mutex<&'static str>, gauge: &ReadProgress) -> String {
    let stage = stage.lock().map(|stage| *stage).unwrap_or_default();
    let (files, bytes) = gauge.read_so_far();
    let noun = if files == 1 { "file" } else { "files" };
    format!("{stage} · {files} {noun}, {}", HumanBytes(bytes))
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Without a sender the thread clears its line and ends at once, so that nothing is drawn after this.
        self.done.take();
        if let Some(watcher) = self.watcher.take() {
            let _ = watcher.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{Progress, ReadProgress, line};

    #[test]
    fn a_line_tells_stage_files_and_bytes() {
        let told = line(&Mutex::new("reading the bundle"), &ReadProgress::default());
        assert_eq!(told, "reading the bundle · 0 files, 0 B");
    }

    #[test]
    fn nothing_is_watched_without_a_terminal() {
        let progress = Progress::start("reading the bundle");
        progress.stage("judging");
        assert!(progress.watcher.is_none() || std::io::IsTerminal::is_terminal(&std::io::stderr()));
    }
}
