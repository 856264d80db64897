//! The `fleetlens` command.

fn main() {}
