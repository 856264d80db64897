//! The tables that the build makes of `grammar/messages`.

use super::catalogue::{Condition, Family, MessageKind, Outcome, Slot, Template};
use super::home::{Home, Owner};
use super::index::At;
use super::log::{Level, LogTemplate};
use super::names::MessageId;
use super::pattern::{Hole, Literal, Pattern, Piece};
use super::reason::Reason;
use super::role::{Class, Role};
use super::version::{Version, Versions};
use crate::grammar::kind::Kind;

include!(concat!(env!("OUT_DIR"), "/messages.rs"));
