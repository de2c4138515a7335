use super::*;
use crate::media::Size;

fn kept(kind: FileKind, bytes: u64) -> Kept {
    let id = MediaId::of(b"x");
    Kept { id, kind, bytes }
}

fn picture(width: u32, height: u32) -> Picture {
    Picture {
        id: MediaId::of(b"x"),
        kind: Kind::Png,
        bytes: 9,
        size: Some(Size { width, height }),
        name: None,
    }
}

fn form(kind: FileKind, way: Way) -> Form {
    let small = picture(1, 1);
    let wish = ("a".to_owned(), way);
    Enclosure::of(&kept(kind, 9), Some(&small), wish).form
}

fn file(form: Form, bytes: u64) -> Enclosure {
    Enclosure {
        id: MediaId::of(b"x"),
        ending: "png".to_owned(),
        name: "a.png".to_owned(),
        bytes,
        form,
    }
}

#[test]
fn a_file_goes_out_as_what_it_is_unless_it_is_wished_otherwise() {
    let png = FileKind::Picture(Kind::Png);
    assert_eq!(form(png, Way::AsItIs), Form::Picture);
    assert_eq!(form(png, Way::Document), Form::File);
    assert_eq!(form(png, Way::Voice), Form::Picture);
    assert_eq!(
        form(FileKind::Picture(Kind::Gif), Way::AsItIs),
        Form::Animation
    );
    assert_eq!(form(FileKind::Mp4, Way::AsItIs), Form::Video);
    assert_eq!(form(FileKind::Ogg, Way::Voice), Form::Voice);
    assert_eq!(form(FileKind::Ogg, Way::AsItIs), Form::File);
    assert_eq!(form(FileKind::Pdf, Way::Voice), Form::File);
}

#[test]
fn a_picture_that_no_platform_shows_is_a_file() {
    let shown = |bytes, width, height| {
        let kept = kept(FileKind::Picture(Kind::Png), bytes);
        let picture = picture(width, height);
        Enclosure::of(&kept, Some(&picture), ("a".to_owned(), Way::AsItIs)).form
    };
    let most = limits::SENT_PICTURE_BYTES_MAX;
    assert_eq!(shown(most, 5000, 5000), Form::Picture);
    assert_eq!(shown(most + 1, 5000, 5000), Form::File);
    assert_eq!(shown(most, 5001, 5000), Form::File);
    assert_eq!(shown(most, 2001, 100), Form::File, "too narrow");
}

#[test]
fn pictures_and_films_that_follow_one_another_are_one_message() {
    use Form::{File, Picture, Video};
    let files = [Picture, Video, File, Picture, File, File];
    let messages = messages(files.map(|form| file(form, 1)).to_vec());
    let sizes: Vec<usize> = messages.iter().map(Vec::len).collect();
    assert_eq!(sizes, [2, 1, 1, 1, 1]);
}

#[test]
fn an_album_has_its_limits_in_files_and_bytes() {
    let many = vec![file(Form::Picture, 1); 2 * limits::ALBUM_FILES_MAX + 1];
    let sizes: Vec<usize> = messages(many).iter().map(Vec::len).collect();
    assert_eq!(sizes, [limits::ALBUM_FILES_MAX, limits::ALBUM_FILES_MAX, 1]);
    let large = vec![file(Form::Video, limits::ALBUM_BYTES_MAX / 2); 3];
    let sizes: Vec<usize> = messages(large).iter().map(Vec::len).collect();
    assert_eq!(sizes, [2, 1]);
}

#[test]
fn where_there_are_only_words_files_are_named() {
    let files = [file(Form::Picture, 1), file(Form::File, 1)];
    assert_eq!(note(&files), "[picture “a.png”]\n[file “a.png”]");
}

#[test]
fn files_as_rows_carry_them() {
    let file = file(Form::Voice, 7);
    insta::assert_json_snapshot!(file, @r#"
    {
      "id": "med_2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",
      "ending": "png",
      "name": "a.png",
      "bytes": 7,
      "as": "voice"
    }
    "#);
}
