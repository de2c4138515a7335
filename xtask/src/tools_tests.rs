use std::path::PathBuf;

use anyhow::anyhow;

use super::{Need, Tool, Tools};

fn tool(obtain: &dyn Fn() -> anyhow::Result<PathBuf>) -> Tool<'_> {
    Tool {
        name: "a loom",
        variable: "ANGELIA_TEST_NO_SUCH_TOOL",
        by_hand: "build one",
        need: Need::Always,
        obtain,
    }
}

#[test]
fn a_tool_that_is_found_is_handed_on_under_its_variable() {
    let mut tools = Tools::default();
    tools.take(&tool(&|| Ok(PathBuf::from("/usr/bin/loom"))));
    assert!(tools.missing.is_empty());
    assert_eq!(tools.ready[0].variable, "ANGELIA_TEST_NO_SUCH_TOOL");
    assert_eq!(tools.ready[0].program, PathBuf::from("/usr/bin/loom"));
}

#[test]
fn a_tool_that_cannot_be_had_is_remembered_as_missing() {
    let mut tools = Tools::default();
    tools.take(&tool(&|| Err(anyhow!("no trees"))));
    assert!(tools.ready.is_empty());
    assert_eq!(tools.missing, ["a loom"]);
}

#[test]
fn a_tool_that_some_machines_cannot_have_is_not_missed() {
    let mut tools = Tools::default();
    tools.take(&Tool {
        need: Need::WherePossible,
        ..tool(&|| Err(anyhow!("no trees grow here")))
    });
    assert!(tools.ready.is_empty() && tools.missing.is_empty());
}
