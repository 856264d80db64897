//! [`LogReading`]: what was read of each log, and how its times were understood.

use jiff::Timestamp;

use crate::bundle::Bundle;
use crate::graph::Graph;
use crate::model::log::Log;

/// How much of a log was understood.
#[derive(Clone, Debug)]
pub struct LogReading {
    /// The file.
    pub path: String,
    /// The line of the file at which the log begins, for one that is part of a text.
    pub line: u32,
    /// The agent that wrote it, if that is known.
    pub agent: Option<&'static str>,
    /// The cluster it comes from, if that is known.
    pub cluster: Option<String>,
    /// LogLines read.
    pub lines: u64,
    /// Records in them.
    pub records: u64,
    /// Records that the catalogue knows.
    pub understood: u64,
    /// Records that name an object, or mention one that the bundle holds.
    pub attached: u64,
    /// LogLines that belong to no record.
    pub unparsed: u64,
    /// The first and the last instant.
    pub covers: Option<(Timestamp, Timestamp)>,
    /// The year of the first record, if the heads lack it and it was found.
    pub year: Option<i16>,
    /// How year and zone were found.
    pub timing: String,
}

/// Tells about each log of a bundle, in the order of its files.
pub fn log_readings(bundle: &Bundle, graph: &Graph) -> Vec<LogReading> {
    let logs = graph.logs.iter().zip(&bundle.logs);
    logs.map(|(log, kept)| {
        let file = bundle.sources.get(kept.source);
        let base = u32::try_from(kept.base).unwrap_or(u32::MAX);
        // The kept lines of a streamed log begin somewhere in it.
        let line = if file.is_sparse() { 1 } else { file.position(base).line };
        read(log, file.path(), line)
    })
    .collect()
}

fn read(log: &Log, path: &str, line: u32) -> LogReading {
    LogReading {
        path: path.to_owned(),
        line,
        agent: log.agent.name(),
        cluster: log.cluster.as_deref().map(str::to_owned),
        lines: log.counts.lines,
        records: log.counts.records,
        understood: log.counts.understood,
        attached: log.attached,
        unparsed: log.counts.unparsed,
        covers: log.covers,
        year: log.clock.map(|clock| clock.year),
        timing: log.timing(),
    }
}
