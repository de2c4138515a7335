use super::*;

use crate::config::keys::API_KEY;
use crate::config::raw;

fn source(value: &str) -> Option<Source> {
    let mut raw = raw::read(&format!("[agent]\napi_key = {value}\n"));
    raw.secrets.remove(API_KEY.path)
}

#[test]
fn a_word_or_one_of_three_places_is_a_secret() {
    assert_eq!(source("\"s3\""), Some(Source::Literal("s3".into())));
    assert_eq!(
        source("{ env = \"K\" }"),
        Some(Source::Variable("K".into()))
    );
    assert_eq!(source("{ file = \"k\" }"), Some(Source::File("k".into())));
    let words = vec!["pass".to_owned(), "show".to_owned()];
    assert_eq!(
        source("{ command = [\"pass\", \"show\"] }"),
        Some(Source::Command(words))
    );
    for wrong in [
        "12345",
        "{ env = \"A\", file = \"b\" }",
        "{}",
        "{ command = [] }",
        "[\"x\"]",
    ] {
        assert_eq!(source(wrong), None, "{wrong}");
    }
}

#[test]
fn what_was_written_wrongly_is_not_repeated() {
    let raw = raw::read("[agent]\napi_key = 12345678\n");
    let said = raw.problems[0].to_string();
    assert!(said.contains("`agent.api_key` must be"), "{said}");
    assert!(!said.contains("12345678"), "{said}");
}

#[test]
fn a_word_is_not_shown_by_anything_that_holds_it() {
    let raw = raw::read("[agent]\napi_key = \"geheim\"\n");
    assert!(!format!("{raw:?}").contains("geheim"));
    assert_eq!(raw.written[API_KEY.path].text, HIDDEN);
}

#[tokio::test]
async fn what_a_program_prints_is_the_word() {
    let words = ["printf", "%s\\n", "it's"].map(str::to_owned);
    let found = Source::Command(words.to_vec()).reveal(Path::new("/")).await;
    assert_eq!(found.as_deref(), Ok("it's"));
}

#[tokio::test]
async fn a_file_is_looked_for_beside_the_configuration() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k"), "from a file\n").unwrap();
    let found = Source::File("k".into()).reveal(folder.path()).await;
    assert_eq!(found.as_deref(), Ok("from a file"));
}

#[tokio::test]
async fn why_there_is_no_word_is_told_without_what_was_said() {
    let folder = tempfile::tempdir().unwrap();
    let told = |source: Source| {
        let folder = folder.path().to_owned();
        async move { source.reveal(&folder).await.unwrap_err() }
    };
    let missing = told(Source::Variable("NO_SUCH_VARIABLE_HERE".into())).await;
    assert!(missing.contains("NO_SUCH_VARIABLE_HERE"), "{missing}");
    let missing = told(Source::File("gone".into())).await;
    assert!(missing.contains("gone"), "{missing}");
    let words = ["sh", "-c", "echo geheim; exit 3"].map(str::to_owned);
    let failed = told(Source::Command(words.to_vec())).await;
    assert!(
        failed.contains("`sh`") && !failed.contains("geheim"),
        "{failed}"
    );
    let empty = told(Source::Literal("  ".into())).await;
    assert!(empty.contains("empty"), "{empty}");
}
