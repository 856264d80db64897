//! Writes files atomically: to a temporary file first, which is then renamed.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Writes a file whole or not at all; anything but a regular file (a device, a pipe) is written to directly.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let written = match path.metadata() {
        Ok(about) if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(about) if !about.is_file() => write_through(path, bytes),
        Ok(about) if about.permissions().readonly() => Err(io::ErrorKind::PermissionDenied.into()),
        // A link stays one: what it leads to is replaced.
        Ok(_) => path.canonicalize().and_then(|target| replace(&target, bytes)),
        Err(_) => replace(path, bytes),
    };
    written.map_err(|source| Error::Write { path: path.to_owned(), source })
}

fn write_through(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(bytes).and_then(|()| file.flush())
}

/// Puts other content into a file in one step, with the permissions that it has.
pub(super) fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let (aside, mut file) = beside(target)?;
    let written = file.write_all(bytes).and_then(|()| match target.metadata() {
        Ok(about) => file.set_permissions(about.permissions()),
        Err(_) => Ok(()),
    });
    let written = written.and_then(|()| file.sync_all());
    written.and_then(|()| std::fs::rename(&aside, target)).inspect_err(|_| {
        // Nothing is left to do if even the rest of a failed attempt cannot be taken away.
        let _ = std::fs::remove_file(&aside);
    })
}

/// Makes a file beside another, under a name that nobody has, so that a rename stays within one file system.
fn beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let name = target.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path =
        folder.unwrap_or(Path::new(".")).join(format!(".{name}.fleetlens-{}", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
    Ok((path, file))
}

/// Refuses outputs that are inputs, or each other: writing one would destroy the other.
pub(super) fn keep_apart(outputs: &[&Path], inputs: &[String]) -> Result<(), Error> {
    let real = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    let mut seen: Vec<PathBuf> = Vec::new();
    for output in outputs {
        // A device such as /dev/null may take any number of reports.
        if output.metadata().is_ok_and(|about| !about.is_file()) {
            continue;
        }
        let Some(place) = real(output) else { continue };
        let shown = output.display();
        if inputs.iter().any(|input| real(Path::new(input)).as_ref() == Some(&place)) {
            return Err(Error::Usage(format!(
                "{shown} is an input: the report would overwrite it"
            )));
        }
        let holds = |input: &String| real(Path::new(input)).is_some_and(|it| place.starts_with(it));
        if inputs.iter().any(holds) && place.is_file() && !is_report(&place) {
            return Err(Error::Usage(format!(
                "{shown} lies in a folder that is an input: the report would overwrite it"
            )));
        }
        if seen.contains(&place) {
            return Err(Error::Usage(format!("{shown} is named for two reports")));
        }
        seen.push(place);
    }
    Ok(())
}

/// Says whether a file is an earlier report, which a new one may replace wherever it lies: reports name the program.
#[expect(clippy::disallowed_methods, reason = "the command line is where files are read")]
fn is_report(path: &Path) -> bool {
    std::fs::read(path)
        .is_ok_and(|text| text.is_empty() || memchr::memmem::find(&text, b"fleetlens").is_some())
}
