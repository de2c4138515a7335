//! The shells of Windows, which also run elsewhere.

use crate::danger::call::Call;
use crate::danger::category::Category;
use crate::danger::findings::Findings;

const CMD_DELETES: &[&str] = &["del", "erase", "rd", "rmdir"];

const POWERSHELL_DELETES: &[&str] = &["remove-item", "rmdir", "erase", "del", "rd", "ri", "rm"];

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    let lowered: Vec<String> = call.texts().map(str::to_lowercase).collect();
    match program {
        "cmd" => cmd(&lowered, found),
        "powershell" | "pwsh" => powershell(&lowered, found),
        _ => (),
    }
}

fn cmd(texts: &[String], found: &mut Findings) {
    let runs = texts
        .iter()
        .any(|text| text.starts_with("/c") || text.starts_with("/k"));
    if runs && says(texts, CMD_DELETES) {
        found.ask(Category::WindowsDelete);
    }
}

fn powershell(texts: &[String], found: &mut Findings) {
    let is = |text: &str, names: &[&str]| names.contains(&text);
    let encoded = |text: &String| {
        is(text, &["-e", "-ec"]) || (text.len() > 3 && "-encodedcommand".starts_with(text.as_str()))
    };
    if texts.iter().any(encoded) {
        found.ask(Category::EncodedPowerShell);
    }
    if texts
        .iter()
        .any(|text| is(text, &["-command", "-c", "-file", "-f"]))
    {
        found.ask(Category::InlineScript);
    }
    let file = texts.iter().any(|text| is(text, &["-file", "-f"]));
    if !file && says(texts, POWERSHELL_DELETES) {
        found.ask(Category::WindowsDelete);
    }
}

/// Whether one of these is a word of the texts.
fn says(texts: &[String], names: &[&str]) -> bool {
    let separates = |char: char| char.is_whitespace() || ";|&(){}\"'".contains(char);
    texts
        .iter()
        .flat_map(|text| text.split(separates))
        .any(|word| names.contains(&word))
}
