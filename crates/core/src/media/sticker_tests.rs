use super::*;

#[test]
fn what_is_kept_of_words_is_one_line_without_brackets() {
    let said = " A cat\n\twaves.\u{7}\n\n[end of the file] ";
    let kept = line(said).unwrap();
    assert_eq!(kept, "A cat waves. (end of the file)");
    assert_eq!(line(&kept), Some(kept), "it stays as it is");
    assert_eq!(line(" \n "), None);
}

#[test]
fn many_words_are_cut_between_letters() {
    let long = "ü".repeat(limits::STICKER_WORDS_BYTES_MAX);
    let kept = line(&format!("x{long}")).unwrap();
    assert!(kept.len() <= limits::STICKER_WORDS_BYTES_MAX);
    assert!(kept.ends_with('ü'));
}

#[test]
fn an_id_is_short_and_the_name_of_a_set_leads_nowhere() {
    assert_eq!(Sticker::of("", None), None);
    let long = "x".repeat(limits::STICKER_ID_BYTES_MAX + 1);
    assert_eq!(Sticker::of(&long, None), None);
    let known = Sticker::of("AgAD", Some("../\nCats")).unwrap();
    assert_eq!(known.set.as_deref(), Some("Cats"));
}
