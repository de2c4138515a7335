//! Background processes: found, read as they speak, talked to and stopped, on a wide screen and a phone.

use crate::browser::page::{Scheme, Screen};
use crate::browser::{Visit, journey};
use crate::world::wait_for;

/// Lets the agent start something; the process.
fn start(visit: &mut Visit, command: &str) -> String {
    visit.page.goto("/#/chat/console");
    visit.page.wait_for(".composer textarea");
    let known = ids(visit).len();
    visit.say(&format!("start {command}"));
    wait_for("the process", || {
        let page = visit.world.json(&["processes", "list", "--json"]);
        let is_there = page["items"].as_array()?.len() > known;
        let newest = &page["items"][0];
        let id = || newest["id"].as_str().unwrap().to_owned();
        (is_there && newest["state"] != "starting").then(id)
    })
}

/// All processes there are, newest first.
fn ids(visit: &Visit) -> Vec<String> {
    let page = visit.world.json(&["processes", "list", "--json"]);
    let items = page["items"].as_array().unwrap().iter();
    let id = |item: &serde_json::Value| item["id"].as_str().unwrap().to_owned();
    items.map(id).collect()
}

fn stop_all(visit: &Visit) {
    for id in ids(visit) {
        visit.world.ok(&["processes", "kill", &id]);
    }
}

#[test]
fn browser_reads_a_process_talks_to_it_and_stops_it() {
    journey(|visit| {
        visit.sign_in();
        let id = start(
            visit,
            "echo ready; while read -r line; do echo \"got <b>$line</b>\"; done",
        );
        visit.page.wait_text(".page-head .process-link", "1process");
        visit.page.press("Escape");
        visit.page.press("g");
        visit.page.press("p");
        visit.page.wait_text(".process-row .tag", "running");
        visit.page.click(".process-row");
        visit.page.wait_text(".term", "ready");
        visit.page.wait_text(".process-about", "by you");

        visit.page.click(".term-entry");
        for word in ["one", "two"] {
            visit.page.type_text(word);
            visit.page.press("Enter");
            visit.page.wait_text(".term", &format!("got <b>{word}</b>"));
        }
        assert_eq!(
            visit.page.texts(".term b"),
            [""; 0],
            "it is text, not markup"
        );

        visit.page.click(".head-actions .button");
        visit.page.wait_text("dialog[open]", "Stop this process?");
        visit.page.click("dialog .button.danger");
        visit.page.wait_text(".facts .tag", "stopped");
        visit.page.wait_text(".process-end", "SIG");
        let state = visit.world.json(&["processes", "list", "--json"])["items"][0]["state"].clone();
        assert_eq!(state, "killed");
        visit.page.reload();
        visit.page.wait_text(".term", "got <b>two</b>");
        visit.page.wait_text(".process-about a", "console");

        visit.page.goto("/#/processes");
        visit
            .page
            .wait_text(".empty", "Nothing runs in the background");
        visit.page.click(".segments a[href='#/processes/all']");
        visit.page.wait_text(".process-row", "stopped");
        visit
            .page
            .goto("/#/processes/prc_00000000000000000000000007");
        visit
            .page
            .forgive_once("/api/v1/processes/prc_00000000000000000000000007", 404);
        visit.page.wait_text(".empty", "no such process");
        assert!(id.starts_with("prc_"));
    });
}

#[test]
fn browser_types_every_key_to_a_process_on_a_terminal() {
    journey(|visit| {
        visit.sign_in();
        let id = start(
            visit,
            "--pty stty -echo; trap 'echo caught' INT; printf 'one \\033[32mgreen\\033[0m\\n'; \
             sleep 1000; stty size; read -r line; echo \"got $line\"; exit 7",
        );
        visit.page.goto(&format!("/#/processes/{id}"));
        visit.page.wait_text(".term .ink-2", "green");
        visit.page.wait_for(".term .cursor");
        visit.page.click(".term-keys .button:last-child");
        visit.page.wait_text("#notices", " by ");
        visit.page.click("[aria-label='Interrupt']");
        visit.page.wait_text(".term", "caught");
        let size = visit.page.texts("#notices .notice")[0].replace(['.'], "");
        let (columns, rows) = size.split_once(" by ").unwrap();
        visit.page.wait_text(".term", &format!("{rows} {columns}"));

        visit.page.click(".term-keys [aria-pressed]");
        visit.page.wait_for(".term.direct");
        for key in ["h", "i", "Enter"] {
            visit.page.press(key);
        }
        visit.page.wait_text(".term", "got hi");
        visit.page.wait_text(".process-end", "exited with code 7");
        visit.page.wait_text(".facts .tag", "exited 7");
    });
}

