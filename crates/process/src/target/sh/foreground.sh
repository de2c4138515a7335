# Runs the command to its end while the other side waits. Nobody outlives the line between the two.

# When the line breaks, everybody here goes.
hang_on() {
    while read -r _ <&3; do :; done
    ladder "$grace"
}

start() {
    exec </dev/null 2>&1 3<&- 4>&-
    ANGELIA_HELD=$id
    export ANGELIA_HELD
    # shellcheck disable=SC2086 # words
    exec $apart sh "$folder/run" lead "$id" "$command" closed ended "$grace" "$mask"
}

mask=$(umask)
umask 077
find_apart
enter
make_folder
exec 3<&0
hang_on >/dev/null 2>&1 &
line=$!
say started
exec 4>&2 2>"$folder/said"
(start)
code=$?
by_signal "$code" "$folder/said"
ladder "$grace"
kill -s KILL "$line" 2>/dev/null
rm -rf "$folder"
printf 'angelia ended %s %s 0\n' "$code" "$signal" >&4
exit 0
