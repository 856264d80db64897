//! FL09xx: the controllers themselves.

pub mod hub_agent_down;
