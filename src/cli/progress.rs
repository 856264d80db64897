//! Progress on standard error, for work that takes longer than a second and only on a terminal.

use std::io::IsTerminal as _;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that is shorter shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the spinner turns.
const TICK: Duration = Duration::from_millis(120);

/// What is being done, shown until it is dropped.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    done: Option<Sender<()>>,
    waiter: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts to wait; nothing is shown before the patience of a reader is over.
    pub(super) fn start(stage: &'static str) -> Self {
        if !std::io::stderr().is_terminal() {
            return Self { bar: None, done: None, waiter: None };
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} ({elapsed})") {
            bar.set_style(style);
        }
        bar.set_message(stage);
        let (done, waits) = channel();
        let late = bar.clone();
        let waiter = std::thread::spawn(move || {
            if waits.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                late.set_draw_target(ProgressDrawTarget::stderr());
                late.enable_steady_tick(TICK);
            }
        });
        Self { bar: Some(bar), done: Some(done), waiter: Some(waiter) }
    }

    /// Says what is done now.
    pub(super) fn stage(&self, stage: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(stage);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Without a sender the thread ends at once, so that nothing is drawn after this.
        self.done.take();
        if let Some(waiter) = self.waiter.take() {
            let _ = waiter.join();
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
