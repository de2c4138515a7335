//! Running what comes from elsewhere: downloads and decoded texts that reach a shell.

use super::script::{is_interpreter, is_shell};
use crate::danger::call::{Call, calls};
use crate::danger::category::Category;
use crate::danger::findings::Findings;
use crate::danger::shell::{Pipeline, Redirect, Script, Simple, Stage, Word};

pub(super) fn call(call: &Call<'_>, program: &str, found: &mut Findings) {
    let named_by_output = call.words.first().is_some_and(|word| word.text.is_empty());
    let reads = is_shell(program) || matches!(program, "eval" | "source" | ".") || named_by_output;
    if reads && inner(call).any(|script| runs(script, &is_fetcher)) {
        found.ask(Category::RemoteScript);
    }
}

/// The scripts inside a call's words and redirections.
pub(in crate::danger) fn inner<'a>(call: &Call<'a>) -> impl Iterator<Item = &'a Script> + use<'a> {
    let word = |redirect: &'a Redirect| match redirect {
        Redirect::From(word) => Some(word),
        Redirect::To(_) => None,
        Redirect::Text(cell) => cell.get(),
    };
    let redirected = call.simple.redirects.iter().filter_map(word);
    call.words
        .iter()
        .chain(redirected)
        .flat_map(|word: &Word| &word.inner)
}

/// What has gone into a pipeline so far.
#[derive(Default)]
struct Carried {
    sources: Vec<Category>,
    /// A text that is written into the command.
    text: Option<String>,
}

/// Notes what reaches a shell, and answers with the texts that do.
pub(super) fn pipeline(line: &Pipeline, found: &mut Findings) -> Vec<String> {
    let mut carried = Carried::default();
    let mut fed = Vec::new();
    for stage in &line.stages {
        let calls = stage_calls(stage);
        if calls.iter().any(reads_commands) {
            carried
                .sources
                .drain(..)
                .for_each(|category| found.ask(category));
            fed.extend(carried.text.take());
        }
        carried.sources.extend(calls.iter().filter_map(source));
        carried.text = written(&calls, carried.text.take());
    }
    fed
}

/// Whether a call runs what it reads. An interpreter does when it is given no file.
fn reads_commands(call: &Call<'_>) -> bool {
    let program = call.program();
    is_shell(&program) || (is_interpreter(&program) && call.texts().all(|text| text == "-"))
}

fn source(call: &Call<'_>) -> Option<Category> {
    let program = call.program();
    if is_fetcher(&program) {
        return Some(Category::RemoteToShell);
    }
    decodes(call, &program).then_some(Category::DecodedToShell)
}

fn decodes(call: &Call<'_>, program: &str) -> bool {
    match program {
        "base64" | "base32" | "base16" | "basenc" => {
            call.has_short("dD") || call.has_long("--d", "--decode")
        }
        "openssl" => call.texts().any(|text| text == "-d"),
        "xxd" => call.has_short("r"),
        "tr" | "rev" => true,
        _ => false,
    }
}

/// The texts that a script writes, as far as they are known.
pub(in crate::danger) fn said(script: &Script) -> Vec<String> {
    let last = |line: &Pipeline| {
        let carried = line.stages.iter().map(stage_calls);
        carried.fold(None, |before, calls| written(&calls, before))
    };
    script.pipelines.iter().filter_map(last).collect()
}

/// The text that leaves a stage, as far as it is known.
fn written(calls: &[Call<'_>], before: Option<String>) -> Option<String> {
    let [call] = calls else {
        return None;
    };
    let words = || {
        call.texts()
            .filter(|text| !matches!(*text, "-e" | "-n" | "-ne" | "--"))
    };
    match call.program().as_str() {
        "echo" => Some(unescaped(&words().collect::<Vec<_>>().join(" "))),
        // What a format makes of its values is not known: both are read.
        "printf" => {
            let values: Vec<&str> = words().skip(1).collect();
            let format = words().next().unwrap_or_default();
            Some(unescaped(&format!("{format}\n{}", values.join(" "))))
        }
        "cat" => here_text(call.simple).or(before),
        "tee" => before,
        _ => None,
    }
}

fn unescaped(text: &str) -> String {
    text.replace("\\n", "\n").replace("\\t", "\t")
}

fn here_text(simple: &Simple) -> Option<String> {
    simple.redirects.iter().find_map(|redirect| match redirect {
        Redirect::Text(cell) => cell.get().map(|word| word.text.clone()),
        Redirect::From(_) | Redirect::To(_) => None,
    })
}

fn is_fetcher(program: &str) -> bool {
    matches!(
        program,
        "curl" | "wget" | "fetch" | "aria2c" | "http" | "https"
    )
}

/// Whether a script starts such a program, anywhere in it.
pub(super) fn runs(script: &Script, which: &dyn Fn(&str) -> bool) -> bool {
    let stages = script.pipelines.iter().flat_map(|line| &line.stages);
    stages
        .flat_map(stage_calls)
        .any(|call| which(&call.program()))
}

/// The calls of a stage; those of a group are all it holds.
pub(super) fn stage_calls(stage: &Stage) -> Vec<Call<'_>> {
    match stage {
        Stage::Simple(simple) => calls(simple).unwrap_or_default(),
        Stage::Group(group) => {
            let stages = group.body.pipelines.iter().flat_map(|line| &line.stages);
            stages.flat_map(stage_calls).collect()
        }
    }
}

/// The calls of a pipeline.
pub(super) fn simple_calls(line: &Pipeline) -> impl Iterator<Item = Call<'_>> {
    line.stages.iter().flat_map(stage_calls)
}
