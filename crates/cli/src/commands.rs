//! One file per command.

mod access;
mod approvals;
mod chat;
mod config;
pub(crate) mod docs;
mod doctor;
mod migrate;
mod outbox;
mod platforms;
mod processes;
mod restart;
mod serve;
mod sessions;
mod setup;
mod status;
mod trace;
mod usage;

use angelia_api::client::Rows;

use crate::args::{self, Command, CommandLine, Place};
use crate::config::environment::Environment;
use crate::config::{ConfigFile, Named, Overrides};
use crate::errors::Failure;
use crate::home::Home;
use crate::output::{Form, Output};

/// What every command starts from.
struct Start {
    home: Home,
    environment: Environment,
    config: ConfigFile,
}

/// Runs the command.
pub(crate) fn run(line: CommandLine) -> Result<(), Failure> {
    let start = || Start::find(line.place);
    match line.command {
        Command::Serve(serve) => serve::run(start()?, serve),
        Command::Chat(chat) => chat::run(&start()?, chat),
        Command::Restart(args::Restart {}) => restart::run(start()?),
        Command::Status(status) => status::run(&start()?, status),
        Command::Usage(usage) => usage::run(&start()?, &usage),
        Command::Doctor(doctor) => doctor::run(start()?, &doctor),
        Command::Setup(setup) => setup::run(&start()?, &setup),
        Command::Trace(trace) => trace::run(start()?, trace),
        Command::Sessions(sessions) => sessions::run(&start()?, sessions),
        Command::Processes(processes) => processes::run(&start()?, processes),
        Command::Access(access) => access::run(&start()?, access),
        Command::Approvals(approvals) => approvals::run(&start()?, approvals),
        Command::Outbox(outbox) => outbox::run(&start()?, outbox),
        Command::Platforms(platforms) => platforms::run(start()?, platforms),
        Command::Config(config) => config::run(start()?, config),
        Command::Migrate(migrate) => migrate::run(start()?, &migrate),
        Command::Docs(docs) => docs::run(&docs),
    }
}

impl Start {
    fn find(place: Place) -> Result<Self, Failure> {
        let environment = Environment::read();
        let home = Home::find(place.home, &environment)?;
        let named = place.config.or_else(|| environment.config.clone());
        let config = match named {
            Some(path) => {
                let absolute = std::path::absolute(&path).unwrap_or(path);
                ConfigFile::new(absolute, Named::Explicitly)
            }
            None => ConfigFile::new(home.config(), Named::Usually),
        };
        Ok(Self {
            home,
            environment,
            config,
        })
    }

    /// What stands above and below the file, beside flags.
    fn overrides(&self) -> Overrides {
        Overrides {
            listen: None,
            database: self.environment.database.clone(),
            machine_zone: self.environment.zone.clone(),
        }
    }

    fn output(&self, form: Form) -> Output {
        Output::new(form, self.environment.colour)
    }
}

impl From<args::Rows> for Rows {
    fn from(rows: args::Rows) -> Self {
        Self {
            after: rows.after,
            limit: Some(usize::from(rows.limit)),
        }
    }
}
