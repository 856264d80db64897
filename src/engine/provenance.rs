//! [`Provenance`]: of what a report was made, so that a reader can tell whether another input is the same.

use crate::input::InputDigest;

/// Of what a report was made; no path of the machine on which it was made.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// The inputs, each with its digest.
    pub inputs: Vec<InputDigest>,
    /// The options that change what is found.
    pub flags: Vec<String>,
}
