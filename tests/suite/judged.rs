//! Inputs of testdata, opened and judged once for all tests that look at them.
//!
//! Only what stands in the repository is asked for here: a folder that a test has written is gone before another one looks.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use fleetlens::internals::bundle::Bundle;
use fleetlens::internals::config::Config;
use fleetlens::internals::engine::{Report, judge};

/// A bundle, and what all rules say of it.
pub(crate) struct Judged {
    pub(crate) bundle: Bundle,
    report: OnceLock<Report>,
}

impl Judged {
    pub(crate) fn report(&self) -> &Report {
        self.report.get_or_init(|| judge(&self.bundle, &Config::default()))
    }
}

type Opening = Arc<OnceLock<Result<Arc<Judged>, String>>>;

static OPENED: LazyLock<Mutex<BTreeMap<String, Opening>>> = LazyLock::new(Mutex::default);

/// Opens a file or folder of testdata; an error is that of the reader.
pub(crate) fn open(path: &str) -> Result<Arc<Judged>, String> {
    let opening = {
        let mut opened = OPENED.lock().expect("no test fails in here");
        Arc::clone(opened.entry(path.to_owned()).or_default())
    };
    let open = || {
        let bundle = Bundle::open(&[path.to_owned()]).map_err(|error| error.to_string())?;
        Ok(Arc::new(Judged { bundle, report: OnceLock::new() }))
    };
    opening.get_or_init(open).clone()
}

/// Opens the capture of a story.
pub(crate) fn story(name: &str) -> Arc<Judged> {
    open(&format!("testdata/bundles/{name}/capture")).expect("the story can be read")
}
