# What every script in a target knows. `id` is set before; everything about the command is in `folder`.
#
# Written for any POSIX shell. Processes are told apart by number, start and boot where there is a
# `/proc`, and by number alone elsewhere.

unset CDPATH
folder=${TMPDIR:-/tmp}/angelia-$id
tag=ANGELIA_HELD=$id

# Speaks to the other side. The output carries the command's own words and nothing else.
say() {
    printf 'angelia %s\n' "$*" >&2
}

fail() {
    say failed "$*"
    exit 0
}

# Some sleeps know only whole seconds. Whoever sleeps holds none of our streams open.
nap() {
    sleep "$1" >/dev/null 2>&1 || sleep 1 >/dev/null 2>&1
}

# The tick at which process $1 started; nothing if it is dead.
start_of() {
    [ -d /proc/self ] || {
        printf '%s' -
        return
    }
    stat=
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null
    [ -n "$stat" ] || return 0
    # shellcheck disable=SC2086 # fields
    set -- ${stat##*) }
    case $1 in
    Z | X | x) ;;
    *) printf '%s' "${20}" ;;
    esac
}

boot() {
    boot=-
    { read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
    printf '%s' "$boot"
}

# Writes down who process $1 is, in the file $2.
note() {
    printf '%s %s %s\n' "$1" "$(start_of "$1")" "$(boot)" >"$2.$$" && mv "$2.$$" "$2"
}

# Whether the process in the file $1 lives. Its number is then `pid`.
lives() {
    pid='' start='' booted=''
    { read -r pid start booted <"$1"; } 2>/dev/null
    [ -n "$pid" ] && kill -s 0 "$pid" 2>/dev/null &&
        [ "$(start_of "$pid")" = "$start" ] && [ "$(boot)" = "$booted" ]
}

# Everybody who belongs to the command and is not dead: its session, and who carries its mark elsewhere.
members() {
    leader='' began=''
    { read -r leader began _ <"$folder/leader"; } 2>/dev/null
    if [ -d /proc/self ]; then
        now=$(start_of "${leader:-0}")
        # A number that is somebody else's by now leads to strangers.
        [ -z "$now" ] || [ "$now" = "$began" ] || leader=
        in_session
        carriers
    elif [ -n "$leader" ] && kill -s 0 -- "-$leader" 2>/dev/null; then
        printf '%s ' "-$leader"
    fi
}

# After the name, which ends with a bracket, stand the state, the parent, the group and the session.
in_session() {
    [ -n "$leader" ] || return 0
    for at in $(grep -lsE "\) [^ZXx] [0-9]+ [0-9]+ $leader " /proc/[0-9]*/stat); do
        at=${at#/proc/}
        printf '%s ' "${at%/stat}"
    done
}

# Variables stand with zero bytes between them, after which some greps see nothing.
carriers() {
    if printf 'a\0b\n' | grep -qF b; then
        found=$(grep -lsF "$tag" /proc/[0-9]*/environ)
    else
        found=$(carriers_one_by_one)
    fi
    for at in $found; do
        at=${at#/proc/}
        printf '%s ' "${at%/environ}"
    done
}

carriers_one_by_one() {
    for at in /proc/[0-9]*/environ; do
        { tr '\0' '\n' <"$at"; } 2>/dev/null | grep -qxF "$tag" && printf '%s\n' "$at"
    done
}

# Takes everybody down: asks, waits for at most $1 tenths of a second, and kills until nobody is left.
ladder() {
    left=$(members)
    # shellcheck disable=SC2086 # numbers
    if [ "$1" -gt 0 ] && [ -n "$left" ]; then
        # A stopped program hears only after it is continued.
        kill -s TERM -- $left 2>/dev/null
        kill -s CONT -- $left 2>/dev/null
    fi
    waited=0
    while [ "$waited" -lt "$1" ] && [ -n "$(members)" ]; do
        nap 0.1
        waited=$((waited + 1))
    done
    rounds=0
    while left=$(members) && [ -n "$left" ] && [ "$rounds" -lt 100 ]; do
        # shellcheck disable=SC2086 # numbers
        kill -s KILL -- $left 2>/dev/null
        rounds=$((rounds + 1))
        [ "$rounds" -lt 3 ] || nap 0.1
    done
    [ -z "$left" ]
}

# Sets `signal` to what ended a command whose code was $1; to 0 if it ended by itself. Shells say on
# their errors, here the file $2, when a signal did it, but not for the two that are usual in pipes.
by_signal() {
    signal=0
    case $1 in
    130 | 141) signal=$(($1 - 128)) ;;
    *) if [ "$1" -gt 128 ] && [ -s "$2" ]; then signal=$(($1 - 128)); fi ;;
    esac
}

# Sets `apart` to what opens a session, and `away` to what does so in a process of its own and returns.
# A job in the background would not do: shells have it ignore interrupts, and with it the command.
find_apart() {
    if command -v setsid >/dev/null 2>&1; then
        apart=setsid
        # Who leads a group has to go on in a child to open a session.
        away='setsid setsid'
    elif command -v perl >/dev/null 2>&1; then
        apart='perl -MPOSIX -e POSIX::setsid();exec(@ARGV)'
        away='perl -MPOSIX -e fork&&exit;POSIX::setsid();exec(@ARGV)'
    else
        fail "there is neither setsid nor perl to open a session with; install util-linux"
    fi
}

# Makes the folder, for our own account alone.
make_folder() {
    mkdir -p "$folder" || fail "the folder $folder cannot be made"
    [ -O "$folder" ] || fail "the folder $folder belongs to somebody else"
    printf '%s' "$run" >"$folder/run.$$" && mv "$folder/run.$$" "$folder/run" ||
        fail "nothing can be written in $folder"
}

# Goes where the command is to run. A leading tilde is this account's home.
enter() {
    case $workdir in
    '') return ;;
    '~') workdir=$HOME ;;
    '~/'*) workdir=$HOME/${workdir#'~/'} ;;
    esac
    cd -- "$workdir" 2>/dev/null || fail "the directory $workdir does not exist or may not be entered"
}
