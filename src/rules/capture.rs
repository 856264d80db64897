//! FL08xx: contradictions within a capture.

pub mod contradicting_sightings;
pub mod impossible_condition;
pub mod two_moments;
