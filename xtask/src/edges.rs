//! Which crate may depend on which: the picture in ARCHITECTURE.md, as a table that is checked.
//!
//! The table below is read against `cargo metadata`. Arrows point downward only; siblings do not
//! know each other, with one named exception (`agents` starts its children through `process`).
//! `angelia-testkit` is for tests, so it may stand in `[dev-dependencies]` alone, except in `xtask`.
//! The core is pure, so what it takes from outside is a list too.
//!
//! Reasons for outside dependencies in general are the business of `rules::reasons`.

use crate::metadata::{Dependency, Package};
use crate::problem::Problem;
use crate::rules;
use crate::tree::Tree;

const TESTKIT: &str = "angelia-testkit";

/// A crate and the crates of ours it may depend on.
struct Edges {
    from: &'static str,
    to: &'static [&'static str],
}

/// Every crate of the workspace, lowest first.
const ALLOWED: &[Edges] = &[
    Edges {
        from: "angelia-core",
        to: &[],
    },
    Edges {
        from: "angelia-store",
        to: &["angelia-core"],
    },
    Edges {
        from: "angelia-platforms",
        to: &["angelia-core"],
    },
    Edges {
        from: "angelia-process",
        to: &["angelia-core"],
    },
    Edges {
        from: "angelia-agents",
        to: &["angelia-core", "angelia-process"],
    },
    Edges {
        from: "angelia-gateway",
        to: &[
            "angelia-core",
            "angelia-store",
            "angelia-platforms",
            "angelia-agents",
            "angelia-process",
        ],
    },
    Edges {
        from: "angelia-api",
        to: &["angelia-core", "angelia-store", "angelia-gateway"],
    },
    Edges {
        from: "angelia",
        to: &[
            "angelia-core",
            "angelia-store",
            "angelia-platforms",
            "angelia-agents",
            "angelia-process",
            "angelia-gateway",
            "angelia-api",
        ],
    },
    Edges {
        from: TESTKIT,
        to: &[
            "angelia-core",
            "angelia-store",
            "angelia-platforms",
            "angelia-agents",
            "angelia-process",
            "angelia-gateway",
            "angelia-api",
        ],
    },
    Edges {
        from: "xtask",
        to: &["angelia-core", "angelia-store", "angelia-gateway", TESTKIT],
    },
];

/// What the tests of a crate may put together although the crate itself may not know it: the HTTP
/// surface is tested on a whole gateway, with a real agent and a real platform.
const ALLOWED_IN_TESTS: &[Edges] = &[Edges {
    from: "angelia-api",
    to: &["angelia-agents", "angelia-platforms"],
}];

/// What the core may take from outside: values, errors, civil time, text, and keyed hashes, which are
/// computation alone (the key is an argument); nothing that does I/O.
const OUTSIDE_OF_CORE: &[&str] = &[
    "hmac",
    "jiff",
    "pulldown-cmark",
    "serde",
    "serde_json",
    "sha2",
    "thiserror",
    "unicode-segmentation",
];

/// Finds every edge the table does not allow.
pub(crate) fn problems(packages: &[Package], tree: &Tree) -> Vec<Problem> {
    packages
        .iter()
        .flat_map(|package| problems_of(package, tree))
        .collect()
}

fn problems_of(package: &Package, tree: &Tree) -> Vec<Problem> {
    let Some(edges) = ALLOWED.iter().find(|edges| edges.from == package.name) else {
        return vec![Problem::new(
            &package.manifest,
            1,
            format!("the crate {} is not in the table of edges", package.name),
            "make it a module, or argue for it in a decision record and add it to xtask/src/edges.rs",
        )];
    };
    let refused = package.dependencies.iter().filter_map(|dependency| {
        let (what, remedy) = refusal(edges, dependency)?;
        let line = rules::line_of_dependency(tree, &package.manifest, &dependency.name);
        Some(Problem::new(&package.manifest, line, what, remedy))
    });
    refused.collect()
}

/// Why this dependency may not be, and what to do instead.
fn refusal(edges: &Edges, dependency: &Dependency) -> Option<(String, &'static str)> {
    let (from, to) = (edges.from, dependency.name.as_str());
    if dependency.path.is_none() {
        return outside_refusal(from, dependency);
    }
    if edges.to.contains(&to) || dependency.is_for_tests() && may_test_with(from, to) {
        return None;
    }
    if to == TESTKIT {
        let what = format!("{from} ships {TESTKIT}");
        return Some((what, "move the line to [dev-dependencies]"));
    }
    let what = format!("{from} may not depend on {to}");
    Some((
        what,
        "move the code to the crate that may, or pass the value in (ARCHITECTURE.md, §3)",
    ))
}

fn may_test_with(from: &str, to: &str) -> bool {
    let named = |edges: &Edges| edges.from == from && edges.to.contains(&to);
    to == TESTKIT || ALLOWED_IN_TESTS.iter().any(named)
}

fn outside_refusal(from: &str, dependency: &Dependency) -> Option<(String, &'static str)> {
    let pure = from == "angelia-core" && !dependency.is_for_tests();
    if !pure || OUTSIDE_OF_CORE.contains(&dependency.name.as_str()) {
        return None;
    }
    let what = format!("the core may not depend on {}", dependency.name);
    Some((
        what,
        "do it in a crate above; if it is pure, add it to the list in xtask/src/edges.rs",
    ))
}

#[cfg(test)]
#[path = "edges_tests.rs"]
mod tests;
