use super::*;

fn by_command(words: &[&str]) -> Transcriber {
    Transcriber {
        by: By::Command(words.iter().map(|word| (*word).to_owned()).collect()),
        time: Span::seconds(10),
    }
}

async fn written(transcriber: &Transcriber, said: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("it's a voice.ogg");
    std::fs::write(&file, said).unwrap();
    transcriber.write_down(&file, FileKind::Ogg, 1).await
}

#[tokio::test]
async fn a_command_is_given_the_file_and_prints_the_words() {
    let cat = by_command(&["cat", FILE]);
    assert_eq!(written(&cat, " hello \n").await, Ok("hello".to_owned()));
    let noisy = by_command(&["sh", "-c", "echo loading >&2; cat \"$0\"", FILE]);
    assert_eq!(written(&noisy, "hello").await, Ok("hello".to_owned()));
}

#[tokio::test]
async fn a_command_that_fails_or_says_nothing_is_said_so() {
    let fails = written(&by_command(&["false"]), "x").await.unwrap_err();
    assert!(fails.contains("ended with 1"), "{fails}");
    assert!(written(&by_command(&["true"]), "x").await.is_err());
    let slow = Transcriber {
        time: Span::ms(100),
        ..by_command(&["sleep", "60"])
    };
    let late = written(&slow, "x").await.unwrap_err();
    assert!(late.contains("in time"), "{late}");
}
