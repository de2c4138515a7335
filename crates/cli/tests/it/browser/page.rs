//! One page: going somewhere, looking, clicking, typing, and waiting for what a reader would see.
//!
//! Everything that happens passes by `watch`. A step that cannot be done ends the test with a picture of
//! the page as it then was.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::cdp::Cdp;
use super::chromium::Chromium;
use super::keys;
use super::watch::{Watch, Weather};

const LOOKS: u32 = 3_000;
const LOOK_EVERY: Duration = Duration::from_millis(15);

/// A screen to look at the page on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Screen {
    Desktop,
    Phone,
}

/// What the system says about light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scheme {
    Light,
    Dark,
}

/// A page in a browser of its own.
pub(super) struct Page {
    cdp: Cdp,
    watch: Watch,
    origin: String,
    _chromium: Chromium,
}

impl Page {
    pub(super) fn open(mut chromium: Chromium, origin: &str) -> Self {
        let mut page = Self {
            cdp: Cdp::attach(chromium.endpoint()),
            watch: Watch::new(origin),
            origin: origin.to_owned(),
            _chromium: chromium,
        };
        for domain in ["Page", "Runtime", "Log", "Network", "Audits", "Inspector"] {
            page.call(&format!("{domain}.enable"), json!({}));
        }
        page.screen(Screen::Desktop);
        page
    }

    /// Asks the browser and passes on what happened meanwhile.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let answer = self.cdp.call(method, params);
        for event in self.cdp.take_events() {
            self.watch.hear(&event);
        }
        answer
    }

    pub(super) fn call(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params);
        answer.unwrap_or_else(|error| panic!("{error}"))
    }

    pub(super) fn goto(&mut self, path: &str) {
        let address = format!("{}{path}", self.origin);
        self.call("Page.navigate", json!({"url": address}));
    }

    /// Loads the page anew and returns when the old one is gone.
    pub(super) fn reload(&mut self) {
        self.evaluate("window.isOld = true");
        self.call("Page.reload", json!({}));
        self.wait("the page to load anew", "window.isOld !== true");
    }

    fn look(&mut self, script: &str) -> Result<Value, String> {
        let wish = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.ask("Runtime.evaluate", wish)?;
        match answer.get("exceptionDetails") {
            Some(details) => Err(format!("{script}: {details}")),
            None => Ok(answer["result"]["value"].take()),
        }
    }

    pub(super) fn evaluate(&mut self, script: &str) -> Value {
        let value = self.look(script);
        value.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Looks until the script gives something; a page between two documents gives nothing yet.
    pub(super) fn wait(&mut self, what: &str, script: &str) -> Value {
        let mut seen = Ok(Value::Null);
        for _ in 0..LOOKS {
            seen = self.look(&format!("(async () => (await ({script})) || null)()"));
            match &seen {
                Ok(value) if !value.is_null() => return value.clone(),
                Ok(_) | Err(_) => std::thread::sleep(LOOK_EVERY),
            }
        }
        panic!(
            "waited in vain for {what}: {seen:?}; troubles: {:?}",
            self.watch.troubles()
        );
    }

    /// Waits for an element that can be seen.
    pub(super) fn wait_for(&mut self, selector: &str) {
        let script =
            format!("[...document.querySelectorAll({selector:?})].some(e => e.checkVisibility())");
        self.wait(selector, &script);
    }

    /// Waits for words inside an element.
    pub(super) fn wait_text(&mut self, selector: &str, text: &str) {
        let script = format!(
            "[...document.querySelectorAll({selector:?})].some(e => e.textContent.includes({text:?}))"
        );
        self.wait(&format!("{text:?} in {selector}"), &script);
    }

    /// The words of every such element, in order.
    pub(super) fn texts(&mut self, selector: &str) -> Vec<String> {
        let script =
            format!("[...document.querySelectorAll({selector:?})].map(e => e.textContent)");
        serde_json::from_value(self.evaluate(&script)).unwrap()
    }

    /// Clicks into the middle of the first such element that can be seen, once it can be.
    pub(super) fn click(&mut self, selector: &str) {
        let script = format!(
            "(() => {{
               const seen = [...document.querySelectorAll({selector:?})].find(e => e.checkVisibility());
               if (!seen) return null;
               seen.scrollIntoView({{ block: 'nearest' }});
               const box = seen.getBoundingClientRect();
               return {{ x: box.x + box.width / 2, y: box.y + box.height / 2 }};
             }})()"
        );
        let spot = self.wait(&format!("{selector} to click on"), &script);
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({
                "type": kind, "x": spot["x"], "y": spot["y"], "button": "left", "clickCount": 1,
            });
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Types into whatever has the focus.
    pub(super) fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    pub(super) fn press(&mut self, key: &str) {
        for half in keys::stroke(key) {
            self.call("Input.dispatchKeyEvent", half);
        }
    }

    pub(super) fn screen(&mut self, screen: Screen) {
        let metrics = match screen {
            Screen::Desktop => {
                json!({"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": false})
            }
            Screen::Phone => {
                json!({"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true})
            }
        };
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let touch = json!({"enabled": screen == Screen::Phone});
        self.call("Emulation.setTouchEmulationEnabled", touch);
    }

    pub(super) fn scheme(&mut self, scheme: Scheme) {
        let word = match scheme {
            Scheme::Light => "light",
            Scheme::Dark => "dark",
        };
        let features = json!([{"name": "prefers-color-scheme", "value": word}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// Keeps a picture of the page below the target directory, for whoever wants to look.
    pub(super) fn picture(&mut self, name: &str) -> Result<PathBuf, String> {
        let answer = self.ask("Page.captureScreenshot", json!({"format": "png"}))?;
        let data = answer["data"].as_str().unwrap_or_default();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("console");
        let file = folder.join(format!("{name}.png"));
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&file, unbase64(data)))
            .map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(file)
    }

    /// Lets a refusal pass that the journey is about to provoke.
    pub(super) fn forgive_once(&mut self, path: &'static str, status: u16) {
        self.watch.forgive_once(path, status);
    }

    pub(super) fn weather(&mut self, weather: Weather) {
        self.watch.weather(weather);
    }

    pub(super) fn had_no_trouble(&mut self) {
        // One more look: what happened before it is heard with it.
        self.evaluate("0");
        let troubles = self.watch.troubles();
        assert!(troubles.is_empty(), "{}", troubles.join("\n"));
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let test = std::thread::current();
            let name = test.name().unwrap_or("unnamed").replace("::", "-");
            eprintln!("the page as it was: {:?}", self.picture(&name));
        }
    }
}

/// Pictures come as base64. What is no digit of it is padding.
fn unbase64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let digits: Vec<u8> = text.bytes().filter_map(digit).collect();
    let mut bytes = Vec::with_capacity(digits.len() * 3 / 4);
    for four in digits.chunks(4) {
        let bits = four
            .iter()
            .fold(0_u32, |bits, digit| bits << 6 | u32::from(*digit));
        let bits = bits << (6 * (4 - four.len()));
        let [_, first, second, third] = bits.to_be_bytes();
        bytes.extend(&[first, second, third][..four.len() - 1]);
    }
    bytes
}
