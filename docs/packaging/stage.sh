#!/usr/bin/env bash
# Puts everything that a package holds into a folder: program, manual pages, completions, themes, samples,
# licences.
#
#   docs/packaging/stage.sh PROGRAM FOLDER [RUN]
#
# RUN is a program that runs here and is of the same version, where PROGRAM is for another system.
set -euo pipefail
program=$1 folder=$2 run=${3:-$1}
cd "$(dirname "$0")/../.."
run=$(readlink -f "$run")

mkdir -p "$folder"/{man,completions,themes,sample_matches}
cp "$program" "$folder/"
cp README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$folder/"
cp themes/*.toml "$folder/themes/"
cp sample_matches/* "$folder/sample_matches/"

"$run" man > "$folder/man/luckless.1"
for command in $("$run" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
    test "$command" = help || "$run" man "$command" > "$folder/man/luckless-$command.1"
done
"$run" completions bash > "$folder/completions/luckless.bash"
"$run" completions zsh > "$folder/completions/_luckless"
"$run" completions fish > "$folder/completions/luckless.fish"
"$run" completions elvish > "$folder/completions/luckless.elv"
"$run" completions powershell > "$folder/completions/_luckless.ps1"
