//! What goes over Telegram besides words, in the real binary, with the fake Bot API server behind it.

use std::fs;

use angelia_testkit::fakes::telegram::{Place, Shown, Trouble, Words};
use serde_json::{Value, json};

use crate::telegram::{ANNA, Scene};
use crate::world::wait_for;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x02\0\0\0\x03";

impl Scene {
    /// Anna sends something with a caption.
    fn sends(&self, caption: &str, kind: &str, file: Value) {
        let words = Words::default().with(kind, file);
        let words = words.with("caption", json!(caption));
        self.writes(Place::dm(ANNA), words);
    }

    fn kept(&self, name: &str, bytes: &[u8]) -> Value {
        let id = self.fake.keeps("file", bytes.to_vec());
        json!({ "file_id": id, "file_unique_id": "u", "file_name": name, "file_size": bytes.len() })
    }

    /// The message that asks this, once it is shown with its buttons.
    fn question(&self, words: &str) -> Shown {
        wait_for("a question with buttons", || {
            let mut shown = self.fake.shown(ANNA).into_iter();
            shown.find(|one| {
                let text = one.message["text"].as_str().unwrap_or_default();
                text.contains(words) && one.message["reply_markup"].is_object()
            })
        })
    }

    /// Waits until a question ends with this, and no button is left.
    fn is_over(&self, outcome: &str) {
        wait_for("the question to be over", || {
            let texts = self.fake.texts(ANNA);
            let is_over = texts.iter().any(|text| text.ends_with(outcome));
            (is_over && self.fake.buttons(ANNA).is_empty()).then_some(())
        });
    }

    fn last_text(&self) -> String {
        let texts = self.fake.texts(ANNA);
        texts.last().cloned().unwrap_or_default()
    }

    /// The next answer, which begins with the first of these and has the others.
    fn answers_with(&self, parts: &[&str]) {
        let text = wait_for("the next answer", || {
            Some(self.last_text()).filter(|text| text.starts_with(parts[0]))
        });
        for part in parts {
            assert!(text.contains(part), "no {part:?} in {text:?}");
        }
    }
}

#[test]
fn telegram_media_texts_are_read_files_are_kept_and_pictures_are_pictures() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let _gateway = scene.serve();
    scene.sends(
        "echo see",
        "document",
        scene.kept("notes.txt", b"milk and bread"),
    );
    scene.answers_with(&["see", "notes.txt", "milk and bread"]);
    scene.sends(
        "echo that",
        "document",
        scene.kept("../../a.pdf", b"%PDF-1.7 \0\xff"),
    );
    scene.answers_with(&["that", "application/pdf, 11 bytes, at ", ".pdf]"]);
    let media = scene.world.home().join("media");
    let kept = fs::read_dir(&media).unwrap().map(|one| one.unwrap().path());
    let kept: Vec<_> = kept
        .filter(|path| path.extension().is_some_and(|ending| ending == "pdf"))
        .collect();
    assert_eq!(kept.len(), 1, "a name leads nowhere else");
    assert_eq!(fs::read(&kept[0]).unwrap(), b"%PDF-1.7 \0\xff");
    let photo = json!([scene.kept("p", PNG)]);
    scene.sends("echo picture", "photo", photo);
    scene.answers_with(&["picture"]);
    scene.rests();
    let sessions = scene.world.json(&["sessions", "list", "--json"]);
    let id = sessions["items"][0]["id"].as_str().unwrap();
    let shown = scene.world.json(&["sessions", "show", id, "--json"]);
    assert!(shown.to_string().contains("image/png"), "{shown}");
}

#[test]
fn telegram_media_what_cannot_be_had_is_said_and_the_message_answered() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    scene.fake.trouble(|call| {
        let gone = "Bad Request: wrong file_id or the file is temporarily unavailable";
        let is_gone = call.text("file_id").as_deref() == Some("gone");
        is_gone.then(|| Trouble::Refused(400, gone.to_owned()))
    });
    let _gateway = scene.serve();
    scene.sends(
        "echo hear",
        "voice",
        json!({ "file_id": "gone", "duration": 1 }),
    );
    scene.answers_with(&["hear", "[voice message: ", "wrong file_id"]);
    scene.sends(
        "echo more",
        "document",
        scene.kept("big", &vec![7; 21 * 1024 * 1024]),
    );
    scene.answers_with(&["more", "more than 20 MB"]);
}

