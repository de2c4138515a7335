//! A place of one's own on the PostgreSQL server of the tests.
//!
//! `cargo xtask test` starts a server and names it in `ANGELIA_TEST_POSTGRES`; anybody else may name their own.
//! Each test gets a schema there, which goes with it. Without a server the tests that need one are left out,
//! loudly, and where `CI=true` that is a failure.

pub mod cluster;
pub mod proxy;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use postgres::error::SqlState;
use postgres::{Client, Error, NoTls};

/// Where tests find the server.
const VARIABLE: &str = "ANGELIA_TEST_POSTGRES";

/// Schemas made by this process.
static MADE: AtomicU32 = AtomicU32::new(0);

/// A schema that is dropped with this.
#[derive(Debug)]
pub struct Schema {
    /// Where a store is opened to be in it.
    pub address: String,
    server: String,
    name: String,
}

impl Schema {
    /// A new schema, if there is a server.
    ///
    /// # Panics
    /// If the server does not answer, or if there is none and `CI=true`.
    pub fn of_this_test() -> Option<Self> {
        let server = server()?;
        let name = format!(
            "angelia_{}_{}",
            std::process::id(),
            MADE.fetch_add(1, Ordering::Relaxed)
        );
        run(
            &server,
            &format!("DROP SCHEMA IF EXISTS {name} CASCADE; CREATE SCHEMA {name}"),
        );
        let sign = if server.contains('?') { '&' } else { '?' };
        Some(Self {
            address: format!(
                "{server}{sign}options=-csearch_path%3D{name}&application_name={name}"
            ),
            server,
            name,
        })
    }

    /// Cuts every connection to this schema, as a server that is restarted does.
    ///
    /// # Panics
    /// If the server refuses it.
    pub fn cut(&self) {
        let ours = format!("WHERE application_name = '{}'", self.name);
        run(
            &self.server,
            &format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity {ours}"),
        );
    }
}

/// What tests do to the rows behind the back of a gateway.
impl Schema {
    /// Runs this in it.
    ///
    /// # Panics
    /// If the server refuses it.
    pub fn run(&self, sql: &str) {
        run(
            &self.server,
            &format!("SET search_path TO {}; {sql}", self.name),
        );
    }

    /// Ends the connections on which bells between nodes are heard. What is rung before there are others is lost.
    ///
    /// # Panics
    /// If the server refuses it.
    pub fn deafen(&self) {
        let hears = format!(
            "application_name = '{}' AND query LIKE 'LISTEN %'",
            self.name
        );
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE";
        run(&self.server, &format!("{sql} {hears}"));
    }
}

/// Somebody who stands still with rows in hand, until this goes.
#[derive(Debug)]
pub struct Holder {
    goes: Sender<()>,
    stands: Option<JoinHandle<()>>,
}

impl Schema {
    /// Whoever holds the rows that this statement locks. It holds them when this returns.
    ///
    /// # Panics
    /// If the server refuses it.
    pub fn hold(&self, sql: &str) -> Holder {
        let sql = format!("SET search_path TO {}; BEGIN; {sql}", self.name);
        let address = self.server.clone();
        let (goes, gone) = mpsc::channel::<()>();
        let (has, held) = mpsc::channel();
        let stand = move || {
            let mut client = Client::connect(&address, NoTls).expect("the server answers");
            has.send(client.batch_execute(&sql)).expect("it is awaited");
            let _ = gone.recv();
        };
        let stands = thread::Builder::new().name("holder".to_owned());
        let stands = stands.spawn(stand).expect("a thread can be started");
        let locked = held.recv().expect("the holder lives");
        locked.expect("the server locks it");
        Holder {
            goes,
            stands: Some(stands),
        }
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let _ = self.goes.send(());
        if let Some(stands) = self.stands.take() {
            let _ = stands.join();
        }
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        run(&self.server, &format!("DROP SCHEMA {} CASCADE", self.name));
    }
}

/// How often something is tried again that the server gave up in favour of a gateway that still runs.
const DEADLOCKS_MAX: usize = 20;

fn run(address: &str, sql: &str) {
    let mut done = tried(address, sql);
    for _ in 0..DEADLOCKS_MAX {
        if !is_deadlock(&done) {
            break;
        }
        done = tried(address, sql);
    }
    done.unwrap_or_else(|error| panic!("the server of the tests refuses `{sql}`: {error:?}"));
}

fn is_deadlock(done: &Result<(), Error>) -> bool {
    let code = done.as_ref().err().and_then(Error::code);
    code == Some(&SqlState::T_R_DEADLOCK_DETECTED)
}

/// The client waits in a way that no async test may wait, so it does on a thread of its own.
fn tried(address: &str, sql: &str) -> Result<(), Error> {
    let done = thread::scope(|scope| {
        let run = || Client::connect(address, NoTls)?.batch_execute(sql);
        scope.spawn(run).join()
    });
    done.expect("the thread ends")
}

#[expect(
    clippy::disallowed_methods,
    reason = "tests find their tools by the environment; nothing of the product reads it"
)]
fn server() -> Option<String> {
    let given = std::env::var(VARIABLE)
        .ok()
        .filter(|given| !given.is_empty());
    if given.is_none() {
        left_out(
            "no PostgreSQL server, so the second engine was not tried; run `cargo xtask test`, or set \
             ANGELIA_TEST_POSTGRES to the address of one",
        );
    }
    given
}

/// Says that a test was left out, and why.
///
/// # Panics
/// If `CI=true`: there all of them are run.
#[expect(
    clippy::disallowed_methods,
    reason = "tests find their tools by the environment; nothing of the product reads it"
)]
fn left_out(why: &str) {
    let words = format!("LEFT OUT: {why}");
    assert_ne!(std::env::var("CI").as_deref(), Ok("true"), "{words}");
    eprintln!("{words}");
}
