use super::Layout;

fn layout(text: &str, breaks: &[usize]) -> Layout {
    Layout {
        text: text.to_owned(),
        breaks: breaks.to_vec(),
        ..Layout::default()
    }
}

#[test]
fn a_text_is_parted_only_where_something_was_said() {
    let mut layout = layout("", &[]);
    layout.part();
    layout.text.push_str("ab");
    layout.part();
    layout.part();
    assert_eq!(layout.breaks, [2]);
}

#[test]
fn places_stay_where_the_text_before_them_is_the_same() {
    let mut layout = layout("abcdef", &[2, 4]);
    layout.replace("abcXef");
    assert_eq!(layout.breaks, [2]);
    layout.replace("ä");
    assert!(layout.breaks.is_empty());
}

#[test]
fn a_place_inside_of_a_character_is_none() {
    let mut layout = layout("aäb", &[]);
    layout.part_at(2);
    layout.part_at(3);
    layout.part_at(3);
    layout.part_at(99);
    assert_eq!(layout.breaks, [3]);
}
