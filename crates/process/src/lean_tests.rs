use super::*;

const MAPS: &str = "\
55d0-55d1 r--p 00000000 fe:00 11 /bin/program
55d1-55d2 r-xp 00001000 fe:00 11 /bin/program
55d2-55d3 r--p 00002000 fe:00 11 /bin/program
55d3-55d4 rw-p 00003000 fe:00 11 /bin/program
55e0-55e1 rw-p 00000000 00:00 0 [heap]
7f00-7f01 r--p 00000000 fe:00 12 /lib/some lib.so
7f01-7f02 r-xp 00001000 fe:00 12 /lib/some lib.so
7f02-7f03 r--p 00002000 fe:00 12 /lib/some lib.so
7f10-7f11 r--p 00000000 fe:00 13 /lib/only-data
7f20-7f21 r--p 00000000 00:00 0
7f30-7f31 r-xp 00000000 00:00 0 [vdso]
";

#[test]
fn only_what_comes_before_the_code_of_a_file_and_the_code_are_given_back() {
    let found = unwritten(MAPS.lines().filter_map(mapping));
    let starts: Vec<_> = found.iter().map(|mapping| mapping.start).collect();
    assert_eq!(starts, [0x55d0, 0x55d1, 0x7f00, 0x7f01]);
}

#[test]
fn a_program_goes_on_after_it_gave_back_its_memory() {
    let before: Vec<String> = (0..1000).map(|n| format!("{n:?} {:?}", Some(n))).collect();
    give_back();
    let after: Vec<String> = (0..1000).map(|n| format!("{n:?} {:?}", Some(n))).collect();
    assert_eq!(before, after);
}
