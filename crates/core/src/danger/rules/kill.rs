//! Ending processes: all of them, by name, by pattern, or by what another program finds.

use super::remote::runs;
use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::reason::Reason;

/// What the gateway's own processes are called.
const OURS: &[&str] = &["angelia", "gateway"];

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    match program {
        "kill" => kills(call, found),
        "pkill" | "killall" => kills_by_name(call, program, found),
        _ => (),
    }
}

fn kills(call: &Call<'_>, found: &mut Findings) {
    if reaches_all(&call.texts().collect::<Vec<_>>()) {
        found.refuse(Reason::KillAll);
    }
    let looks_up = |program: &str| matches!(program, "pgrep" | "pidof");
    if call
        .arguments()
        .iter()
        .flat_map(|word| &word.inner)
        .any(|script| runs(script, &looks_up))
    {
        found.ask(Category::KillByLookup);
    }
}

/// Whether `-1` is meant as all processes. The first number with a dash is the signal, unless nothing
/// else is said.
fn reaches_all(texts: &[&str]) -> bool {
    let mut signal = Signal::Open;
    let mut rest = texts.iter();
    while let Some(text) = rest.next() {
        match (*text, signal) {
            ("-1", Signal::Given) => return true,
            ("-s" | "-n" | "--signal", Signal::Open) => {
                rest.next();
                signal = Signal::Given;
            }
            (_, Signal::Open) => signal = Signal::Given,
            (_, Signal::Given) => (),
        }
    }
    texts == ["-1"]
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    Open,
    Given,
}

fn kills_by_name(call: &Call<'_>, program: &str, found: &mut Findings) {
    let texts: Vec<String> = call.texts().map(str::to_lowercase).collect();
    let forced = |text: &str| matches!(text, "9" | "kill" | "sigkill");
    let short = texts.iter().filter_map(|text| text.strip_prefix('-'));
    let named = texts
        .windows(2)
        .filter(|pair| matches!(pair[0].as_str(), "-s" | "--signal"));
    let long = texts
        .iter()
        .filter_map(|text| text.strip_prefix("--signal="));
    if short
        .chain(named.map(|pair| pair[1].as_str()))
        .chain(long)
        .any(forced)
    {
        found.ask(Category::ForceKill);
    }
    if program == "killall" && (call.has_short("r") || call.has_long("--r", "--regexp")) {
        found.ask(Category::KillByPattern);
    }
    let ours = |text: &&str| OURS.iter().any(|name| text.to_lowercase().contains(name));
    if call.operands().iter().any(ours) {
        found.ask(Category::KillGateway);
    }
}
