use super::*;

fn by_command(words: &[&str]) -> Speaker {
    Speaker {
        by: By::Command(words.iter().map(|word| (*word).to_owned()).collect()),
        time: Span::seconds(10),
    }
}

async fn spoken(speaker: &Speaker, words: &str) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("it's words"), folder.path().join("out"));
    let desk = Desk {
        words: &input,
        sound: &output,
    };
    speaker.speak(words, desk).await
}

#[tokio::test]
async fn a_command_reads_the_words_and_its_output_is_the_sound() {
    let sound = spoken(&by_command(&["tr", "a-z", "A-Z"]), "hello").await;
    assert_eq!(sound, Ok(b"HELLO".to_vec()));
    let bytes = by_command(&["sh", "-c", r"echo loading >&2; printf 'OggS\377\000x'"]);
    assert_eq!(spoken(&bytes, "x").await, Ok(b"OggS\xff\0x".to_vec()));
}

#[tokio::test]
async fn a_command_that_fails_says_nothing_or_takes_long_is_said_so() {
    let fails = spoken(&by_command(&["false"]), "x").await.unwrap_err();
    assert!(fails.contains("ended with 1"), "{fails}");
    let silent = spoken(&by_command(&["true"]), "x").await.unwrap_err();
    assert!(silent.contains("nothing was said"), "{silent}");
    let slow = Speaker {
        time: Span::ms(100),
        ..by_command(&["sleep", "60"])
    };
    let late = spoken(&slow, "x").await.unwrap_err();
    assert!(late.contains("in time"), "{late}");
}

#[tokio::test]
async fn a_command_that_does_not_end_fills_no_disk() {
    let endless = by_command(&["sh", "-c", "exec head -c 64000000 /dev/zero"]);
    assert!(spoken(&endless, "x").await.is_err());
}

/// A server that answers once, and hands out what it was asked.
#[expect(
    clippy::disallowed_methods,
    reason = "the server of a test is a thread that ends with its one answer"
)]
fn server(status: &str, body: &'static [u8]) -> (Url, std::thread::JoinHandle<String>) {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1/", listener.local_addr().unwrap());
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut asked, mut piece) = (Vec::new(), [0; 4096]);
        while !asked.ends_with(b"}") {
            let count = stream.read(&mut piece).unwrap();
            asked.extend_from_slice(&piece[..count]);
        }
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        String::from_utf8_lossy(&asked).into_owned()
    });
    (url.parse().unwrap(), asked)
}

async fn by_server(status: &str, body: &'static [u8]) -> (Result<Vec<u8>, String>, String) {
    let (url, asked) = server(status, body);
    let names = ("tts-1".to_owned(), "alloy".to_owned());
    let server = Server::new(&url, names, Some(Secret::new("sesame"))).unwrap();
    let speaker = Speaker {
        by: By::Server(Arc::new(server)),
        time: Span::seconds(10),
    };
    (spoken(&speaker, "hello").await, asked.join().unwrap())
}

#[tokio::test]
async fn a_server_is_given_the_words_the_voice_and_the_key_and_answers_with_the_sound() {
    let (sound, asked) = by_server("200 OK", b"OggS\xff").await;
    assert_eq!(sound, Ok(b"OggS\xff".to_vec()));
    assert!(asked.starts_with("POST /v1/audio/speech "), "{asked}");
    let lower = asked.to_lowercase();
    assert!(lower.contains("authorization: bearer sesame"), "{asked}");
    for part in ["\"tts-1\"", "\"alloy\"", "\"hello\"", "\"opus\""] {
        assert!(asked.contains(part), "{part} in {asked}");
    }
}

#[tokio::test]
async fn a_server_that_refuses_or_is_away_is_told_without_its_key_and_address() {
    let (refused, _) = by_server("401 Unauthorized", b"{}").await;
    let refused = refused.unwrap_err();
    assert!(
        refused.contains("401") && !refused.contains("sesame"),
        "{refused}"
    );
    let nowhere: Url = "http://127.0.0.1:1/v1".parse().unwrap();
    let server = Server::new(&nowhere, ("m".to_owned(), "v".to_owned()), None).unwrap();
    let speaker = Speaker {
        by: By::Server(Arc::new(server)),
        time: Span::seconds(10),
    };
    let why = spoken(&speaker, "x").await.unwrap_err();
    assert!(
        why.contains("cannot be reached") && !why.contains("127.0.0.1:1/"),
        "{why}"
    );
}
