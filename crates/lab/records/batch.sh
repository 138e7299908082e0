#!/usr/bin/env bash
# What threads are worth in `luckless rollout --batch`. Three ways of rolling out the same jobs, the
# decisions of a match, take turns: one thread, THREADS threads, and as many processes of one thread
# with equal shares of the jobs, which share nothing but the machine. Needs jq.
#
#   crates/lab/records/batch.sh [PROGRAM] [THREADS] [ROUNDS] [TRIALS]
set -euo pipefail
luckless=$(readlink -f "$(command -v "${1:-luckless}")")
threads=${2:-2} rounds=${3:-3} trials=${4:-144}
match=$(readlink -f "$(dirname "$0")/../../../sample_matches/anna-ben-7pt.mat")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work XDG_CACHE_HOME=$work
cd "$work"

"$luckless" review --ply 0 --json "$match" 2> /dev/null |
    jq -c '.. | objects | select(has("position") and has("dice")) | {position, dice}' > jobs
jobs=$(wc -l < jobs)
split -n "r/$threads" jobs share-

roll() { "$luckless" rollout --batch "$1" --trials "$trials" --threads "$2"; }
processes() {
    local share waiting=()
    for share in share-*; do
        roll "$share" 1 > "answers-$share" & waiting+=($!)
    done
    for share in "${waiting[@]}"; do wait "$share"; done
    cat answers-share-*
}
# The wall time, the CPU seconds and the load before; the answers stay in the file ANSWERS.
timed() {
    local load answers=$1
    shift
    load=$(cut -d' ' -f1 /proc/loadavg)
    local TIMEFORMAT='%R %U %S'
    { time "$@" > "$answers" 2> "$work/stderr"; } 2> "$work/times"
    read -r wall user system < "$work/times"
    cpu=$(echo "$user $system" | awk '{ printf "%.1f", $1 + $2 }')
    printf '| %s | %s | %s | %s |\n' "$answers" "$wall" "$cpu" "$load"
}

echo "$jobs jobs of $trials trials for each of at most three plays; $(nproc) cores"
printf '\n| how | wall s | CPU s | load before |\n| --- | --- | --- | --- |\n'
for _ in $(seq "$rounds"); do
    timed "1 thread" roll jobs 1
    timed "$threads threads" roll jobs "$threads"
    timed "$threads processes" processes
done

# The threads end within a job of each other: what is idle then, from the jobs' own times.
echo
for cores in 2 16 64; do
    jq -c '[.job, .cpu_seconds]' "1 thread" | sort -n -t'[' -k2 | tr -d '[]' |
        awk -F, -v cores="$cores" '
            { first = 1; for (i = 2; i <= cores; i++) if (end[i] < end[first]) first = i
              end[first] += $2; sum += $2; if (end[first] > last) last = end[first] }
            END { printf "%d threads without load would be busy %.1f %% of the time\n", cores, 100 * sum / cores / last }'
done
# The same answers, but for their order, their numbers and the time they took.
same() { jq -cS 'del(.job, .cpu_seconds, .seconds)' "$1" | sort; }
cmp <(same "1 thread") <(same "$threads threads")
cmp <(same "1 thread") <(same "$threads processes")
