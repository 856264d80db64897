//! `fleetlens dump --compare`: do the trees of one object agree, whatever syntax it was printed in?
//!
//! Files of one object share their stem: `X.yaml`, `X.json`, `X.describe.txt`. YAML and JSON must agree in
//! full; describe may differ in what kubectl does not print, and each such loss has a name.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::bundle::Bundle;
use crate::cli::{Exit, output};
use crate::error::Error;
use crate::report::clean;
use crate::syntax::Document;
use crate::syntax::compare::compare_documents;

/// Compares all objects of a bundle that come in several syntaxes.
pub(super) fn run(bundle: &Bundle) -> Result<Exit, Error> {
    let mut objects: BTreeMap<&str, BTreeMap<&str, &Document>> = BTreeMap::new();
    for (source, parsed) in bundle.sources.iter().zip(&bundle.parsed) {
        let forms = [".describe.txt", ".json", ".yaml"];
        let split = forms.iter().find_map(|form| Some((source.path().strip_suffix(form)?, *form)));
        if let (Some((stem, form)), [document]) = (split, parsed.documents.as_slice()) {
            objects.entry(stem).or_default().insert(form, document);
        }
    }
    let (mut text, mut equal, mut lossy, mut wrong) = (String::new(), 0, 0, 0);
    for (stem, forms) in &objects {
        let Some(full) = forms.get(".json").or_else(|| forms.get(".yaml")) else { continue };
        let mut faults = Vec::new();
        let mut losses = Vec::new();
        if let (Some(yaml), Some(json)) = (forms.get(".yaml"), forms.get(".json"))
            && !yaml
                .root
                .as_ref()
                .zip(json.root.as_ref())
                .is_some_and(|(yaml, json)| yaml.has_value_of(json))
        {
            faults.push("yaml and json differ".to_owned());
        }
        for difference in
            forms.get(".describe.txt").into_iter().flat_map(|shown| compare_documents(full, shown))
        {
            match difference.loss {
                Some(loss) => losses.push(format!("{} ({loss:?})", difference.path)),
                None => faults.push(difference.path),
            }
        }
        match (faults.is_empty(), losses.is_empty()) {
            (true, true) => equal += 1,
            (true, false) => lossy += 1,
            (false, _) => wrong += 1,
        }
        for fault in &faults {
            let _ = writeln!(text, "{}: fault: {}", clean(stem), clean(fault));
        }
        for loss in &losses {
            let _ = writeln!(text, "{}: lost: {}", clean(stem), clean(loss));
        }
    }
    let _ = writeln!(text, "{equal} equal, {lossy} with named losses, {wrong} wrong");
    output::publish(&text, &bundle.sources)?;
    Ok(if wrong > 0 { Exit::Findings } else { Exit::Clean })
}
