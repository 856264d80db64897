//! What a hole in a message stands for, and which characters it may hold.
//!
//! Owns the roles, which `grammar/messages` names in lower case (`task-type`). Leaves the matching to `pattern`.
//! A role is what rules ask for; its class is only as strict as texts that people have pasted, wrapped or
//! masked by hand allow.

/// What a piece of a message or the value of a log key refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each role is named after what it refers to")]
pub enum HoleRole {
    Cluster,
    Stage,
    Run,
    Placement,
    Binding,
    Snapshot,
    SnapshotIndex,
    PolicySnapshot,
    Strategy,
    Override,
    OverrideSnapshot,
    ApprovalRequest,
    Work,
    Envelope,
    Eviction,
    Budget,
    Namespace,
    Name,
    Kind,
    Resource,
    Object,
    Field,
    Label,
    Index,
    Count,
    Number,
    State,
    Condition,
    Reason,
    TaskType,
    Agent,
    Quota,
    Webhook,
    Policy,
    Manager,
    User,
    Image,
    Pod,
    Container,
    Time,
    /// A text in its own right, mostly an error: `recognise` takes it apart too.
    Error,
    Text,
}

impl HoleRole {
    /// Says whether what is referred to is an object with a name of its own.
    pub fn is_object(self) -> bool {
        matches!(
            self,
            Self::Cluster
                | Self::Run
                | Self::Placement
                | Self::Binding
                | Self::Snapshot
                | Self::PolicySnapshot
                | Self::Strategy
                | Self::Override
                | Self::OverrideSnapshot
                | Self::ApprovalRequest
                | Self::Work
                | Self::Envelope
                | Self::Eviction
                | Self::Budget
                | Self::Object
        )
    }

    /// Returns the characters that a hole of this role may hold.
    pub(super) const fn class(self) -> HoleClass {
        match self {
            Self::Index | Self::Count | Self::Number => HoleClass::Number,
            Self::Object | Self::Time | Self::Error | Self::Text => HoleClass::Any,
            Self::Manager | Self::User => HoleClass::Quoted,
            Self::Field => HoleClass::Path,
            _ => HoleClass::Word,
        }
    }
}

/// The characters that a hole may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HoleClass {
    /// Digits with a sign and a point.
    Number,
    /// A name, with its namespace perhaps: no blank, no quote, no bracket, no comma.
    Word,
    /// A path into an object: no blank, no comma, no backtick.
    Path,
    /// Names with commas or blanks between them.
    List,
    /// Anything up to a double quote.
    Quoted,
    /// Any text.
    Any,
}

impl HoleClass {
    /// Tells whether a hole of this class may hold the byte.
    pub(super) fn holds(self, byte: u8) -> bool {
        match self {
            Self::Number => byte.is_ascii_digit() || matches!(byte, b'-' | b'.'),
            Self::Word => !matches!(byte, b'`' | b'"' | b'\'' | b',' | b'(' | b')' | b'[' | b']'),
            Self::Path => !matches!(byte, b'`' | b'\'' | b','),
            Self::List => !matches!(byte, b'`' | b'\'' | b'"' | b':' | b'(' | b')'),
            Self::Quoted => byte != b'"',
            Self::Any => true,
        }
    }

    /// Tells whether a hole of this class ends at a blank.
    pub(super) fn unbroken(self) -> bool {
        matches!(self, Self::Number | Self::Word | Self::Path)
    }
}
