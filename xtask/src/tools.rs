//! What some tests need besides Rust, made ready before they run.
//!
//! Each tool has a file of its own with one function that finds it, or installs it where we may, or
//! says why not. A tool that is ready is handed to the tests as an environment variable; one that is
//! missing is named loudly, with the way to get it. Whether that is a failure is decided by `test`;
//! what some machines cannot have is never one.
//!
//! What installers print is not shown: it is long, and names mirrors that mean nothing elsewhere.
//!
//! A server that was started for the tests runs as long as its `Tools` are kept.

mod bubblewrap;
mod chromium;
mod debian;
mod mcp;
mod openai;
mod opencode;
mod podman;
pub(crate) mod postgres;
mod python_telegram_bot;
mod sshd;
pub(crate) mod strace;

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{cargo, say};
use postgres::Cluster;

/// A tool the tests can use.
#[derive(Debug)]
pub(crate) struct Ready {
    /// The environment variable by which tests find it.
    pub(crate) variable: &'static str,
    /// The program to start, or the address of a server.
    pub(crate) program: PathBuf,
}

/// The outcome for all tools.
#[derive(Debug, Default)]
pub(crate) struct Tools {
    pub(crate) ready: Vec<Ready>,
    /// The names of those that could not be had.
    pub(crate) missing: Vec<&'static str>,
    /// The database server that was started for the tests.
    cluster: Option<Cluster>,
}

/// One tool: its name, how tests find it, how a person gets it, and how we do.
struct Tool<'a> {
    name: &'static str,
    variable: &'static str,
    by_hand: &'static str,
    need: Need,
    obtain: &'a dyn Fn() -> Result<PathBuf>,
}

/// Whether a machine without a tool can be told to get it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Every machine can have it.
    Always,
    /// Some machines do not allow it, and nobody can change that from within.
    WherePossible,
}

/// Makes ready every tool that can be had here.
pub(crate) fn prepare(target: &Path) -> Tools {
    let mut tools = Tools::default();
    tools.take(&Tool {
        name: "chromium",
        variable: "ANGELIA_TEST_CHROMIUM",
        need: Need::Always,
        by_hand: "install Chromium, or set ANGELIA_TEST_CHROMIUM to a browser of that family",
        obtain: &chromium::obtain,
    });
    tools.take(&Tool {
        name: "openai and anthropic for Python",
        variable: "ANGELIA_TEST_OPENAI_PYTHON",
        need: Need::Always,
        by_hand: "install Python 3 with its venv module, or set ANGELIA_TEST_OPENAI_PYTHON to a \
                  Python that has the packages `openai` and `anthropic`",
        obtain: &|| openai::obtain(target),
    });
    tools.take(&Tool {
        name: "python-telegram-bot",
        variable: "ANGELIA_TEST_TELEGRAM_PYTHON",
        need: Need::Always,
        by_hand: "install Python 3 with its venv module, or set ANGELIA_TEST_TELEGRAM_PYTHON to a \
                  Python that has the package `python-telegram-bot`",
        obtain: &|| python_telegram_bot::obtain(target),
    });
    tools.take_servers(target);
    tools.take(&Tool {
        name: "opencode",
        variable: "ANGELIA_TEST_OPENCODE",
        need: Need::Always,
        by_hand: "install OpenCode 1.18, or set ANGELIA_TEST_OPENCODE to its program",
        obtain: &|| opencode::obtain(target),
    });
    tools.take_places(target);
    tools.take_databases(target);
    tools
}

impl Tools {
    /// Servers whose tools are called.
    fn take_servers(&mut self, target: &Path) {
        self.take(&Tool {
            name: "an MCP server from npm",
            variable: "ANGELIA_TEST_MCP_EVERYTHING",
            need: Need::Always,
            by_hand: "install Node.js with npm",
            obtain: &|| mcp::everything(target),
        });
        self.take(&Tool {
            name: "an MCP server from PyPI",
            variable: "ANGELIA_TEST_MCP_PYTHON",
            need: Need::Always,
            by_hand: "install Python 3 with its venv module",
            obtain: &|| mcp::python(target),
        });
    }

    /// The places besides this machine in which commands are run.
    fn take_places(&mut self, target: &Path) {
        self.take(&Tool {
            name: "sshd",
            variable: "ANGELIA_TEST_SSHD",
            need: Need::Always,
            by_hand: "install the server and the client of OpenSSH",
            obtain: &sshd::obtain,
        });
        self.take(&Tool {
            name: "bubblewrap",
            variable: "ANGELIA_TEST_BWRAP",
            need: Need::WherePossible,
            by_hand: "install bubblewrap, and allow user namespaces",
            obtain: &bubblewrap::obtain,
        });
        self.take(&Tool {
            name: "podman",
            variable: "CONTAINERS_CONF",
            need: Need::WherePossible,
            by_hand: "install podman and a static busybox, on a machine that may run containers",
            obtain: &|| podman::obtain(target),
        });
    }

    /// Database servers besides the one that is part of the program.
    fn take_databases(&mut self, target: &Path) {
        let started = RefCell::new(None);
        self.take(&Tool {
            name: "PostgreSQL",
            variable: "ANGELIA_TEST_POSTGRES",
            need: Need::Always,
            by_hand: "install PostgreSQL 14 or later, or set ANGELIA_TEST_POSTGRES to the address of a \
                      server on which databases may be made (postgres://…)",
            obtain: &|| {
                let cluster = Cluster::start(target)?;
                let address = cluster.address();
                started.replace(Some(cluster));
                Ok(PathBuf::from(address))
            },
        });
        self.cluster = started.into_inner();
    }

    fn take(&mut self, tool: &Tool<'_>) {
        let given = cargo::variable(tool.variable).map(PathBuf::from);
        match given.map_or_else(tool.obtain, Ok) {
            Ok(program) => {
                say::step(format!("{} is ready: {}", tool.name, program.display()));
                self.ready.push(Ready {
                    variable: tool.variable,
                    program,
                });
            }
            Err(error) => {
                say::loud(format!(
                    "{} is missing, its tests are LEFT OUT: {error:#}",
                    tool.name
                ));
                say::loud(format!("to get it: {}", tool.by_hand));
                if tool.need == Need::Always {
                    self.missing.push(tool.name);
                }
            }
        }
    }
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
