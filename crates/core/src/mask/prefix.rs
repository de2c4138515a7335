//! Keys that say whose they are by how they begin.
//!
//! A key is a whole token: no letter, digit, `_` or `-` touches it on either side. Which signs it has
//! inside is the vendor's choice, and keeps `fc-well-known-words` from being taken for a key.

use super::rewrite::{Rewrite, is_token, run_end};
use super::{Surface, shape};

/// What the rest of a key is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// Letters and digits.
    Plain,
    /// And `_`.
    Under,
    /// And `-`.
    Dash,
    /// Both of them.
    Both,
    /// Both of them and `=`.
    Base64,
    /// Both of them and `.`.
    Dotted,
    /// Digits, a `-`, and then as `Dash`.
    Numbered,
    /// Exactly so many capitals and digits as it needs.
    Exact,
}

struct Vendor {
    prefix: &'static str,
    rest: Rest,
    bytes_min: usize,
}

const fn vendor(prefix: &'static str, rest: Rest, bytes_min: usize) -> Vendor {
    Vendor {
        prefix,
        rest,
        bytes_min,
    }
}

/// Longer ones come before those they begin with.
const VENDORS: [Vendor; 56] = [
    vendor("sk-", Rest::Both, 10),
    vendor("ghp_", Rest::Plain, 10),
    vendor("gho_", Rest::Plain, 10),
    vendor("ghu_", Rest::Plain, 10),
    vendor("ghs_", Rest::Plain, 10),
    vendor("ghr_", Rest::Plain, 10),
    vendor("github_pat_", Rest::Under, 10),
    vendor("glpat-", Rest::Both, 20),
    vendor("xapp-", Rest::Numbered, 10),
    vendor("xoxb-", Rest::Dash, 10),
    vendor("xoxa-", Rest::Dash, 10),
    vendor("xoxp-", Rest::Dash, 10),
    vendor("xoxr-", Rest::Dash, 10),
    vendor("xoxs-", Rest::Dash, 10),
    vendor("AIza", Rest::Both, 30),
    vendor("ya29.", Rest::Dotted, 20),
    vendor("GOCSPX-", Rest::Both, 20),
    vendor("pplx-", Rest::Plain, 10),
    vendor("fal_", Rest::Both, 10),
    vendor("fc-", Rest::Plain, 10),
    vendor("bb_live_", Rest::Both, 10),
    vendor("gAAAA", Rest::Base64, 20),
    vendor("AKIA", Rest::Exact, 16),
    vendor("ASIA", Rest::Exact, 16),
    vendor("sk_live_", Rest::Plain, 10),
    vendor("sk_test_", Rest::Plain, 10),
    vendor("rk_live_", Rest::Plain, 10),
    vendor("whsec_", Rest::Plain, 20),
    vendor("SG.", Rest::Dotted, 10),
    vendor("hf_", Rest::Plain, 10),
    vendor("r8_", Rest::Plain, 10),
    vendor("npm_", Rest::Plain, 10),
    vendor("pypi-", Rest::Both, 10),
    vendor("dop_v1_", Rest::Plain, 10),
    vendor("doo_v1_", Rest::Plain, 10),
    vendor("am_", Rest::Both, 10),
    vendor("sk_", Rest::Under, 10),
    vendor("tvly-", Rest::Dash, 10),
    vendor("exa_", Rest::Plain, 10),
    vendor("gsk_", Rest::Plain, 10),
    vendor("syt_", Rest::Under, 10),
    vendor("retaindb_", Rest::Plain, 10),
    vendor("hsk-", Rest::Plain, 10),
    vendor("mem0_", Rest::Plain, 10),
    vendor("brv_", Rest::Plain, 10),
    vendor("xai-", Rest::Plain, 30),
    vendor("nvapi-", Rest::Both, 20),
    vendor("ntn_", Rest::Plain, 10),
    vendor("lin_api_", Rest::Plain, 20),
    vendor("shpat_", Rest::Plain, 20),
    vendor("fw-", Rest::Plain, 30),
    vendor("fw_", Rest::Plain, 30),
    vendor("fpk_", Rest::Plain, 30),
    vendor("sbp_", Rest::Plain, 20),
    vendor("rpa_", Rest::Plain, 20),
    vendor("AGE-SECRET-KEY-", Rest::Plain, 50),
];

