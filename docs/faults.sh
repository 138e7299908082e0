#!/usr/bin/env bash
# Shows what the program says when its folders fail: a full disk, a read-only one, stores of another
# version and files that are no stores. Needs Linux and the right to mount.
#
#   docs/faults.sh [PROGRAM]
set -euo pipefail
# It would come before the folders that are named below.
unset LUCKLESS_HOME
program=$(readlink -f "$(command -v "${1:-luckless}")")
sample=$(readlink -f "$(dirname "$0")/../sample_matches/clara-dev-3pt.mat")
home=$(mktemp -d)
mount -t tmpfs -o size=8m tmpfs "$home"
trap 'umount "$home"; rmdir "$home"' EXIT
failed=0

# Runs a command with its folders at $home; what it says must have the words, and its status be as given.
expect() {
    local words=$1 status=$2 found=0
    shift 2
    echo "\$ luckless $*"
    XDG_DATA_HOME=$home/data XDG_CONFIG_HOME=$home/config "$program" "$@" > "$out" 2> "$err" || found=$?
    sed "s|$home|HOME|; s/^/  /" "$err"
    if [ "$found" != "$status" ] || { [ -n "$words" ] && ! grep -q "$words" "$err"; }; then
        echo "  expected '$words' and status $status; the status is $found"
        failed=1
    fi
}
out=$(mktemp) err=$(mktemp)

echo "# The disk is full"
mkdir -p "$home/data" "$home/config"
head -c 16M /dev/zero > "$home/filler" 2>/dev/null || true
expect "the disk is full" 0 review --ply 0 "$sample"
grep -q "Clara" "$out" || failed=1
rm "$home/filler"
rm -rf "$home"/data/*

# Reviews while nothing can be written: the figures come, and the reason is said.
review_read_only() {
    mount -o remount,ro "$home"
    expect "Read-only file system" 0 review --ply 0 "$1"
    grep -q "Clara" "$out" || failed=1
    mount -o remount,rw "$home"
}

echo "# The home is read-only: without a folder of ours, with an empty one, with a store"
review_read_only "$sample"
mkdir -p "$home/data/luckless"
review_read_only "$sample"
expect "" 0 review --ply 0 "$sample"
# What the store has already need not be written.
other=$(mktemp --suffix=.mat)
sed 's/3 point/5 point/' "$sample" > "$other"
review_read_only "$other"
rm "$other"
rm -rf "$home"/data/*

echo "# A store of a newer version"
expect "" 0 review --ply 0 "$sample"
# The version that SQLite keeps for programs stands at byte 60 of the file.
printf '\0\0\0\143' | dd of="$home/data/luckless/reviews.sqlite" bs=1 seek=60 conv=notrunc status=none
expect "made by another version" 0 review --ply 0 "$sample"
expect "made by another version" 1 matches

echo "# A file that is no store, in the place of one"
head -c 8192 /dev/urandom > "$home/data/luckless/reviews.sqlite"
expect "reviews.sqlite.damaged" 0 review --ply 0 "$sample"
expect "" 0 matches

rm -f "$out" "$err"
exit $failed
