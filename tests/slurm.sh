#!/usr/bin/env bash
# Runs the job array of docs/using/many-machines.md under a Slurm of one node, requeues a task while it plays, and
# checks that `merge` gives the bits of one rollout without Slurm.
#
#   tests/slurm.sh [PROGRAM]        PROGRAM: target/release/luckless
#
# TRIALS (10368) replaces the page's number of trials. Wants Debian's packages slurm-wlm and munge, and no
# cgroups. Everything lives in a temporary folder, on ports of its own; what was started is ended.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "${1:-$root/target/release/luckless}")
trials=${TRIALS:-10368}
page=$root/docs/using/many-machines.md

export PATH=$PATH:/usr/sbin:/sbin
for wanted in munged slurmctld slurmd sbatch scontrol squeue; do
    command -v "$wanted" > /dev/null || {
        echo "tests/slurm.sh: no $wanted here: install Slurm and munge (Debian: slurm-wlm, munge)" >&2
        exit 77
    }
done
[ -x "$program" ] || { echo "tests/slurm.sh: no program at $program" >&2; exit 2; }

work=$(mktemp -d /tmp/luckless-slurm.XXXXXX)
chmod 755 "$work" # munge refuses a socket that others cannot reach
daemons=()
# A Slurm that the user has is none of ours: tasks are cancelled only where SLURM_CONF is the one made below.
unset SLURM_CONF
finish() {
    status=$?
    trap : INT TERM # a second signal must not cut this short
    # Tasks are no children of ours: they end by Slurm's hand, while it is there.
    if [ -n "${SLURM_CONF:-}" ] && [ $status -ne 0 ]; then
        timeout 10 scancel --user="$(id -un)" 2> /dev/null || true
        for _ in 1 2 3 4 5 6 7 8 9 10; do [ -n "$(timeout 5 squeue -h 2> /dev/null)" ] || break; sleep 1; done
    fi
    for daemon in "${daemons[@]}"; do kill "$daemon" 2> /dev/null || true; done
    wait
    if [ $status -eq 0 ]; then rm -rf "$work"; else echo "tests/slurm.sh: failed; logs are in $work" >&2; fi
}
trap finish EXIT
trap 'exit 1' INT TERM
mkdir -m 755 "$work/run"
mkdir -m 700 "$work/key"
mkdir "$work/state" "$work/spool" "$work/bin" "$work/jobs" "$work/data"
ln -s "$program" "$work/bin/luckless"
export PATH=$work/bin:$PATH
export XDG_DATA_HOME=$work/data XDG_CONFIG_HOME=$work/data XDG_STATE_HOME=$work/data XDG_CACHE_HOME=$work/data

wait_for() { # SECONDS WHAT COMMAND...
    local until=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        [ $SECONDS -lt $until ] || { echo "tests/slurm.sh: $what did not come" >&2; exit 1; }
        sleep 0.2
    done
}

# A key, a munge and a Slurm of our own. Ctrl-C must not end them before the tasks. A requeued task waits for as long
# as a credential lives.
head -c 128 /dev/urandom > "$work/key/munge.key"
chmod 600 "$work/key/munge.key"
setsid munged --foreground --key-file="$work/key/munge.key" --socket="$work/run/munge" --pid-file="$work/run/munge.pid" \
    --log-file="$work/key/munged.log" --seed-file="$work/key/seed" 2> "$work/munged.err" &
daemons+=($!)
wait_for 30 "munge's socket" test -S "$work/run/munge"

node=$(hostname -s)
user=$(id -un)
export SLURM_CONF=$work/slurm.conf
cat > "$SLURM_CONF" << END
ClusterName=luckless
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=${SLURMCTLD_PORT:-26817}
SlurmdPort=${SLURMD_PORT:-26818}
SlurmUser=$user
SlurmdUser=$user
AuthInfo=socket=$work/run/munge,cred_expire=10
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/run/slurmctld.pid
SlurmdPidFile=$work/run/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc)
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
setsid slurmctld -D -c > "$work/slurmctld.log" 2>&1 &
daemons+=($!)
setsid slurmd -D -c > "$work/slurmd.log" 2>&1 &
daemons+=($!)
idle() { sinfo -h -o %T 2> /dev/null | grep -qx idle; }
wait_for 60 "an idle node" idle

# The page's own script, with fewer trials.
cd "$work/jobs"
awk '/^## A Slurm job array/ { here = 1 } here && /^```/ { if (inside) exit; inside = 1; next } inside' "$page" \
    | sed "s/--trials [0-9]*/--trials $trials/" > rollout.sh
grep -q '^#SBATCH --array=1-' rollout.sh || { echo "tests/slurm.sh: no array in $page" >&2; exit 1; }
shards=$(sed -n 's/^#SBATCH --array=1-//p' rollout.sh)

sbatch --wait rollout.sh > sbatch.out &
submitted=$!
# The first task that runs and has a store is requeued.
running() {
    task=$(squeue -h -r -t RUNNING -o '%F_%K' 2> /dev/null | while read -r one; do
        if [ -s "shard-${one#*_}" ]; then echo "$one"; break; fi
    done)
    [ -n "$task" ]
}
wait_for 120 "a running task with a store" running
scontrol requeue "$task"
wait $submitted || { echo "tests/slurm.sh: the array ended with $?" >&2; exit 1; }
restarts=$(scontrol show job "$task" | sed -n 's/.*Restarts=\([0-9]*\).*/\1/p')
[ "$restarts" = 1 ] || { echo "tests/slurm.sh: task $task had ${restarts:-no} restarts, not 1" >&2; exit 1; }

without_times() { sed -E 's/"(cpu_)?seconds":[^,}]*//g'; }
luckless merge shard-* --json | without_times > merged.json
options=$(sed -n '/^luckless rollout/,$p' rollout.sh | tr -d '\\\n' | sed 's/--shard.*//')
# shellcheck disable=SC2086  # the words of the page's command
$options --json | without_times > alone.json
cmp merged.json alone.json || { echo "tests/slurm.sh: merge and one rollout differ" >&2; exit 1; }
echo "Slurm $(sinfo -V | cut -d' ' -f2): $shards shards of $trials trials, task ${task#*_} requeued:" \
    "merge gives the bits of one rollout"
