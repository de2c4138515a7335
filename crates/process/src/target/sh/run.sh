# The file `run` in a command's folder: `lead` becomes the command, `hold` stays with it to its
# end, `guard` watches the line of one in the foreground.

# The temp directory may be another one for the command.
folder=${0%/*}

# Opened a session already; the shell that follows has the same number.
lead() {
    note "$$" "$folder/leader"
    umask "$mask"
    exec sh -c -- "$command"
}

# Keeps the input open until somebody writes a line to `hold`.
keep_input() {
    exec 8>"$folder/in" 9<>"$folder/hold" 7<&-
    read -r _ <&9
}

start() {
    trap - HUP INT TERM
    case $input in
    open) exec <"$folder/in" ;;
    *) exec </dev/null ;;
    esac
    exec >>"$folder/log" 2>&1
    ANGELIA_HELD=$id
    export ANGELIA_HELD
    # shellcheck disable=SC2086 # words
    exec $apart sh "$folder/run" lead "$id" "$command" "$input" "$leftovers" "$grace" "$mask"
}

hold() {
    # Who comes second finds the first.
    mkdir "$folder/claim" 2>/dev/null || exit 0
    # Heard and not heeded: what is ignored would stay ignored in the command.
    trap : HUP INT TERM
    find_apart
    keeper=
    if [ "$input" = open ]; then
        mkfifo "$folder/in" "$folder/hold"
        # Open at every moment from here on, so that nothing written is lost.
        exec 7<>"$folder/in"
        keep_input 2>/dev/null &
        keeper=$!
        exec 7<&-
    fi
    note "$$" "$folder/pid"
    exec 2>"$folder/said"
    (start)
    code=$?
    by_signal "$code" "$folder/said"
    [ "$leftovers" = kept ] || ladder "$grace"
    size=$(wc -c <"$folder/log")
    printf '%s %s %s\n' "$code" "$signal" "$((size))" >"$folder/exit.new"
    mv "$folder/exit.new" "$folder/exit"
    [ -z "$keeper" ] || kill "$keeper"
}

# Stands apart from a foreground command and its line, so that it outlives both: when the line breaks,
# everybody here goes.
guard() {
    note "$$" "$folder/guard"
    while read -r _; do :; done
    ladder "$grace"
    rm -rf "$folder"
}

umask 077
case $verb in
lead) lead ;;
hold) hold ;;
guard) guard ;;
esac
