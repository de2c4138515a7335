//! Pictures in a reply that can be sent as pictures.
//!
//! A model shows a picture by its address, in Markdown or as an HTML tag. [`found`] takes those out that
//! lie on a web server and look like pictures, so that a platform can send them as such, and leaves the
//! words around them. What stands in code is code. Nothing is fetched here, and whether an address may be
//! fetched at all is not decided here.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// How the names of pictures end.
const ENDINGS: [&str; 5] = ["png", "jpg", "jpeg", "gif", "webp"];

/// A picture on a web server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Where it is.
    pub url: String,
    /// What it shows, in words.
    pub alt: String,
}

impl Image {
    /// Whether it moves, as far as its name tells.
    #[must_use]
    pub fn is_animated(&self) -> bool {
        ending(&self.url).is_some_and(|ending| ending == "gif")
    }
}

/// The pictures of a text in order, and the text without them.
#[must_use]
pub fn found(markdown: &str) -> (Vec<Image>, String) {
    let mut images = Vec::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut alt: Option<(String, Range<usize>, String)> = None;
    for (event, range) in Parser::new_ext(markdown, Options::empty()).into_offset_iter() {
        match (&event, &mut alt) {
            (Event::Start(Tag::Image { dest_url, .. }), None) if is_picture(dest_url) => {
                alt = Some((dest_url.to_string(), range, String::new()));
            }
            (Event::End(TagEnd::Image), Some(_)) => {
                let picture = alt.take();
                images.extend(picture.iter().map(|(url, _, alt)| image(url, alt)));
                places.extend(picture.map(|(_, range, _)| range));
            }
            (Event::Text(text), Some((_, _, words))) => words.push_str(text),
            (Event::Html(_) | Event::InlineHtml(_), None) => {
                if let Some((url, tag)) = html_image(&markdown[range.clone()]) {
                    images.push(image(url, ""));
                    places.push(range.start + tag.start..range.start + tag.end);
                }
            }
            _ => {}
        }
    }
    if images.is_empty() {
        return (images, markdown.to_owned());
    }
    (images, without(markdown, &places))
}

fn image(url: &str, alt: &str) -> Image {
    Image {
        url: url.to_owned(),
        alt: alt.to_owned(),
    }
}

fn is_web(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

fn is_picture(url: &str) -> bool {
    is_web(url) && ending(url).is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// What follows the last dot of the path, in small letters.
fn ending(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?;
    let (_, name) = path.rsplit_once('/')?;
    let (_, ending) = name.rsplit_once('.')?;
    Some(ending.to_lowercase())
}

/// The address in an `img` tag, and where the tag is; what ends it apart goes with it.
fn html_image(html: &str) -> Option<(&str, Range<usize>)> {
    let small = html.to_ascii_lowercase();
    let start = small.find("<img ")?;
    let end = start + small[start..].find('>')? + 1;
    let (_, source) = html[start..end].split_at(small[start..end].find("src=")? + "src=".len());
    let url = match source.chars().next()? {
        quote @ ('"' | '\'') => source[1..].split(quote).next()?,
        _ => source.split([' ', '>']).next()?.trim_end_matches('/'),
    };
    let close = small[end..]
        .strip_prefix("</img>")
        .map_or(0, |_| "</img>".len());
    is_web(url).then_some((url, start..end + close))
}

/// The text without some places, and without the empty lines that they leave behind.
fn without(text: &str, places: &[Range<usize>]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        kept.push_str(&text[at..place.start]);
        at = place.end;
    }
    let rest = &text[at..];
    kept.push_str(rest.strip_prefix("</img>").unwrap_or(rest));
    while kept.contains("\n\n\n") {
        kept = kept.replace("\n\n\n", "\n\n");
    }
    kept.trim().to_owned()
}

#[cfg(test)]
#[path = "images_tests.rs"]
mod tests;
