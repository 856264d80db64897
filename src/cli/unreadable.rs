//! A sentence that helps where nothing could be judged: what the input is, and what to do with it.

use std::path::Path;

use super::progress::Progress;
use crate::bundle::Bundle;
use crate::error::Error;
use crate::report::clean;

/// Endings of files that hold no text, and what they are.
const KINDS: [(&[&str], &str); 4] = [
    (&["docx", "doc", "odt", "rtf"], "a document of a word processor; save it as plain text first"),
    (&["pdf"], "a PDF; copy its text into a file first"),
    (&["png", "jpg", "jpeg", "gif", "webp", "bmp"], "a picture; ask for the text that it shows"),
    (&["xlsx", "xls", "ods"], "a spreadsheet; save it as plain text first"),
];

/// Endings of archives.
const ARCHIVES: [&str; 7] = ["tgz", "gz", "zip", "tar", "zst", "xz", "bz2"];

fn ending(path: &str) -> String {
    let ending = Path::new(path).extension().unwrap_or_default();
    ending.to_string_lossy().to_lowercase()
}

/// Says whether a path is an archive by its name, and no folder.
pub(super) fn is_archive(path: &str) -> bool {
    ARCHIVES.contains(&&*ending(path)) && Path::new(path).is_file()
}

/// Says why there is nothing to check, where no path holds a manifest: a document, a picture, an empty folder.
pub(super) fn no_manifests(paths: &[String], judged: usize) -> Option<String> {
    const NEEDS: &str = "check judges manifests, files of YAML or JSON.";
    let kind = |path: &String| KINDS.iter().find(|(endings, _)| endings.contains(&&*ending(path)));
    let first = paths.first()?;
    if let Some((_, what)) = kind(first).filter(|_| paths.iter().all(|path| kind(path).is_some())) {
        return Some(clean(&format!("{first} is {what}. {NEEDS}")));
    }
    let folders = paths.iter().all(|path| Path::new(path).is_dir());
    let what = if is_empty_folder(first) { "is an empty folder" } else { "holds no manifest" };
    (judged == 0 && folders).then(|| clean(&format!("{first} {what}. {NEEDS}")))
}

fn is_empty_folder(path: &str) -> bool {
    walkdir::WalkDir::new(path).into_iter().flatten().all(|entry| entry.file_type().is_dir())
}

/// Opens a bundle in which something has to be recognised.
pub(super) fn open_filled(paths: &[String], progress: &Progress) -> Result<Bundle, Error> {
    let bundle = Bundle::open_watched(paths, progress.gauge())?;
    if bundle.is_empty() { Err(Error::Nothing(nothing_in(&bundle, paths))) } else { Ok(bundle) }
}

/// Opens a bundle that has to hold a capture.
pub(super) fn open_capture(paths: &[String], progress: &Progress) -> Result<Bundle, Error> {
    let bundle = Bundle::open_watched(paths, progress.gauge())?;
    no_capture(&bundle, paths).map_or(Ok(bundle), |text| Err(Error::Nothing(text)))
}

/// Says why there is nothing to analyze: nothing was recognised, or these are manifests.
pub(super) fn no_capture(bundle: &Bundle, paths: &[String]) -> Option<String> {
    match bundle.is_empty() {
        true => Some(nothing_in(bundle, paths)),
        false => manifests_only(bundle, paths),
    }
}

/// Says why nothing was recognised in a bundle.
pub(super) fn nothing_in(bundle: &Bundle, paths: &[String]) -> String {
    let first = paths.first().map(String::as_str).unwrap_or_default();
    let name = if first == "-" { "standard input" } else { first };
    let known = KINDS.iter().find(|(endings, _)| endings.contains(&&*ending(first)));
    let text = match known {
        Some((_, what)) => format!("{name} is {what}."),
        None if bundle.sources.iter().next().is_none() && bundle.tally.binary == 0 => {
            let what = if Path::new(first).is_dir() { "an empty folder" } else { "empty" };
            format!("{name} is {what}.")
        }
        None if bundle.sources.iter().next().is_none() => {
            format!("{name} holds no text, only binary files.")
        }
        None => format!(
            "nothing in {name} was recognised: no object of Kubernetes, no table of kubectl, no log of an agent."
        ),
    };
    let refused = match bundle.refusals.as_slice() {
        [] => String::new(),
        [one] => format!(" {} was not read: {}.", one.path, one.reason),
        [first, ..] => format!(
            " {} files were not read, {} first: {}.",
            bundle.refusals.len(),
            first.path,
            first.reason
        ),
    };
    clean(&format!(
        "{text}{refused} A bundle is a folder, an archive or a text with the output of kubectl get -o yaml, kubectl describe or kubectl logs."
    ))
}

/// Says what to do where manifests were given instead of a bundle: objects that no API server has stored.
fn manifests_only(bundle: &Bundle, paths: &[String]) -> Option<String> {
    let mut roots = bundle.parsed.iter().flat_map(|parsed| &parsed.documents);
    let stored = |root: &crate::syntax::tree::Node| {
        let meta = root.get("metadata");
        let stamped = ["uid", "creationTimestamp", "resourceVersion", "generation"];
        root.get("status").is_some()
            || root.get("kind").is_none()
            || root.get("apiVersion").is_none()
            || stamped.iter().any(|key| meta.is_some_and(|meta| meta.get(key).is_some()))
    };
    let any = bundle.parsed.iter().any(|parsed| !parsed.documents.is_empty());
    let texts = bundle.parsed.iter().any(|parsed| !parsed.rejections.is_empty());
    let all = roots.all(|document| document.root.as_ref().is_some_and(|root| !stored(root)));
    if !any || texts || !all || !bundle.logs.is_empty() {
        return None;
    }
    let shown: Vec<String> = paths.iter().map(|path| clean(path)).collect();
    Some(format!(
        "these are manifests: no object has a status or was stored by an API server. To judge them before they are applied: fleetlens check {}",
        shown.join(" ")
    ))
}
