use super::*;

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes
}

#[test]
fn the_same_bytes_are_the_same_picture() {
    let one = Picture::of(&png(2, 3), Some("C:\\me\\a.png")).unwrap();
    let other = Picture::of(&png(2, 3), Some("../b.jpeg")).unwrap();
    assert_eq!(one.id, other.id);
    assert_eq!(one.name.as_deref(), Some("a.png"));
    assert_eq!(other.kind, Kind::Png, "a name counts for nothing");
    assert_ne!(one.id, Picture::of(&png(3, 2), None).unwrap().id);
}

#[test]
fn an_id_is_read_back_and_nothing_else_is() {
    let id = MediaId::of(b"abc");
    let text = id.to_string();
    assert_eq!(
        text,
        "med_ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert_eq!(text.parse(), Ok(id));
    for wrong in [
        &text[1..],
        &text[..67],
        &text.to_uppercase(),
        "med_../../etc",
    ] {
        assert_eq!(wrong.parse::<MediaId>(), Err(NotAMediaId));
    }
}

#[test]
fn what_is_too_much_of_a_picture_is_refused_with_what_to_do() {
    let mut large = png(2, 3);
    large.resize(limits::PICTURE_BYTES_MAX + 1, 0);
    assert_eq!(Picture::of(&large, None), Err(Unfit::TooLarge));
    assert_eq!(Picture::of(&png(8_001, 1), None), Err(Unfit::TooWide));
    assert_eq!(Picture::of(b"hello", None), Err(Unfit::Unknown));
    assert!(Unfit::TooLarge.to_string().ends_with("send a smaller one"));
}

#[test]
fn the_stored_form_stays() {
    let picture = Picture::of(&png(2, 3), Some("a\n.png")).unwrap();
    let stored = serde_json::to_value(&picture).unwrap();
    let expected = serde_json::json!({
        "id": picture.id.to_string(),
        "type": "image/png",
        "bytes": 24,
        "width": 2,
        "height": 3,
        "name": "a.png",
    });
    assert_eq!(stored, expected);
    assert_eq!(serde_json::from_value::<Picture>(stored).unwrap(), picture);
    let bare = Picture::of(b"GIF89a", None).unwrap();
    let stored = serde_json::to_value(&bare).unwrap();
    assert_eq!(serde_json::from_value::<Picture>(stored).unwrap(), bare);
}

#[test]
fn in_words_a_picture_is_a_note() {
    let picture = Picture::of(&png(2, 3), Some("a.png")).unwrap();
    assert_eq!(picture.note(), "[picture “a.png”: PNG 2×3]");
    let bare = Picture::of(b"GIF89a", None).unwrap();
    assert_eq!(
        notes(&[bare.clone(), bare]),
        "[picture: GIF] [picture: GIF]"
    );
}

#[test]
fn the_oldest_pictures_are_left_out_by_the_ten() {
    let small = |count: usize| vec![1; count];
    assert_eq!(left_out(&small(20), 1), 0);
    assert_eq!(left_out(&small(21), 1), 10);
    assert_eq!(left_out(&small(30), 1), 10);
    assert_eq!(left_out(&small(31), 1), 20);
}

#[test]
fn pictures_of_the_last_message_are_never_left_out() {
    let large = vec![3_900_000; 8];
    assert_eq!(left_out(&large, 3), 5);
    assert_eq!(left_out(&large, 8), 0);
    assert_eq!(left_out(&[], 0), 0);
}
