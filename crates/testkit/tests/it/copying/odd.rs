//! Values that somebody will write one day: nothing, zeros, signs that are no characters, the ends of numbers.

use angelia_store::database::Database;
use angelia_testkit::contract::store::given::HandClock;
use rusqlite::{Connection, params};

use super::Road;

/// Words that one engine or the other could take for something else.
pub(super) fn words() -> Vec<String> {
    let mut words: Vec<String> = [
        "",
        " ",
        "\0",
        "a\0b",
        "\0\0",
        "\u{fdd3}",
        "\u{fdd3}0",
        "\u{fdd3}1\0",
        "0\u{fdd3}\u{fdd3}",
        "🙂👩‍👩‍👧",
        "日本語のテキスト",
        "e\u{301} é",
        "\u{feff}\u{10ffff}\u{e000}",
        "\\N \\. \\x00",
        "\t\r\n\u{b}\u{85}\u{2028}",
        "'\"`$1?1",
        "{\"a\":\"\\u0000\"}",
    ]
    .map(str::to_owned)
    .into();
    words.push("long\0🙂".repeat(40_000));
    words
}

const NUMBERS: [i64; 7] = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];

/// A store with such values wherever one may stand.
pub(super) fn fill(conn: &Connection) -> rusqlite::Result<()> {
    for (place, word) in words().iter().enumerate() {
        let number = NUMBERS[place % NUMBERS.len()];
        let seq = place as i64 + 1;
        // An index of PostgreSQL takes no longer ones; ids and names have a limit far below.
        let name: String = word.chars().take(400).collect();
        keyed(conn, &name, number, place)?;
        talked(conn, (seq, number), &name, word)?;
        let salt = (place % 3 > 0).then(|| word.as_bytes().to_vec());
        conn.execute(
            "INSERT INTO knocks (id, platform, account, chat, chat_kind, thread, person, name, event_key, state, \
             asked_at, ends_at, salt, hash) VALUES (?1, ?2, ?2, ?2, ?2, NULL, ?2, ?3, ?1, 'waiting', ?4, ?4, ?5, ?6)",
            params![
                format!("{place} {name}"),
                name,
                place.is_multiple_of(2).then_some(word),
                number,
                salt,
                [0_u8, 255, 128, 0],
            ],
        )?;
    }
    Ok(())
}

/// Rows that are known by words.
fn keyed(conn: &Connection, name: &str, number: i64, place: usize) -> rusqlite::Result<()> {
    conn.execute("INSERT INTO cursors VALUES (?1, ?1)", [name])?;
    conn.execute("INSERT INTO watch_paces VALUES (?1, ?1)", [name])?;
    conn.execute(
        "INSERT INTO leases VALUES (?1, ?1, ?1, ?2, ?2)",
        params![name, number],
    )?;
    conn.execute(
        "INSERT INTO whatsapp_aliases VALUES (?1, ?1, ?2)",
        params![name, number],
    )?;
    conn.execute(
        "INSERT INTO chat_choices VALUES (?1, ?1, ?1, ?1)",
        params![name],
    )?;
    conn.execute(
        "INSERT INTO spent VALUES (?1, ?1, ?1, ?2, ?2, ?3)",
        params![name, number, place.is_multiple_of(2).then_some(number)],
    )?;
    conn.execute(
        "INSERT INTO homes VALUES (?1, ?1, ?2)",
        params![name, number],
    )?;
    Ok(())
}

/// A conversation, each a branch of the one before.
fn talked(
    conn: &Connection,
    (seq, number): (i64, i64),
    name: &str,
    word: &str,
) -> rusqlite::Result<()> {
    let parent = (seq > 1).then_some(seq - 1);
    conn.execute(
        "INSERT INTO sessions (seq, id, scope, key, generation, platform, account, chat, chat_kind, created_at, \
         active_at, listed_at, label, preview, title, ended_at, parent, link, news) \
         VALUES (?1, ?2, ?3, ?3, ?4, ?3, ?3, ?3, ?3, ?4, ?4, ?4, ?5, ?5, ?3, ?4, ?6, ?7, ?5)",
        params![
            seq,
            format!("{seq}"),
            name,
            number,
            word,
            parent,
            parent.map(|_| "branch")
        ],
    )?;
    conn.execute("INSERT INTO routes VALUES (?1, ?2)", params![name, seq])?;
    conn.execute(
        "INSERT INTO turns (seq, id, session, state, attempts, fence, claimed_at, batch, agent, why) \
         VALUES (?1, ?2, ?1, 'failed', ?3, ?3, ?3, ?4, ?4, ?4)",
        params![seq, format!("{seq}"), number, word],
    )?;
    conn.execute(
        "INSERT INTO steps VALUES (?1, ?2, ?2, ?3, ?4)",
        params![seq, number, name, word],
    )?;
    conn.execute(
        "INSERT INTO transcript (session, seq, at, role, text, body) VALUES (?1, ?2, ?2, ?3, ?4, ?4)",
        params![seq, number, name, word],
    )?;
    conn.execute(
        "INSERT INTO inbox (seq, id, account, event_key, state, received_at) VALUES (?1, ?2, ?3, ?3, 'done', ?4)",
        params![seq, format!("{seq}"), name, number],
    )?;
    conn.execute("INSERT INTO long_texts VALUES (?1, ?2)", params![seq, word])?;
    conn.execute(
        "INSERT INTO long_bodies VALUES (?1, ?2)",
        params![seq, word],
    )?;
    wanted(conn, (seq, number), name, word)
}

/// A process of the conversation, and something that is wanted of it.
fn wanted(
    conn: &Connection,
    (seq, number): (i64, i64),
    name: &str,
    word: &str,
) -> rusqlite::Result<()> {
    conn.execute(
        "INSERT INTO processes (seq, id, session, call, node, home, mode, platform, account, chat, chat_kind, person, \
         key, notice, state, started_at, ended_at, command) \
         VALUES (?1, ?2, ?1, ?3, ?3, ?3, 'pty', ?3, ?3, ?3, ?3, ?3, ?3, 'wanted', 'lost', ?4, ?4, ?5)",
        params![seq, format!("{seq}"), name, number, word],
    )?;
    conn.execute(
        "INSERT INTO process_errands (id, process, body, input, asked_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![format!("{seq}"), seq, word, word.as_bytes(), number],
    )?;
    Ok(())
}

#[test]
fn odd_values_come_back_as_they_were() {
    let Some(road) = Road::of_this_test() else {
        return;
    };
    let path = road.path("there.db");
    drop(Database::open(&path, HandClock::new().for_store()).expect("it opens"));
    let conn = Connection::open(&path).expect("it opens");
    fill(&conn).expect("it takes them");
    drop(conn);
    let checked = road.both_ways();
    let rows: u64 = checked.iter().map(|table| table.sum.rows()).sum();
    assert!(rows > 200, "{rows}");
}