#[test]
fn browser_follows_a_process_through_an_outage() {
    use crate::browser::watch::Weather;
    use rustix::process::Signal;

    journey(|visit| {
        visit.sign_in();
        let id = start(
            visit,
            "i=0; while read -r line; do i=$((i+1)); echo \"$i:$line\"; done",
        );
        visit.page.goto(&format!("/#/processes/{id}"));
        visit.page.wait_for(".term-entry");
        visit.world.ok(&["processes", "write", &id, "before"]);
        visit.page.wait_text(".term", "1:before");
        visit.page.weather(Weather::Outage);
        visit.gateway.running.signal(Signal::KILL);
        wait_for("the gateway to be gone", || {
            visit.gateway.running.has_ended()
        });
        let again = ["serve", "--listen", &visit.gateway.address];
        visit.gateway.running = visit.world.start(&again);
        wait_for("the gateway to be back", || {
            (visit.world.run(&["processes", "write", &id, "after"]).code == Some(0)).then_some(())
        });
        visit.page.wait_text(".term", "2:after");
        visit.page.weather(Weather::Fair);
        let said = visit.page.texts(".term-lines .term-line");
        let said: Vec<&str> = said
            .iter()
            .map(|line| line.trim_end())
            .filter(|line| !line.is_empty())
            .collect();
        assert_eq!(said, ["1:before", "2:after"], "each once");
        stop_all(visit);
        visit.page.wait_text(".process-end", "asked to end");
    });
}

/// A build in colour with a progress bar, and something that draws a whole screen.
const BUILD: &str = "--pty printf '\\033[1m$ cargo build --release\\033[0m\\n'; \
    for c in core store gateway api; do printf '\\033[1;32m   Compiling\\033[0m angelia-%s v0.1.0\\n' $c; done; \
    printf '\\033[1;33mwarning\\033[0m: unused variable: `x`\\n\\033[1;34m  -->\\033[0m src/main.rs:3:9\\n'; \
    printf '\\033[1;31merror\\033[0m: this is what red looks like\\n\\033[36mcyan\\033[0m \\033[35mmagenta\\033[0m \\033[7m reversed \\033[0m \\033[38;5;208morange\\033[0m \\033[38;2;120;200;255msky\\033[0m \\033[48;5;22;38;5;120m on green \\033[0m \\033[2mfaint\\033[0m\\n'; \
    printf '\\033[1;36m    Building\\033[0m [=======>                   ] 10%%\\r'; \
    printf '\\033[1;36m    Building\\033[0m [==================>        ] 68%%: angelia-cli'; cat";

#[test]
fn browser_shows_processes_by_day_by_night_and_on_a_phone() {
    journey(|visit| {
        visit.sign_in();
        let id = start(visit, BUILD);
        start(visit, "tail -n 20 -F /var/log/does-not-exist.log");
        let failed = start(
            visit,
            "echo a rather long line of words that does not fit on a phone at all, not even in small letters; exit 3",
        );
        wait_for("an end", || {
            let page = visit.world.json(&["processes", "list", "--json"]);
            (page["items"][0]["state"] == "exited").then_some(())
        });
        let sessions = visit.world.json(&["sessions", "list", "--json"]);
        let session = format!("sessions/{}", sessions["items"][0]["id"].as_str().unwrap());
        let views = [
            ("process-talk", "chat/console", ".process-link", "2proc"),
            ("process-session", &session, ".process-link", "2proc"),
            ("processes", "processes/all", ".process-row", "exited 3"),
            ("process", &format!("processes/{id}"), ".term", "68%"),
            (
                "process-ended",
                &format!("processes/{failed}"),
                ".process-end",
                "code 3",
            ),
        ];
        for (scheme, light) in [(Scheme::Light, "light"), (Scheme::Dark, "dark")] {
            visit.page.scheme(scheme);
            for (screen, size) in [(Screen::Desktop, "desktop"), (Screen::Phone, "phone")] {
                visit.page.screen(screen);
                keep_pictures(visit, &views, &format!("{size}-{light}"));
            }
        }
        stop_all(visit);
    });
}

/// A view: its name, its address, and where which words are once it has been read.
type View<'a> = (&'a str, &'a str, &'a str, &'a str);

fn keep_pictures(visit: &mut Visit, views: &[View<'_>], under: &str) {
    for (name, address, place, words) in views {
        visit.page.goto(&format!("/#/{address}"));
        visit.page.wait_text(place, words);
        super::look::fits(visit, name);
        visit.page.picture(&format!("{under}-{name}")).unwrap();
    }
}
