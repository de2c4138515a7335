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

/// A server that answers once, and hands out what it was asked.
#[expect(
    clippy::disallowed_methods,
    reason = "the server of a test is a thread that ends with its one answer"
)]
fn server(status: &str, body: String) -> (Url, std::thread::JoinHandle<String>) {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut asked, mut piece) = (Vec::new(), [0; 4096]);
        while !asked.ends_with(b"--\r\n") {
            let count = stream.read(&mut piece).unwrap();
            asked.extend_from_slice(&piece[..count]);
        }
        // Whoever has read enough hangs up.
        let _rest = stream.write_all(answer.as_bytes());
        String::from_utf8_lossy(&asked).into_owned()
    });
    (url.parse().unwrap(), asked)
}

async fn heard(status: &str, body: String) -> (Result<String, String>, String) {
    let (url, asked) = server(status, body);
    let key = Some(Secret::new("sesame"));
    let server = Server::new(&url, "whisper-1".to_owned(), key).unwrap();
    let transcriber = Transcriber {
        by: By::Server(Arc::new(server)),
        time: Span::seconds(10),
    };
    let words = written(&transcriber, "OggS said").await;
    (words, asked.join().unwrap())
}

#[tokio::test]
async fn a_server_is_given_the_file_the_model_and_the_key_and_answers_with_words() {
    let (words, asked) = heard("200 OK", r#"{"text": " hello there "}"#.to_owned()).await;
    assert_eq!(words, Ok("hello there".to_owned()));
    assert!(
        asked.starts_with("POST /v1/audio/transcriptions "),
        "{asked}"
    );
    assert!(
        asked
            .to_lowercase()
            .contains("authorization: bearer sesame")
    );
    for part in [
        "name=\"model\"\r\n\r\nwhisper-1",
        "filename=\"voice.ogg\"",
        "OggS said",
    ] {
        assert!(asked.contains(part), "{part} in {asked}");
    }
}

#[tokio::test]
async fn a_server_that_refuses_or_answers_something_else_is_said_so() {
    let (refused, _) = heard("401 Unauthorized", "{}".to_owned()).await;
    let refused = refused.unwrap_err();
    assert!(
        refused.contains("401") && !refused.contains("sesame"),
        "{refused}"
    );
    let (odd, _) = heard("200 OK", "[]".to_owned()).await;
    assert!(odd.unwrap_err().contains("something else"));
    let (silent, _) = heard("200 OK", r#"{"text": " "}"#.to_owned()).await;
    assert!(silent.unwrap_err().contains("nothing was understood"));
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_called_so_and_many_words_are_cut() {
    let endless = format!("{{\"text\": \"{}\"}}", "x".repeat(ANSWER_BYTES_MAX));
    let (words, _) = heard("200 OK", endless).await;
    let why = words.unwrap_err();
    assert!(why.contains("more than"), "{why}");
    let long = format!(
        "{{\"text\": \"{}\"}}",
        "x".repeat(limits::TRANSCRIPT_BYTES_MAX + 9)
    );
    let (words, _) = heard("200 OK", long).await;
    assert_eq!(words.unwrap().len(), limits::TRANSCRIPT_BYTES_MAX);
}

#[tokio::test]
async fn a_server_that_nobody_reaches_is_told_without_its_address() {
    let nowhere: Url = "http://127.0.0.1:1/v1".parse().unwrap();
    let server = Server::new(&nowhere, "m".to_owned(), None).unwrap();
    let transcriber = Transcriber {
        by: By::Server(Arc::new(server)),
        time: Span::seconds(10),
    };
    let why = written(&transcriber, "x").await.unwrap_err();
    assert!(
        why.contains("cannot be reached") && !why.contains("127.0.0.1:1/"),
        "{why}"
    );
}
