//! What counts as trouble on a page, and the little that is forgiven.
//!
//! Every event of the browser passes through here. A console that is sound logs no error, throws nothing,
//! keeps to its content policy and speaks with its own gateway alone. Forgiven is what the browser reports
//! although the console meant it: the first look whether somebody is signed in, an answer that a
//! journey provokes on purpose, and a gateway that a journey has taken away.

use serde_json::Value;

use super::cdp::Event;

/// Whether the gateway is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weather {
    Fair,
    /// The journey has ended it: that nobody answers is no trouble.
    Outage,
}

/// A refusal that may happen once.
#[derive(Debug)]
struct Forgiven {
    path: &'static str,
    status: u16,
}

/// Keeps an eye on one page.
#[derive(Debug)]
pub(super) struct Watch {
    origin: String,
    weather: Weather,
    forgiven: Vec<Forgiven>,
    troubles: Vec<String>,
}

impl Watch {
    pub(super) fn new(origin: &str) -> Self {
        let mut watch = Self {
            origin: origin.to_owned(),
            weather: Weather::Fair,
            forgiven: Vec::new(),
            troubles: Vec::new(),
        };
        watch.forgive_once("/api/v1/me", 401);
        watch
    }

    pub(super) fn forgive_once(&mut self, path: &'static str, status: u16) {
        self.forgiven.push(Forgiven { path, status });
    }

    pub(super) fn weather(&mut self, weather: Weather) {
        self.weather = weather;
    }

    pub(super) fn troubles(&self) -> &[String] {
        &self.troubles
    }

    pub(super) fn hear(&mut self, event: &Event) {
        if let Some(trouble) = self.trouble(event) {
            self.troubles.push(trouble);
        }
    }

    fn trouble(&mut self, Event { method, params }: &Event) -> Option<String> {
        match method.as_str() {
            "Runtime.exceptionThrown" => Some(format!("exception: {}", params["exceptionDetails"])),
            "Runtime.consoleAPICalled" => said_as_error(params),
            "Log.entryAdded" => self.logged(&params["entry"]),
            "Audits.issueAdded" => broken_policy(&params["issue"]),
            "Network.requestWillBeSent" => self.asked_elsewhere(&params["request"]["url"]),
            "Network.webSocketCreated" => self.asked_elsewhere(&params["url"]),
            "Page.javascriptDialogOpening" => Some(format!("a dialog: {}", params["message"])),
            "Inspector.targetCrashed" => Some("the page crashed".to_owned()),
            _ => None,
        }
    }

    fn logged(&mut self, entry: &Value) -> Option<String> {
        let is_trouble = entry["level"] == "error" || entry["source"] == "security";
        (is_trouble && !self.forgives(entry)).then(|| format!("logged: {entry}"))
    }

    fn forgives(&mut self, entry: &Value) -> bool {
        let url = entry["url"].as_str().unwrap_or_default();
        let text = entry["text"].as_str().unwrap_or_default();
        let Some(path) = url.strip_prefix(&self.origin) else {
            return false;
        };
        if entry["source"] != "network" {
            return false;
        }
        if self.weather == Weather::Outage && text.contains("net::ERR_") {
            return true;
        }
        let refused = |one: &Forgiven| {
            path == one.path && text.contains(&format!("status of {}", one.status))
        };
        let found = self.forgiven.iter().position(refused);
        found.map(|at| self.forgiven.remove(at)).is_some()
    }

    fn asked_elsewhere(&self, url: &Value) -> Option<String> {
        let url = url.as_str().unwrap_or_default();
        let (ours, rest) = (url.strip_prefix(&self.origin), url.strip_prefix("data:"));
        let is_ours = ours.is_some_and(|path| path.is_empty() || path.starts_with('/'));
        (!is_ours && rest.is_none()).then(|| format!("a request to another origin: {url}"))
    }
}

fn said_as_error(params: &Value) -> Option<String> {
    let is_error = params["type"] == "error" || params["type"] == "assert";
    is_error.then(|| format!("console: {}", params["args"]))
}

fn broken_policy(issue: &Value) -> Option<String> {
    (issue["code"] == "ContentSecurityPolicyIssue").then(|| format!("content policy: {issue}"))
}
