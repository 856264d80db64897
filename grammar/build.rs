//! Turns `grammar/kinds` into what the program embeds: JSON, and an index without padding; and
//! links the program so that it starts fast.
//!
//! People write and review YAML and tables; reading those costs several times as much, and a
//! pre-commit hook pays that whenever it starts. What the data means is left to `src/grammar/kind`;
//! here a fault of syntax stops the build.

#![expect(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=grammar/kinds");
    // A program that can be loaded anywhere has its tables of rules rewritten at each start, which
    // costs a short check a fifth of its time. Nothing here is unsafe that would need the cover.
    if is("OS", "linux") && is("ENV", "gnu") {
        println!("cargo:rustc-link-arg-bin=fleetlens=-no-pie");
    }
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
    let index = fs::read_to_string("grammar/kinds/index.txt")?;
    let lines = index.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let squeezed: Vec<String> =
        lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    fs::write(Path::new(&out).join("index.txt"), squeezed.join("\n"))?;
    Ok(())
}

/// Says what the target is, as cargo tells it.
fn is(what: &str, value: &str) -> bool {
    std::env::var(format!("CARGO_CFG_TARGET_{what}")).is_ok_and(|found| found == value)
}
