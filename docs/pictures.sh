#!/usr/bin/env bash
# Draws every picture of README and book anew from the program as it is now: the tape in a terminal, and the
# boards of the themes. Builds a release first; LUCKLESS_PROGRAM=PATH uses another build for the tape.
set -euo pipefail
cd "$(dirname "$0")/.."
UPDATE_MANUAL=1 cargo test --locked --release --test documents pictures -- --include-ignored
git status --short docs/pictures
