//! A body in parts, as HTTP forms with files are: fields and files between lines that occur in none of them.
//!
//! Pure: bytes in, bytes out. Whoever sends it chooses the boundary; a random one stands in no file.

const END_OF_LINE: &[u8] = b"\r\n";

/// A body that is being made.
#[derive(Debug, Clone)]
pub struct Multipart {
    boundary: String,
    /// What stands before each file that is not in it.
    before: Vec<Vec<u8>>,
    body: Vec<u8>,
}

/// A file in it.
#[derive(Debug, Clone, Copy)]
pub struct Part<'a> {
    /// The field.
    pub field: &'a str,
    /// What the file is called.
    pub name: &'a str,
    /// What it is.
    pub media_type: &'a str,
    /// All of it.
    pub bytes: &'a [u8],
}

impl Multipart {
    /// An empty one between these lines.
    pub fn new(boundary: u128) -> Self {
        Self {
            boundary: format!("part-{boundary:032x}"),
            before: Vec::new(),
            body: Vec::new(),
        }
    }

    /// With a field.
    #[must_use]
    pub fn field(mut self, name: &str, value: &str) -> Self {
        let head = format!(
            "Content-Disposition: form-data; name=\"{}\"\r\n",
            plain(name)
        );
        self.part(&head, value.as_bytes());
        self
    }

    /// With a file.
    #[must_use]
    pub fn file(mut self, part: Part<'_>) -> Self {
        let Part {
            field,
            name,
            media_type,
            bytes,
        } = part;
        let head = format!(
            "Content-Disposition: form-data; name=\"{}\"; filename=\"{}\"\r\nContent-Type: {media_type}\r\n",
            plain(field),
            plain(name)
        );
        self.part(&head, bytes);
        self
    }

    /// With the place of a file whose bytes whoever sends it puts there.
    #[must_use]
    pub fn place(self, part: Part<'_>) -> Self {
        let mut whole = self.file(Part { bytes: b"", ..part });
        let end = whole.body.split_off(whole.body.len() - END_OF_LINE.len());
        let before = std::mem::replace(&mut whole.body, end);
        whole.before.push(before);
        whole
    }

    fn part(&mut self, head: &str, bytes: &[u8]) {
        let begin = format!("--{}\r\n{head}\r\n", self.boundary);
        self.body.extend_from_slice(begin.as_bytes());
        self.body.extend_from_slice(bytes);
        self.body.extend_from_slice(END_OF_LINE);
    }

    /// The type of the body, and the body.
    pub fn finish(self) -> (String, Vec<u8>) {
        let (kind, pieces) = self.finish_around();
        (kind, pieces.concat())
    }

    /// The type of the body, and the pieces of it: between two of them stands a file.
    pub fn finish_around(mut self) -> (String, Vec<Vec<u8>>) {
        let end = format!("--{}--\r\n", self.boundary);
        self.body.extend_from_slice(end.as_bytes());
        self.before.push(self.body);
        let kind = format!("multipart/form-data; boundary={}", self.boundary);
        (kind, self.before)
    }
}

/// A name without what would end it.
fn plain(name: &str) -> String {
    let is_odd = |letter: char| letter.is_control() || matches!(letter, '"' | '\\');
    name.chars()
        .map(|letter| if is_odd(letter) { '_' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_its_fields_and_files_between_its_lines() {
        let (kind, body) = Multipart::new(1)
            .field("chat_id", "7")
            .file(Part {
                field: "photo",
                name: "a\"\r\n.png",
                media_type: "image/png",
                bytes: b"bytes",
            })
            .finish();
        let line = "part-00000000000000000000000000000001";
        assert_eq!(kind, format!("multipart/form-data; boundary={line}"));
        let wanted = format!(
            "--{line}\r\nContent-Disposition: form-data; name=\"chat_id\"\r\n\r\n7\r\n\
             --{line}\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a___.png\"\r\n\
             Content-Type: image/png\r\n\r\nbytes\r\n--{line}--\r\n"
        );
        assert_eq!(String::from_utf8(body).unwrap(), wanted);
    }

    #[test]
    fn files_that_are_not_read_yet_have_their_places_between_the_pieces() {
        let part = |field, bytes| Part {
            field,
            name: "a.png",
            media_type: "image/png",
            bytes,
        };
        let whole = Multipart::new(1)
            .file(part("a", b"one"))
            .file(part("b", b"two"));
        let (_, pieces) = Multipart::new(1)
            .place(part("a", b""))
            .place(part("b", b""))
            .finish_around();
        let around = [&*pieces[0], b"one", &*pieces[1], b"two", &*pieces[2]].concat();
        assert_eq!(around, whole.finish().1);
    }
}
