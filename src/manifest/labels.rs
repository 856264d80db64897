//! The label selectors of a manifest, wherever they stand in it.

use super::Manifest;
use crate::model::selector::LabelSelector;
use crate::syntax::tree::{Entry, Node};

impl Manifest {
    /// Returns all label selectors of what would be stored, in the order of the text.
    pub fn label_selectors(&self) -> Vec<LabelSelector> {
        let mut found = Vec::new();
        collect(self.stored_tree(), &mut found);
        found
    }
}

fn collect(node: &Node, found: &mut Vec<LabelSelector>) {
    for Entry { key, node, .. } in node.entries() {
        if &**key == "labelSelector" {
            found.push(LabelSelector::read(node));
        } else {
            collect(node, found);
        }
    }
    node.items().iter().for_each(|item| collect(item, found));
}
