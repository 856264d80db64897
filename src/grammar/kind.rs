//! The kinds: names, groups, versions, short names, scope, table columns, fields.
