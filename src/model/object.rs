//! [`Object`]: one object of whatever family, typed.

use std::sync::Arc;

use super::approval::ApprovalRequest;
use super::cluster::MemberCluster;
use super::envelope::Envelope;
use super::eviction::{Budget, Eviction};
use super::meta::Meta;
use super::overrides::Override;
use super::placement::Placement;
use super::run::Run;
use super::strategy::Strategy;
use crate::grammar::kind::Kind;

/// A family of kinds that has a typed reader.
pub trait Typed: Sized {
    /// The family.
    const KIND: Kind;

    /// Returns the object as one of this family.
    fn of(object: &Object) -> Option<&Self>;
}

macro_rules! objects {
    ($($family:ident: $read:ty),+ $(,)?) => {
        /// An object that people write.
        #[derive(Clone, Debug)]
        pub enum Object {
            $(
                #[doc = concat!("A ", stringify!($family), ".")]
                $family(Arc<$read>),
            )+
            /// Of a family without a reader, or of an unknown kind.
            Other(Arc<Meta>),
        }

        impl Object {
            /// Reads an object of a family.
            pub fn read(family: Option<Kind>, meta: Arc<Meta>) -> Self {
                match family {
                    $(Some(Kind::$family) => Self::$family(Arc::new(<$read>::read(meta))),)+
                    _ => Self::Other(meta),
                }
            }

            /// Returns identity and metadata.
            pub fn meta(&self) -> &Arc<Meta> {
                match self {
                    $(Self::$family(object) => &object.meta,)+
                    Self::Other(meta) => meta,
                }
            }
        }

        $(impl Typed for $read {
            const KIND: Kind = Kind::$family;

            fn of(object: &Object) -> Option<&Self> {
                if let Object::$family(object) = object { Some(object) } else { None }
            }
        })+
    };
}

objects! {
    Run: Run,
    Strategy: Strategy,
    ApprovalRequest: ApprovalRequest,
    Placement: Placement,
    Override: Override,
    MemberCluster: MemberCluster,
    Eviction: Eviction,
    DisruptionBudget: Budget,
    Envelope: Envelope,
}
