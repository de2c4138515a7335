//! The binary `angelia`: settings in, a running gateway out.

fn main() {}