/// How that begins which stands for a key in a text that may be written back.
pub(super) const SENTINEL: &str = "«redacted:";

pub(super) fn pass(text: &str, surface: Surface) -> Option<String> {
    let mut rewrite = Rewrite::new(text);
    let mut at = 0;
    while at < text.len() {
        let end = run_end(text, at, is_token);
        if let Some((vendor, end)) = key_at(text, at) {
            let by = match surface {
                Surface::File => vendor.sentinel(),
                Surface::Log
                | Surface::Output
                | Surface::Reply
                | Surface::Egress
                | Surface::Question => shape::log(&text[at..end]),
            };
            rewrite.replace(at..end, &by);
            at = end;
        } else if end > at {
            at = end;
        } else {
            at = run_end(text, at, |byte| !is_token(byte));
        }
    }
    rewrite.finish()
}

/// Whether a key may begin like this, or may begin here once more of it is there.
pub(super) fn begins(token: &str) -> bool {
    let alike =
        |vendor: &Vendor| token.starts_with(vendor.prefix) || vendor.prefix.starts_with(token);
    VENDORS.iter().any(alike)
}

/// The key that begins at the beginning of a token, and where it ends.
fn key_at(text: &str, at: usize) -> Option<(&'static Vendor, usize)> {
    let first = text.as_bytes().get(at);
    // Most tokens are no keys of anybody: one byte tells that sooner than a comparison of texts.
    let alike = |vendor: &&Vendor| vendor.prefix.as_bytes().first() == first;
    VENDORS.iter().filter(alike).find_map(|vendor| {
        let rest = text[at..].strip_prefix(vendor.prefix)?;
        let length = vendor.rest.length(rest, vendor.bytes_min)?;
        Some((vendor, at + vendor.prefix.len() + length))
    })
}

impl Vendor {
    /// What no program takes for a key, although it says whose it was.
    fn sentinel(&self) -> String {
        let label = match self.prefix {
            "SG." => "SG",
            prefix if prefix.starts_with("xox") => "xox",
            prefix => prefix,
        };
        format!("{SENTINEL}{label}…»")
    }
}

impl Rest {
    const fn has(self, byte: u8) -> bool {
        match self {
            Self::Plain => byte.is_ascii_alphanumeric(),
            Self::Under => byte.is_ascii_alphanumeric() || byte == b'_',
            Self::Dash | Self::Numbered => byte.is_ascii_alphanumeric() || byte == b'-',
            Self::Both => is_token(byte),
            Self::Base64 => is_token(byte) || byte == b'=',
            Self::Dotted => is_token(byte) || byte == b'.',
            Self::Exact => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }

    /// How long the rest of a key is, if this is one.
    fn length(self, rest: &str, bytes_min: usize) -> Option<usize> {
        let skipped = if self == Self::Numbered {
            digits_and_dash(rest)?
        } else {
            0
        };
        let end = run_end(rest, skipped, |byte| self.has(byte));
        // A full stop ends a sentence more often than a key.
        let end = skipped + rest[skipped..end].trim_end_matches('.').len();
        let length = end - skipped;
        let fits = length == bytes_min || length > bytes_min && self != Self::Exact;
        let touches = rest.as_bytes().get(end).is_some_and(|byte| is_token(*byte));
        (fits && !touches).then_some(end)
    }
}

fn digits_and_dash(rest: &str) -> Option<usize> {
    let digits = run_end(rest, 0, |byte| byte.is_ascii_digit());
    (digits > 0 && rest[digits..].starts_with('-')).then_some(digits + 1)
}
