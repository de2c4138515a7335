use super::{Image, found};

fn urls(markdown: &str) -> Vec<String> {
    let (images, _) = found(markdown);
    images.into_iter().map(|image| image.url).collect()
}

#[test]
fn a_picture_leaves_the_words_around_it() {
    let (images, rest) = found("See ![a *cat*](https://e.org/c.PNG?s=1) here");
    let cat = Image {
        url: "https://e.org/c.PNG?s=1".to_owned(),
        alt: "a cat".to_owned(),
    };
    assert_eq!(images, [cat]);
    assert_eq!(rest, "See  here");
}

#[test]
fn what_is_no_picture_or_not_on_the_web_stays() {
    for markdown in [
        "![a](https://e.org/page)",
        "![a](/local/x.png)",
        "[a](https://e.org/x.png)",
    ] {
        assert_eq!(found(markdown), (Vec::new(), markdown.to_owned()));
    }
}

#[test]
fn code_is_code() {
    assert!(urls("`![a](https://e.org/x.png)`").is_empty());
    assert!(urls("```\n<img src=\"https://e.org/x.png\">\n```").is_empty());
}

#[test]
fn tags_are_read_whatever_their_quotes() {
    for tag in [
        "<img src='https://e.org/a' />",
        "<IMG alt=\"x\" src=\"https://e.org/a\">",
    ] {
        assert_eq!(urls(tag), ["https://e.org/a"]);
    }
    assert_eq!(found("x <img src=https://e.org/a></img> y").1, "x  y");
}

#[test]
fn a_moving_picture_is_known_by_its_name() {
    let (images, _) = found("![a](http://e.org/a.gif)");
    assert!(images[0].is_animated());
}
