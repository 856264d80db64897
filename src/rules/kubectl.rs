//! FL083x: what kubectl and the API server answered to somebody's request.

pub mod answer;
pub mod lacking_right;
pub mod refused_change;
pub mod unserved_kind;