#[test]
fn telegram_media_a_question_is_answered_by_a_button_once_and_by_nobody_else() {
    let scene = Scene::new("allow = [\"telegram:*\"]\noperators = [\"telegram:7\"]");
    scene.fake.meets(8, "Bert");
    let gateway = scene.serve();
    let spared = scene.world.home().join("spared");
    fs::create_dir(&spared).unwrap();
    scene.says(ANNA, &format!("run rm -rf {}", spared.display()));
    let question = wait_for("a question with buttons", || {
        let mut shown = scene.fake.shown(ANNA).into_iter();
        shown.find(|one| one.message["reply_markup"].is_object())
    });
    let buttons = scene.fake.buttons(ANNA);
    let yes = buttons[0].clone();
    assert_eq!(buttons.len(), 4);
    assert!(yes.starts_with("/approve apr_") && yes.len() <= 64, "{yes}");
    let press = |person| {
        let place = Place {
            person,
            ..Place::dm(ANNA)
        };
        scene.presses(place, question.id, &yes);
    };
    let is_said = |words: &str| {
        let texts = scene.fake.texts(ANNA);
        texts.iter().any(|text| text.contains(words)).then_some(())
    };
    let answered = || (scene.fake.unanswered_presses() == 0).then_some(());
    press(8);
    wait_for("the press of somebody else to be taken", answered);
    assert!(spared.exists() && !scene.fake.buttons(ANNA).is_empty());
    drop(gateway);
    let _gateway = scene.serve();
    press(ANNA);
    press(ANNA);
    wait_for("the command to be run", || (!spared.exists()).then_some(()));
    wait_for("the question to be over", || is_said("it runs this once."));
    assert!(scene.fake.buttons(ANNA).is_empty());
    wait_for("every press to be answered", answered);
    scene.rests();
}

#[test]
fn telegram_media_a_choice_is_made_by_its_button_once_and_by_nobody_else() {
    // Whoever runs nothing here, and may use no command, may press what words could say.
    let scene = Scene::new("allow = [\"telegram:*\"]\noperators = [\"telegram:9\"]");
    scene.fake.meets(8, "Bert");
    let gateway = scene.serve();
    let long = "the long way around, past the harbour and the old mill";
    let asked = json!({ "question": "Which way?", "choices": ["left", long] });
    scene.says(ANNA, &format!("tool ask_user {asked}"));
    let question = scene.question("Which way?");
    let keys = question.message["reply_markup"]["inline_keyboard"].clone();
    assert_eq!(keys[0][0]["text"], "left", "{keys}");
    let label = keys[1][0]["text"].as_str().unwrap();
    assert!(
        label.starts_with("2. the long way") && label.ends_with('…'),
        "{label}"
    );
    let text = question.message["text"].as_str().unwrap();
    assert!(text.contains(long), "{text}");
    let buttons = scene.fake.buttons(ANNA);
    let second = buttons[1].clone();
    assert!(
        second.starts_with("/answer apr_") && second.len() <= 64,
        "{second}"
    );
    let press = |person| {
        let place = Place {
            person,
            ..Place::dm(ANNA)
        };
        scene.presses(place, question.id, &second);
    };
    let answered = || (scene.fake.unanswered_presses() == 0).then_some(());
    press(8);
    wait_for("the press of somebody else to be taken", answered);
    assert_eq!(scene.fake.buttons(ANNA).len(), 2);
    drop(gateway);
    let _gateway = scene.serve();
    press(ANNA);
    press(ANNA);
    scene.is_over(&format!("Chosen: {long}"));
    let told = json!({ "status": "answered", "answer": long }).to_string();
    wait_for("the agent to be told", || {
        scene.fake.texts(ANNA).contains(&told).then_some(())
    });
    wait_for("every press to be answered", answered);
    scene.rests();
    let told = scene
        .fake
        .texts(ANNA)
        .iter()
        .filter(|one| **one == told)
        .count();
    assert_eq!(told, 1, "it was answered once");
}

#[test]
fn telegram_media_a_choice_is_made_by_words_and_goes_when_the_turn_ends() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let _gateway = scene.serve();
    let ask = |question: &str| {
        let asked = json!({ "question": question, "choices": ["left", "right"] });
        scene.says(ANNA, &format!("tool ask_user {asked}"));
        scene.question(question)
    };
    for (question, said, over) in [
        ("First?", "2", "Chosen: right"),
        ("Second?", "neither of them", "Answered."),
        ("Third?", "/answer LEFT", "Chosen: left"),
        ("Fourth?", "/stop", "Withdrawn: it is not asked any more."),
    ] {
        ask(question);
        scene.says(ANNA, said);
        scene.is_over(over);
        scene.rests();
    }
}

