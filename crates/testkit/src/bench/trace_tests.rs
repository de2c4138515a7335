use super::*;

const TRACE: &str = "\
7 fdatasync(4</x/store.db-wal>) = 0
7 fdatasync(9</x/short.mark>) = 0
8 pwrite64(4</x/store.db-wal>, \"\"..., 24, 32) = 24
8 pwrite64(4</x/store.db-wal>, \"\"..., 4096, 56 <unfinished ...>
9 fdatasync(4</x/store.db-wal> <unfinished ...>
8 <... pwrite64 resumed>) = 4096
9 <... fdatasync resumed>) = 0
7 fdatasync(9</x/long.mark>) = 0
8 pwrite64(3</x/store.db>, \"\"..., 4096, 0) = 4096
8 fdatasync(3</x/store.db>) = 0
";

#[test]
fn each_part_counts_what_came_after_its_mark() {
    let parts = read(TRACE);
    let short = Part {
        log_syncs: 1,
        log_bytes: 4120,
        ..Part::default()
    };
    let long = Part {
        file_syncs: 1,
        file_bytes: 4096,
        ..Part::default()
    };
    assert_eq!(parts["short"], short);
    assert_eq!(parts["long"], long);
}
