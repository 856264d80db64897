//! The tables that the build makes of `grammar/messages`.

use super::catalogue::{
    ConditionSpec, MessageKind, PrefixLayer, SelfRecovery, Template, TemplateFile,
};
use super::condition_home::{ConditionHome, ReasonOwner};
use super::hole_role::{HoleClass, HoleRole};
use super::index::PatternPosition;
use super::log::{LogLevel, LogTemplate};
use super::names::MessageId;
use super::pattern::{Hole, MessagePattern, PatternLiteral, PatternPiece};
use super::reason::Reason;
use super::version::{Version, Versions};
use crate::grammar::kind::Kind;

include!(concat!(env!("OUT_DIR"), "/messages.rs"));
