use super::*;

fn found(text: &str) -> (Vec<(String, Way)>, String) {
    let read = read(text);
    let wanted = read.wanted.into_iter().map(|one| (one.path, one.way));
    (wanted.collect(), read.text)
}

fn one(path: &str, way: Way) -> Vec<(String, Way)> {
    vec![(path.to_owned(), way)]
}

#[test]
fn a_file_that_is_named_is_taken_out_of_the_words() {
    let lines = [
        "MEDIA:/srv/a b.png",
        "media: /srv/a b.png",
        "MEDIA:`/srv/a b.png`",
        "  MEDIA:\"/srv/a b.png\"  ",
        "\"MEDIA:/srv/a b.png\"",
    ];
    for line in lines {
        let text = format!("Here it is.\n{line}\n");
        let wanted = (one("/srv/a b.png", Way::AsItIs), "Here it is.".to_owned());
        assert_eq!(found(&text), wanted, "{line}");
    }
    let within = found("See MEDIA:/srv/a.png, please.");
    assert_eq!(
        within,
        (one("/srv/a.png", Way::AsItIs), "See , please.".to_owned())
    );
    let alone = one("/srv/Makefile", Way::AsItIs);
    assert_eq!(found("MEDIA:/srv/Makefile"), (alone, String::new()));
}

#[test]
fn what_is_said_about_directives_is_words() {
    let said = [
        "`MEDIA:/srv/a.png`",
        "```\nMEDIA:/srv/a.png\n```",
        "> MEDIA:/srv/a.png",
        "{\"path\": \"MEDIA:/srv/a.png\"}",
        "**MEDIA:/srv/a.png**",
        "MEDIA:relative/a.png",
        "MEDIA:https://e.org/a.png",
        "multimedia:/srv/a.png",
        "write MEDIA:/path before it",
        "MEDIA:",
        "no media",
    ];
    for text in said {
        assert_eq!(found(text), (Vec::new(), text.to_owned()));
    }
}

#[test]
fn two_files_in_a_line_are_two() {
    let (wanted, text) = found("MEDIA:/srv/a.png,MEDIA:/srv/b.pdf MEDIA:/srv/c.txt");
    let paths: Vec<&str> = wanted.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["/srv/a.png", "/srv/b.pdf", "/srv/c.txt"]);
    assert_eq!(text, ",");
}

#[test]
fn marks_say_as_what_files_are_sent() {
    let voice = one("/srv/v.ogg", Way::Voice);
    assert_eq!(found("[[audio_as_voice]]MEDIA:/srv/v.ogg").0, voice);
    assert_eq!(found("[[audio_as_voice]]\nMEDIA:/srv/v.ogg").0, voice);
    let document = one("/srv/a.png", Way::Document);
    assert_eq!(found("[[as_document]] MEDIA:/srv/a.png").0, document);
    assert_eq!(found("[[audio_as_voice]]"), (Vec::new(), String::new()));
    assert!(found("`[[as_document]]` MEDIA:/srv/a.png").0 == one("/srv/a.png", Way::AsItIs));
}

#[test]
fn a_directive_is_not_seen_while_it_is_written() {
    let text = "Here it is.\nMEDIA:/srv/out/a plot.png";
    for end in "Here it is.\nMEDIA:".len()..=text.len() {
        assert_eq!(words(&text[..end], Text::Growing).trim(), "Here it is.");
    }
    assert_eq!(
        words("MEDIA: what is it?\nWords.", Text::Growing),
        "MEDIA: what is it?\nWords."
    );
    assert_eq!(
        words("MEDIA: what is it?", Text::Whole),
        "MEDIA: what is it?"
    );
}
