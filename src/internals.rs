//! What the tests, benches and fuzz targets of this repository reach into: one name each, and no promise to anybody else.
//!
//! What is neither here nor part of the library's face is private, so that the compiler sees what nobody uses. A test
//! that can go through the face does.

pub mod bundle {
    //! Of `bundle`.

    pub use crate::bundle::{Bundle, KeptLog, decide_retention};
}

pub mod check {
    //! Of `check`.

    pub use crate::check::{Baseline, CheckExtent, CheckSettings, apply_fixes, check};
}

pub mod config {
    //! Of `config`.

    pub use crate::config::{
        Config, FileConfig, Focus, IGNORE_KEYS, KEYS, Level, Pages, Policy, SCHEMA,
    };
}

pub mod engine {
    //! Of `engine`.

    pub use crate::engine::{
        LogReading, Report, judge, judge_graph, log_readings, marked_tree, report_history,
        run_rules,
    };

    pub mod compare {
        //! Of `engine::compare`.

        pub use crate::engine::compare::compare;
    }

    pub mod verdict {
        //! Of `engine::verdict`.

        pub use crate::engine::verdict::{Health, Standing};
    }
}

pub mod error {
    //! Of `error`.

    pub use crate::error::Fault;
}

pub mod finding {
    //! Of `finding`.

    pub use crate::finding::{Certainty, Command, Finding, Layer, Risk, Safety, Severity};
}

pub mod grammar {
    //! Of `grammar`.

    pub use crate::grammar::digest;

    pub mod kind {
        //! Of `grammar::kind`.

        pub use crate::grammar::kind::find_kind;
    }

    pub mod message {
        //! Of `grammar::message`.

        pub use crate::grammar::message::{
            HoleRole, LogLevel, MessageContext, MessageKind, PrefixLayer, Recognised, SelfRecovery,
            Version, key_role, log_template, recognise, version_bounds,
        };
    }
}

pub mod graph {
    //! Of `graph`.

    pub use crate::graph::{Graph, ObjectSet, build};
}

pub mod input {
    //! Of `input`.

    pub use crate::input::{
        DecodedText, Input, InputFile, Limits, ReadAt, ReadOutcome, UnreadReason, digests,
        read_inputs,
    };
}

pub mod manifest {
    //! Of `manifest`.

    pub use crate::manifest::{FileRole, Repository, Setting, Webhooks};
}

pub mod model {
    //! Of `model`.

    pub mod key {
        //! Of `model::key`.

        pub use crate::model::key::ObjectKey;
    }

    pub mod run {
        //! Of `model::run`.

        pub use crate::model::run::Run;
    }
}

pub mod redact {
    //! Of `redact`.

    pub use crate::redact::{Names, Redactor};
}

pub mod report {
    //! Of `report`.

    pub use crate::report::{
        azure, concise, github, gitlab, html, human, json, junit, markdown, plan, reply, sarif,
        timeline, tree,
    };
}

pub mod rule {
    //! Of `rule`.

    pub use crate::rule::{Check, Reads, Rule, RuleScope, World};
}

pub mod rules {
    //! Of `rules`.

    pub use crate::rules::{ALL, find_rule};
}

pub mod source {
    //! Of `source`.

    pub use crate::source::{Encoding, Origin, SourceFile, Sources, Span, is_harmful};
}

pub mod syntax {
    //! Of `syntax`.

    pub use crate::syntax::{
        Context, Document, DocumentFilter, DocumentHead, Parsed, ProblemKind, Syntax,
    };

    pub mod compare {
        //! Of `syntax::compare`.

        pub use crate::syntax::compare::{TreeDifference, compare_documents};
    }

    pub mod describe {
        //! Of `syntax::describe`.

        pub use crate::syntax::describe::parse_describe;
    }

    pub mod detect {
        //! Of `syntax::detect`.

        pub use crate::syntax::detect::parse_source;
    }

    pub mod json {
        //! Of `syntax::json`.

        pub use crate::syntax::json::parse_json;
    }

    pub mod log {
        //! Of `syntax::log`.

        pub use crate::syntax::log::{
            DecisionScope, FieldValue, GroupId, LogClock, LogCounts, LogScan, Record,
            RecordDecision, RecordHead, Retention, RetentionPolicy, ScanOptions, ScannedLog,
            Transport, Writer, looks_like_log, scan_file, scan_log, scan_log_with, scan_text,
            scan_text_with,
        };
    }

    pub mod table {
        //! Of `syntax::table`.

        pub use crate::syntax::table::parse_table;
    }

    pub mod tree {
        //! Of `syntax::tree`.

        pub use crate::syntax::tree::{Fidelity, Node, Style, Value};
    }

    pub mod view {
        //! Of `syntax::view`.

        pub use crate::syntax::text_view::TextView;
    }

    pub mod yaml {
        //! Of `syntax::yaml`.

        pub use crate::syntax::yaml::{parse_manifests, parse_yaml};
    }
}

pub mod views {
    //! Of `views`.

    pub mod plan {
        //! Of `views::plan`.

        pub use crate::views::plan::{ClusterEvidence, Plan, Plans, plans};
    }

    pub mod timeline {
        //! Of `views::timeline`.

        pub use crate::views::timeline::{Period, Timeline, timeline};
    }

    pub mod tree {
        //! Of `views::tree`.

        pub use crate::views::tree::{FleetTree, ObjectQuery, TreeNode, provenance};
    }
}
