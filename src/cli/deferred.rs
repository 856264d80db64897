//! Arguments of a command that are described only when it is called.
//!
//! A hook starts the program for each commit; the options of the commands that it does not call would cost more
//! there than reading the manifest does.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// The arguments of one command.
#[derive(Debug)]
pub(super) struct Deferred<T>(pub(super) Box<T>);

impl<T: Args> Args for Deferred<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| keep_words(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| keep_words(command, T::augment_args_for_update))
    }
}

/// Adds arguments to a command whose own words stay: those of the arguments' type are for its readers.
fn keep_words(command: Command, augment: fn(Command) -> Command) -> Command {
    let words = command.get_about().cloned();
    let command = augment(command);
    match words {
        Some(words) => command.about(words),
        None => command,
    }
}

impl<T: FromArgMatches> FromArgMatches for Deferred<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self(Box::new(T::from_arg_matches(matches)?)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
