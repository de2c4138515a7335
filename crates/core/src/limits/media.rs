//! The numbers of pictures and files: in a message, in what a model reads, and on disk.

use crate::time::Span;

/// One picture. Every wire takes it: the strictest counts five megabytes of it as text, a third more than it
/// is.
pub const PICTURE_BYTES_MAX: usize = 3_932_160;

/// The longer side of a picture, in pixels, as far as its header tells. Models refuse larger ones.
pub const PICTURE_SIDE_MAX: u32 = 8_000;

/// Pictures of one message.
pub const PICTURES_PER_MESSAGE: usize = 8;

/// All pictures of one message together; what a program sends as text is a third more.
pub const PICTURES_BYTES_MAX: usize = 12 * 1024 * 1024;

/// A request that brings pictures along as text: those of one message, and its words.
pub const PICTURES_BODY_BYTES_MAX: usize = 20 * 1024 * 1024;

/// Requests with so much in them that are read at once. More are asked to come again.
pub const PICTURES_BODIES_AT_ONCE: usize = 4;

/// What a picture takes of a model's window, in tokens: what a large one does with the providers that tell.
pub const PICTURE_TOKENS: u64 = 1_600;

/// Pictures that a model is shown at once: the newest. With more, some providers take only small ones.
pub const PICTURES_SHOWN: usize = 20;

/// How many are left out at once when there are more, so that what a server has read stays the same for a
/// while.
pub const PICTURES_LEFT_OUT: usize = 10;

/// All pictures that a model is shown at once: with a third more as text, less than any provider takes.
pub const PICTURES_SHOWN_BYTES: u64 = 20 * 1024 * 1024;

/// Pictures of one result of a tool.
pub const PICTURES_PER_RESULT: usize = 4;

/// Disk that pictures may take. When it is full, new ones are refused.
pub const MEDIA_BYTES_MAX: u64 = 2 * 1024 * 1024 * 1024;

/// From here on pictures that nobody refers to make room, the oldest first, however young they are.
pub const MEDIA_BYTES_TIGHT: u64 = MEDIA_BYTES_MAX / 4 * 3;

/// How long a picture is kept that no conversation refers to: long enough to be sent with a message.
pub const MEDIA_UNUSED: Span = Span::hours(1);

/// Pictures that one look of the janitor forgets.
pub const MEDIA_SWEPT_AT_ONCE: usize = 256;

/// Things that come with one message and are opened: an album has at most so many.
pub const ATTACHED_PER_MESSAGE: usize = 10;

/// One thing that came with a message. Telegram gives out no more.
pub const ATTACHED_BYTES_MAX: u64 = 20 * 1024 * 1024;

/// A text file that stands in the message itself, word for word. A longer one is a path.
pub const ATTACHED_TEXT_BYTES_MAX: usize = 32 * 1024;

/// What is said around such a text, at most.
pub const ATTACHED_NOTE_BYTES: usize = 1024;

/// How long everything that came with a message may take to be opened. What is not there by then is said to be missing.
pub const ATTACHED_TIME: Span = Span::minutes(2);

/// How often one thing is asked for.
pub const FETCH_TRIES: u32 = 3;

/// The pause before the second try; it grows with each.
pub const FETCH_AGAIN: Span = Span::ms(1_500);

/// The longest that a platform names a file by.
pub const REMOTE_BYTES_MAX: usize = 512;

/// How long it may take to write down what was said, unless the operator says otherwise; and the most.
pub const TRANSCRIPTION_TIME: Span = Span::seconds(60);
/// See above.
pub const TRANSCRIPTION_TIME_MAX: Span = Span::minutes(5);

/// What was said in one voice message, written down.
pub const TRANSCRIPT_BYTES_MAX: usize = 32 * 1024;

/// How long it may take to look at a sticker, unless the operator says otherwise; and the most. Its message waits for it.
pub const STICKER_TIME: Span = Span::seconds(20);
/// See above.
pub const STICKER_TIME_MAX: Span = Span::minutes(1);

/// What a sticker shows, in words: a sentence.
pub const STICKER_WORDS_BYTES_MAX: usize = 512;

/// Tokens of the answer in which a model says it: a sentence, and some thoughts of those who think first.
pub const STICKER_ANSWER_TOKENS: u32 = 1_024;

/// What a sticker is known by. Those of Telegram have twenty letters.
pub const STICKER_ID_BYTES_MAX: usize = 128;

/// Stickers whose words are remembered: a megabyte or two. With more, those go that were looked at longest ago.
pub const STICKERS_MAX: i64 = 4_000;

/// How long it may take to speak an answer, at most.
pub const SPEECH_TIME_MAX: Span = Span::minutes(5);

/// Characters of an answer that is spoken: a few minutes. A longer one is only written.
pub const SPEECH_CHARS_MAX: usize = 4000;

/// The sound of one answer.
pub const SPEECH_BYTES_MAX: usize = 8 * 1024 * 1024;

/// Files that go out with one reply.
pub const ENCLOSED_PER_REPLY: usize = 10;

/// How new a file is that an agent has just made.
pub const SENT_FILE_AGE: Span = Span::minutes(10);

/// A picture that goes out as one; a larger one goes out as a file.
pub const SENT_PICTURE_BYTES_MAX: u64 = 10 * 1024 * 1024;

/// Its width and height together, in pixels.
pub const SENT_PICTURE_SIDES_MAX: u32 = 10_000;

/// How many times longer than wide it may be.
pub const SENT_PICTURE_RATIO_MAX: u32 = 20;

/// Pictures and films of one album: Telegram shows no more together.
pub const ALBUM_FILES_MAX: usize = 10;

/// All files of one album. Telegram takes 50 MB in one request; the rest is for what stands around them.
pub const ALBUM_BYTES_MAX: u64 = 48 * 1024 * 1024;

/// How fast a file goes out at least. What takes longer than that is given up.
pub const UPLOAD_BYTES_PER_SECOND: u64 = 128 * 1024;
