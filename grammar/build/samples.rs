//! Packs `grammar/samples`: for each rule a small input that it finds something in.

use std::error::Error;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

/// Stands before the code of each sample; no text of a sample has it.
const BORDER: char = '\u{1e}';

/// Writes all samples into one packed file, in the order of their codes.
pub(crate) fn write(out: &Path) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<_> = std::fs::read_dir("grammar/samples")?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    let mut pack = GzEncoder::new(Vec::new(), Compression::best());
    for file in files {
        let name = file.file_name();
        let Some(code) = Path::new(&name).file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        let text = std::fs::read_to_string(file.path())?;
        if text.contains(BORDER) {
            return Err(format!("the sample of {code} holds a record separator").into());
        }
        write!(pack, "{BORDER}{code}\n{text}")?;
    }
    std::fs::write(out.join("samples.gz"), pack.finish()?)?;
    Ok(())
}
