//! `fleetlens completions`, `man` and `version`: generated from the definitions of the commands.

use clap::{Args, Command};
use clap_complete::Shell;

use super::{Exit, output};
use crate::error::Error;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell to complete in.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completions of a shell.
pub(super) fn completions(args: &CompletionsArgs, mut command: Command) -> Result<Exit, Error> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "fleetlens", &mut text);
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Clean)
}

/// Prints the manual page, with a section for each command.
pub(super) fn man(mut command: Command) -> Result<Exit, Error> {
    command.build();
    let mut text = Vec::new();
    let failed = |source| Error::Write { path: "standard output".into(), source };
    clap_mangen::Man::new(command.clone()).render(&mut text).map_err(failed)?;
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        let man = clap_mangen::Man::new(inner.clone());
        man.render_name_section(&mut text).map_err(failed)?;
        man.render_synopsis_section(&mut text).map_err(failed)?;
        man.render_options_section(&mut text).map_err(failed)?;
    }
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Clean)
}

/// Prints the version, and the schema of the JSON report.
pub(super) fn version() -> Result<Exit, Error> {
    let version = env!("CARGO_PKG_VERSION");
    output::print(&format!("fleetlens {version}\nJSON report: fleetlens/report/1\n"))?;
    Ok(Exit::Clean)
}