#[test]
fn telegram_media_an_agent_sends_files_that_may_go_out_and_says_which_do_not() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let _gateway = scene.serve();
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("plot.png");
    fs::write(&picture, PNG).unwrap();
    scene.says(ANNA, &format!("echo MEDIA:{}", picture.display()));
    wait_for("the picture", || {
        (scene.fake.files(ANNA).len() == 1).then_some(())
    });
    assert_eq!(scene.fake.files(ANNA), [("photo", PNG.to_vec().into())]);
    scene.rests();
    assert_eq!(scene.fake.texts(ANNA), [""], "nothing but the picture");
    let document = format!("echo [[as_document]] MEDIA:{}", picture.display());
    scene.says(ANNA, &document);
    wait_for("the file", || {
        (scene.fake.files(ANNA).len() == 2).then_some(())
    });
    assert_eq!(scene.fake.files(ANNA)[1].0, "document");
    let own = scene.world.home().join("angelia.toml");
    scene.says(ANNA, &format!("echo MEDIA:{}", own.display()));
    scene.answers_with(&["(angelia.toml was not sent", "belongs to the gateway"]);
    scene.says(ANNA, "echo MEDIA:/etc/passwd");
    scene.answers_with(&["(passwd was not sent", "belongs to the system"]);
    scene.rests();
    assert_eq!(scene.fake.files(ANNA).len(), 2);
}

#[test]
fn telegram_media_what_is_said_is_written_down() {
    let scene =
        Scene::new("allow = [\"telegram:7\"]\n[transcription]\ncommand = [\"cat\", \"{file}\"]");
    let _gateway = scene.serve();
    scene.sends("echo", "voice", scene.kept("v.ogg", b"OggS hello there"));
    scene.answers_with(&["[voice message “v.ogg”, written down: “OggS hello there”]"]);
}

#[test]
fn telegram_media_pictures_go_out_as_one_album_below_words_that_quote_the_question() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let _gateway = scene.serve();
    let folder = tempfile::tempdir().unwrap();
    let named = ["one.png", "two.png"].map(|name| {
        let path = folder.path().join(name);
        fs::write(&path, PNG).unwrap();
        format!("MEDIA:{}", path.display())
    });
    let asked = format!("echo both {}", named.join(" "));
    scene.says(ANNA, &asked);
    wait_for("both pictures", || {
        (scene.fake.files(ANNA).len() == 2).then_some(())
    });
    scene.rests();
    assert_eq!(scene.fake.calls_of("sendMediaGroup").len(), 1);
    let shown = scene.fake.shown(ANNA);
    assert_eq!(shown[0].text, "both");
    assert_eq!(shown[0].message["reply_to_message"]["text"], asked);
    assert!(shown[1].message["reply_to_message"].is_null());
}

#[test]
fn telegram_media_a_file_whose_answer_was_lost_is_sent_once_more_though_the_original_is_gone() {
    let scene = Scene::new("allow = [\"telegram:7\"]");
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("plot.png");
    fs::write(&picture, PNG).unwrap();
    let (mut tries, gone) = (0, picture.clone());
    scene.fake.trouble(move |call| {
        tries += usize::from(call.is("sendPhoto"));
        let is_first = call.is("sendPhoto") && tries == 1;
        is_first.then(|| {
            // What was kept is sent, whatever becomes of what the agent named.
            let _gone = fs::remove_file(&gone);
            Trouble::AnswerLost
        })
    });
    let _gateway = scene.serve();
    scene.says(ANNA, &format!("echo MEDIA:{}", picture.display()));
    wait_for("the second try", || {
        (scene.fake.calls_of("sendPhoto").len() == 2).then_some(())
    });
    scene.rests();
    assert!(!picture.exists());
    let bytes: Vec<_> = scene
        .fake
        .files(ANNA)
        .into_iter()
        .map(|(_, bytes)| bytes)
        .collect();
    assert_eq!(
        bytes,
        [PNG, PNG],
        "shown twice: nobody could tell, and never a third time"
    );
}
