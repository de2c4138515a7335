use super::*;

/// The commands of a text, with their words in bars and what stands inside others behind an arrow.
fn shown(text: &str) -> String {
    show(&read(text, 0).expect("it can be read"))
}

fn show(script: &Script) -> String {
    let lines: Vec<String> = script.pipelines.iter().map(line).collect();
    lines.join("; ")
}

fn line(line: &Pipeline) -> String {
    let stages: Vec<String> = line.stages.iter().map(stage).collect();
    let end = if line.ends == Ends::Background {
        " &"
    } else {
        ""
    };
    stages.join(" | ") + end
}

fn stage(stage: &Stage) -> String {
    match stage {
        Stage::Simple(simple) => simple_shown(simple),
        Stage::Group(group) => {
            let name = group.name.as_deref().unwrap_or_default();
            format!(
                "{name}{{{}}}{}",
                show(&group.body),
                redirects(&group.redirects)
            )
        }
    }
}

fn simple_shown(simple: &Simple) -> String {
    let words: Vec<String> = simple
        .assigned
        .iter()
        .chain(&simple.words)
        .map(word)
        .collect();
    words.join(",") + &redirects(&simple.redirects)
}

fn redirects(all: &[Redirect]) -> String {
    let show = |redirect: &Redirect| match redirect {
        Redirect::From(from) => format!("<{}", word(from)),
        Redirect::To(to) => format!(">{}", word(to)),
        Redirect::Text(cell) => format!("<<{}", cell.get().map(word).unwrap_or_default()),
    };
    all.iter().map(show).collect()
}

fn word(word: &Word) -> String {
    let inner: Vec<String> = word
        .inner
        .iter()
        .map(|script| format!("→({})", show(script)))
        .collect();
    format!("{}{}", word.text, inner.concat())
}

#[test]
fn words_lose_their_quotes_and_nothing_else() {
    assert_eq!(shown(r#"a 'b c' "d e" f\ g h"i"'j'"#), "a,b c,d e,f g,hij");
    assert_eq!(shown(r#"echo "a\"b\$c\d" '$x'"#), "echo,a\"b$c\\d,$x");
    assert_eq!(shown("$'a\\tb\\x41\\101\\u00e9'"), "a\tbAAé");
    assert_eq!(shown("a\\\nb c \\\n d"), "ab,c,d");
    assert_eq!(shown("rm$IFS-rf${IFS%x}/ $IFSX"), "rm,-rf,/,$IFSX");
}

#[test]
fn operators_divide_commands() {
    assert_eq!(
        shown("a; b && c || d & e\nf | g |& h"),
        "a; b; c; d &; e; f | g | h"
    );
    assert_eq!(shown("a # b; c\nd#e"), "a; d#e");
    assert_eq!(shown(";; | & a"), "a");
}

#[test]
fn redirections_are_no_words() {
    assert_eq!(shown("a >b 2>>c <d &>e 2>&1 >|f f2"), "a,f2>b>c<d>e>1>f");
    assert_eq!(shown(">x a"), "a>x");
    assert_eq!(shown("a <<< 'b c'"), "a<<b c");
}

#[test]
fn here_documents_stand_behind_their_line() {
    assert_eq!(shown("a <<X b; c\nrm\nX\nd"), "a,b<<rm\n; c; d");
    assert_eq!(shown("a <<-X\n\tt\n\tX\nd"), "a<<t\n; d");
    assert_eq!(shown("a <<'X' <<Y\n$(b)\nX\n$(c)\nY"), "a<<$(b)\n<<\n→(c)");
    assert_eq!(shown("a <<X"), "a<<");
    assert_eq!(shown("echo $((1<<2))\nb"), "echo,; b");
}

#[test]
fn scripts_inside_words_are_found() {
    assert_eq!(
        shown("a $(b $(c)) `d \\`e\\`` \"$(f)\" <(g) >(h)"),
        "a,→(b,→(c)),→(d,→(e)),→(f),→(g),→(h)"
    );
    assert_eq!(
        shown("a ${x:-$(b)} $((1+$(c))) '$(d)'"),
        "a,${x:-}→(b),→(c),$(d)"
    );
    assert_eq!(shown("x=$(a) y=(b $(c)) d"), "x=→(a),y=→(b,→(c)),d");
    assert_eq!(shown("$((a);(b))"), "→({a}; {b})");
}

#[test]
fn compound_commands_hold_all_they_may_run() {
    assert_eq!(
        shown("if a; then b; elif c; then d; else e; fi"),
        "{a; b; c; d; e}"
    );
    assert_eq!(shown("while a; do b; done <f | c"), "{a; b}<f | c");
    assert_eq!(shown("for x in 1 $(a); do b; done"), "{b; for,x,in,1,→(a)}");
    assert_eq!(shown("for x do b; done"), "{b; for,x}");
    assert_eq!(
        shown("case $x in (a|b) c;; *) d; esac; e"),
        "{c; d; for,$x,a,b,*}; e"
    );
    assert_eq!(
        shown("echo $(case x in a) b;; esac) c"),
        "echo,→({b; for,x,a}),c"
    );
    assert_eq!(
        shown("f() { a; }; function g { b; }; (c); ((1<2)); { d; }"),
        "f{a}; g{b}; {c}; 1<2; {d}"
    );
    assert_eq!(shown("! a; time b"), "a; time,b");
}

#[test]
fn braces_make_words() {
    assert_eq!(shown("{rm,-rf,/}"), "rm,-rf,/");
    assert_eq!(
        shown("a b{c,d}e {} '{f,g}' ${h,i}"),
        "a,bce,bde,{},{f,g},${h,i}"
    );
}

#[test]
fn what_a_shell_would_not_take_is_read_all_the_same() {
    assert_eq!(shown("a ) b"), "a; b");
    assert_eq!(shown("(a"), "{a}");
    assert_eq!(shown("$(a"), "→(a)");
    assert_eq!(shown("done; fi a"), "done; fi,a");
    assert_eq!(shown("<"), "<");
    assert_eq!(shown(""), "");
}

#[test]
fn quotes_that_do_not_close_are_given_up() {
    for text in ["'", "a \"b", "`a", "$'x", "${x", "\"$(a 'b)\""] {
        assert_eq!(read(text, 0).err(), Some(Trouble::Unclosed), "{text}");
    }
}

#[test]
fn nesting_without_end_is_given_up() {
    for open in ["(", "$(", "{ ", "if ", "$((", "\"$(", "${x:-"] {
        assert_eq!(
            read(&open.repeat(10_000), 0).err(),
            Some(Trouble::Deep),
            "{open}"
        );
    }
}
