# Runs the command to its end while the other side waits. Nobody outlives the line between the two.

start() {
    exec </dev/null 2>&1 4>&-
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
# shellcheck disable=SC2086 # words
$away sh "$folder/run" guard "$id" "$command" closed ended "$grace" "$mask" >/dev/null 2>&1
say started
exec 4>&2 2>"$folder/said"
(start)
code=$?
by_signal "$code" "$folder/said"
ladder "$grace"
lives "$folder/guard" && kill -s KILL "$pid" 2>/dev/null
rm -rf "$folder"
printf 'angelia ended %s %s 0\n' "$code" "$signal" >&4
exit 0
