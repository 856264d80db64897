//! What is shipped beside the program agrees with it: versions, options, names of artefacts, what is to be filled in.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_yaml::Value;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn yaml(path: &str) -> Value {
    serde_yaml::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the files of a folder and below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    walk.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

#[test]
fn every_file_names_the_version_of_the_crate() {
    for path in ["packaging/ci/gitlab.yml", "packaging/pre-commit/pyproject.toml"] {
        assert!(read(path).contains(&format!("fleetlens=={VERSION}")), "{path}");
    }
    let mirror = read("packaging/pre-commit/pyproject.toml");
    assert!(mirror.contains(&format!("\nversion = \"{VERSION}\"\n")));
    assert_eq!(yaml("packaging/github/action.yml")["inputs"]["version"]["default"], VERSION);
    let azure = yaml("packaging/ci/azure-pipelines.yml");
    let asked = azure["parameters"].as_sequence().expect("parameters");
    let version = asked.iter().find(|it| it["name"] == "version").expect("a version");
    assert_eq!(version["default"], VERSION);
}

/// The options of a command that a text uses.
fn options_used(text: &str, command: &str) -> Vec<String> {
    let call = format!("fleetlens {command} ");
    let quoted = format!("fleetlens\" {command} ");
    let calls = text.lines().filter_map(|line| {
        let at = line.find(&call).map(|at| at + call.len());
        at.or_else(|| line.find(&quoted).map(|at| at + quoted.len())).and_then(|at| line.get(at..))
    });
    let words = calls.flat_map(|rest| {
        rest.split_whitespace().map(|word| word.trim_matches(['"', '`', ',', '.']))
    });
    words.filter(|word| word.starts_with("--") && word.len() > 2).map(str::to_owned).collect()
}

#[test]
fn every_option_that_is_shipped_exists() {
    let help = |command: &str| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_fleetlens")).args([command, "--help"]).output();
        String::from_utf8_lossy(&output.expect("it can be run").stdout).into_owned()
    };
    let (check, analyze) = (help("check"), help("analyze"));
    let mut seen = 0;
    let shipped = files(&root().join("packaging"));
    for path in shipped.into_iter().chain([root().join("README.md")]) {
        let text = std::fs::read_to_string(&path).expect("text");
        for (command, help) in [("check", &check), ("analyze", &analyze)] {
            for option in options_used(&text, command) {
                seen += 1;
                let name = option.split('=').next().unwrap_or_default();
                assert!(
                    help.contains(&format!("{name} "))
                        || help.contains(&format!("{name}\n"))
                        || help.contains(&format!("{name}[")),
                    "{}: {option}",
                    path.display()
                );
            }
        }
    }
    assert!(seen >= 6, "the calls of the program are not found any more: {seen}");
}

#[test]
fn what_is_to_be_filled_in_is_filled_in_by_the_release() {
    let release = read("packaging/release.sh");
    let krew = read("packaging/krew/fleetlens.yaml");
    let is_hole = |word: &&str| {
        !word.is_empty()
            && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    };
    let holes: Vec<&str> = krew.split('@').filter(is_hole).collect();
    assert_eq!(holes, ["VERSION", "REPOSITORY", "REPOSITORY", "VERSION", "SHA256"]);
    for hole in holes {
        assert!(
            release.contains(&format!("s/@{hole}@/")) || release.contains(&format!("s|@{hole}@|")),
            "{hole}"
        );
    }
    // The archive has one name, wherever it is named.
    let archive = "fleetlens-x86_64-unknown-linux-musl.tar.gz";
    assert!(krew.contains(archive) && release.contains("fleetlens-$target.tar.gz"));
    assert!(read("Cargo.toml").contains("/fleetlens-{ target }.tar.gz"));
    assert!(release.contains("name=fleetlens-$version-$target"));
    assert!(read("Cargo.toml").contains("bin-dir = \"fleetlens-{ version }-{ target }/"));
    let plugin = yaml("packaging/krew/fleetlens.yaml");
    assert_eq!(plugin["spec"]["platforms"][0]["bin"], "fleetlens");
}

#[test]
fn the_hook_without_rust_is_the_hook_with_it() {
    let here = yaml(".pre-commit-hooks.yaml");
    let mut mirror = yaml("packaging/pre-commit/.pre-commit-hooks.yaml");
    assert_eq!(mirror[0]["language"], "python");
    mirror[0]["language"] = here[0]["language"].clone();
    assert_eq!(mirror[0], here[0]);
}

#[test]
fn what_is_released_is_small_and_whole() {
    let cargo = read("Cargo.toml");
    let profile = cargo.split("[profile.dist]").nth(1).and_then(|rest| rest.split("\n[").next());
    let profile = profile.expect("a profile for what is released");
    for setting in ["lto = \"fat\"", "codegen-units = 1", "strip = \"symbols\"", "debug = false"] {
        assert!(profile.contains(setting), "{setting}");
    }
    let image = read("packaging/container/Containerfile");
    assert!(image.contains("--locked --profile dist"), "{image}");
    assert!(read("packaging/release.sh").contains("profile=${PROFILE:-dist}"));
}
