//! Tests of the kinds: lookups, the reader of the data files, and what the data files promise.

mod lookup;
mod promises;
mod reader;
