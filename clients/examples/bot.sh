#!/bin/sh
# A bot in plain shell that talks the protocol itself: sh bot.sh HOST PORT
command -v nc >/dev/null || { echo "bot.sh needs nc for its connection; install netcat" >&2; exit 1; }
pipe=$(mktemp -u) && mkfifo -m 600 "$pipe" || exit 1
trap 'rm -f "$pipe"' EXIT

text() { rest=${line#*\"$1\":\"}; printf '%s' "${rest%%\"*}"; }
number() { rest=${line#*\"$1\":}; printf '%s' "${rest%%[!0-9]*}"; }

nc "$1" "$2" <"$pipe" | {
    exec 3>"$pipe"
    printf '{"type":"hello","protocol":"1.0","name":"shell"}\n' >&3
    while read -r line; do
        case $line in
        *'"type":"welcome"'*) printf '{"type":"join","wanted":{"seats":2,"fill":["random"]}}\n' >&3 ;;
        *'"type":"start"'*) printf '{"type":"ready","game":"%s","views":false}\n' "$(text game)" >&3 ;;
        *'"type":"request"'*)
            printf '{"type":"move","game":"%s","id":%s,"choice":%s}\n' \
                "$(text game)" "$(number id)" "$(number default)" >&3 ;;
        *'"type":"error"'*) echo "$line" >&2 ;;
        *'"type":"end"'*)
            echo "$line"
            printf '{"type":"bye"}\n' >&3
            exit 0 ;;
        esac
    done
    echo "bot.sh: the connection ended before the game" >&2
    exit 1
}
