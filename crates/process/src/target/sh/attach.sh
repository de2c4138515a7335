# Starts the command, or finds it, and follows its output from `offset` on.
#
# Nothing is started or said before the other side has read `ready` and answered `go`: a line that
# breaks before has started nothing, one that breaks later finds what was started, and what arrives
# before is not the command's.

begin() {
    find_apart
    enter
    make_folder
    : >>"$folder/log"
    # All streams go elsewhere, so that nobody waits for them.
    # shellcheck disable=SC2086 # words
    $away sh "$folder/run" hold "$id" "$command" "$input" "$leftovers" "$grace" "$mask" \
        </dev/null >/dev/null 2>&1
    rounds=0
    until [ -e "$folder/pid" ]; do
        # It may start later, when nobody looks any more.
        [ "$rounds" -lt 200 ] || {
            say lost
            exit 0
        }
        nap 0.05
        rounds=$((rounds + 1))
    done
}

state() {
    if [ -e "$folder/exit" ] || lives "$folder/pid"; then
        state=runs
    elif [ -e "$folder/exit" ]; then
        state=runs
    elif [ -e "$folder/pid" ]; then
        state=lost
    else
        state=new
    fi
}

# One at a time writes to the input. Who stayed behind on a broken line is asked to go, so that it can
# still write down a piece that it has just passed on; who does not go is killed.
take_over() {
    rounds=0
    while lives "$folder/attach"; do
        if [ "$rounds" -lt 100 ]; then
            kill -s TERM "$pid" 2>/dev/null
        else
            kill -s KILL "$pid" 2>/dev/null
        fi
        nap 0.05
        rounds=$((rounds + 1))
    done
    note "$$" "$folder/attach"
    fed=0
    # Each piece added a line: a file that is written anew may be met while it is empty.
    { while read -r line; do fed=$line; done <"$folder/fed"; } 2>/dev/null
    printf '%s\n' "$fed" >"$folder/fed.$$" && mv "$folder/fed.$$" "$folder/fed"
}

# Tells the end. Seldom looks for it when it is long in coming.
watch() {
    { read -r holder _ <"$folder/pid"; } 2>/dev/null
    rounds=0
    while [ ! -e "$folder/exit" ] && kill -s 0 "$holder" 2>/dev/null && kill -s 0 "$$" 2>/dev/null; do
        rounds=$((rounds + 1))
        if [ "$rounds" -lt 40 ]; then
            nap 0.05
        elif [ "$rounds" -lt 140 ]; then
            nap 0.2
        else
            nap 1
        fi
    done
    if [ -e "$folder/exit" ]; then
        read -r code signal size <"$folder/exit"
        say ended "$code" "$signal" "$size"
    elif kill -s 0 "$$" 2>/dev/null; then
        say lost
    fi
    # Whoever listens hangs up when all was read. A line that is broken and does not know it ends too.
    rounds=0
    while [ "$rounds" -lt 60 ] && kill -s 0 "$$" 2>/dev/null; do
        nap 1
        rounds=$((rounds + 1))
    done
    kill -s KILL "$tail" "$$" 2>/dev/null
}

# Nobody follows the command on this line any more.
leave() {
    kill -s KILL "$tail" "$watch" 2>/dev/null
    exit 0
}

# Input comes in pieces that a pipe takes in whole or not at all. Whoever is asked to go in between goes
# when the piece is written down; a piece that was not passed on is sent again on the next line.
feed() {
    feeding=yes
    if [ -p "$folder/in" ]; then
        printf "${1#* }" 1<>"$folder/in" || leave
    fi
    fed=${1%% *}
    printf '%s\n' "$fed" >>"$folder/fed"
    say fed "$fed"
    feeding=
    [ -z "$asked" ] || leave
}

serve() {
    while read -r word rest; do
        case $word in
        feed) feed "$rest" ;;
        close) [ -p "$folder/hold" ] && printf '\n' 1<>"$folder/hold" ;;
        signal)
            # A number that is somebody else's by now leads to strangers.
            lives "$folder/leader" && kill -s "$rest" -- "-$pid" 2>/dev/null
            ;;
        forget) rm -rf "$folder" ;;
        esac
    done
}

mask=$(umask)
umask 077
state
say ready "$state"
[ "$state" != lost ] || exit 0
read -r word || exit 0
[ "$word" = go ] || exit 0
[ "$state" != new ] || begin
take_over
say runs "$fed"
tail -c "+$((offset + 1))" -f "$folder/log" 2>/dev/null &
tail=$!
watch &
watch=$!
feeding='' asked=''
trap 'asked=yes; [ -n "$feeding" ] || leave' TERM
serve
leave
