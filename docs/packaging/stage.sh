#!/usr/bin/env bash
# Puts everything that a package holds into a folder: program, manual pages, completions, themes, samples,
# licences.
#
#   docs/packaging/stage.sh PROGRAM FOLDER [RUN]
#
# RUN is a program that runs here and is of the same version, where PROGRAM is for another system.
set -euo pipefail
mkdir -p "$2"/{completions,themes,sample_matches}
# The folder changes below.
program=$(readlink -f "$1") folder=$(readlink -f "$2") run=$(readlink -f "${3:-$1}")
cd "$(dirname "$0")/../.."

cp "$program" "$folder/"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder/"
cp themes/*.toml "$folder/themes/"
cp sample_matches/* "$folder/sample_matches/"

"$run" man --all "$folder/man"
"$run" completions bash > "$folder/completions/luckless.bash"
"$run" completions zsh > "$folder/completions/_luckless"
"$run" completions fish > "$folder/completions/luckless.fish"
"$run" completions elvish > "$folder/completions/luckless.elv"
"$run" completions powershell > "$folder/completions/_luckless.ps1"
