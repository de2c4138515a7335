//! The text of a command without disguise: what is read is what would be seen.
//!
//! Terminal escapes, invisible characters and marks of direction vanish, and letters that only look like
//! ASCII become it. No shell does this, so it can only find more: `ｒｍ` is read as `rm`, although most
//! shells would know no such program.

/// The text as it is read.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        match char {
            '\u{1b}' => skip_escape(&mut rest),
            char if is_invisible(char) => (),
            char => plain.push(ascii(char)),
        }
    }
    plain
}

/// Leaves out a control sequence; any other escape is two characters long.
fn skip_escape(rest: &mut std::str::Chars<'_>) {
    if rest.next() != Some('[') {
        return;
    }
    let parameter = |char: &char| matches!(char, '\u{20}'..='\u{3f}');
    let mut ahead = rest.clone();
    while ahead.next().as_ref().is_some_and(parameter) {
        rest.next();
    }
    rest.next();
}

fn is_invisible(char: char) -> bool {
    let control = char.is_control() && !matches!(char, '\n' | '\r' | '\t');
    let format = matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}');
    control || format
}

/// The character that one stands for which only looks different.
fn ascii(char: char) -> char {
    let code = u32::from(char);
    let letter = |place: u32| match place % 52 {
        place @ 0..26 => u32::from('A') + place,
        place => u32::from('a') + place - 26,
    };
    let plain = match code {
        0xff01..=0xff5e => code - 0xfee0,
        0xa0 | 0x2000..=0x200a | 0x202f | 0x205f | 0x3000 => u32::from(' '),
        0x2028 | 0x2029 | 0x85 => u32::from('\n'),
        0x1d400..=0x1d6a3 => letter(code - 0x1d400),
        0x1d7ce..=0x1d7ff => u32::from('0') + (code - 0x1d7ce) % 10,
        0x24b6..=0x24e9 => letter(code - 0x24b6),
        0x2215 | 0x2044 => u32::from('/'),
        0x2010..=0x2012 | 0x2212 | 0xfe63 => u32::from('-'),
        _ => code,
    };
    char::from_u32(plain).unwrap_or(char)
}

#[cfg(test)]
#[path = "plain_tests.rs"]
mod tests;
