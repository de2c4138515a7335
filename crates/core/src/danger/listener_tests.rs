use super::*;

#[test]
fn a_shell_without_a_script_listens() {
    for command in [
        "sh",
        "bash",
        "/bin/bash -i",
        "bash -l",
        "exec zsh",
        "env A=b sh",
        "sh -s",
        "sh -s -- x",
        "sh -",
        "sh /dev/stdin",
        "bash --norc",
        "bash --rcfile x",
        "nohup bash",
        "busybox sh",
        "sudo -i",
        "sudo sh",
        "su",
        "su - bob",
        "ssh host",
        "ssh -p 22 host",
        "ssh host bash",
        "docker exec -i box sh",
        "sh -c 'exec bash'",
        "cd /x && bash",
        "cat | sh",
        "(bash)",
        "script -q",
        "tmux",
        "$SHELL",
        "while read x; do eval \"$x\"; done",
        "sh 'unclosed",
    ] {
        assert_eq!(listener(command), Listener::Shell, "{command}");
    }
}

#[test]
fn an_interpreter_without_a_script_listens_too() {
    for command in [
        "python3",
        "python3 -i x.py",
        "python -",
        "python3.12 -q",
        "node",
        "perl",
        "irb",
        "ruby",
    ] {
        assert_eq!(listener(command), Listener::Interpreter, "{command}");
    }
}

#[test]
fn who_has_a_script_does_not_listen() {
    for command in [
        "sh x.sh",
        "bash -x build.sh",
        "bash -c 'make'",
        "sh -ec make",
        "sh < x.sh",
        "bash --version",
        "python3 x.py",
        "python3 -m http.server",
        "python3 -c 'x'",
        "node server.js",
        "npm start",
        "cat",
        "ssh host uptime",
        "docker exec box ls",
        "su -c make",
        "sudo make",
        "psql",
        "read x; echo $x",
        "bash <<< ls",
    ] {
        assert_eq!(listener(command), Listener::Nobody, "{command}");
    }
}
