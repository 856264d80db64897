//! Turns `grammar/kinds/*.yaml` into JSON, which the program embeds.
//!
//! People write and review YAML; reading it costs several times what reading JSON does, and a
//! pre-commit hook pays that for every file it checks. What the data means is left to
//! `src/grammar/kind`; here a fault of syntax stops the build.

#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=grammar/kinds");
    let out = std::env::var("OUT_DIR")?;
    for entry in fs::read_dir("grammar/kinds")? {
        let path = entry?.path();
        let Some(name) = path.file_stem().filter(|_| path.extension() == Some("yaml".as_ref()))
        else {
            continue;
        };
        let text = fs::read_to_string(&path)?;
        // Its own kind of value refuses a key that stands twice.
        let data: serde_yaml::Value =
            serde_yaml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        let json = serde_json::to_string(&data)?;
        fs::write(Path::new(&out).join(name).with_extension("json"), json)?;
    }
    Ok(())
}
