#!/usr/bin/env bash
# Makes a .deb of a static program. Needs dpkg-deb and nothing of Debian's tools for building.
#
#   docs/packaging/deb.sh PROGRAM ARCHITECTURE FOLDER [RUN]
#
# ARCHITECTURE is amd64 or arm64; RUN as for stage.sh.
set -euo pipefail
program=$(readlink -f "$1") architecture=$2 out=$(readlink -f "$3") run=$(readlink -f "${4:-$1}")
here=$(readlink -f "$(dirname "$0")")
version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml" | head -1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$here/stage.sh" "$program" "$work/staged" "$run"
root=$work/root
share=$root/usr/share
install -Dm755 "$work/staged/$(basename "$program")" "$root/usr/bin/luckless"
for page in "$work"/staged/man/*.1; do
    install -Dm644 "$page" "$share/man/man1/$(basename "$page")"
done
gzip -9n "$share"/man/man1/*.1
install -Dm644 "$work/staged/completions/luckless.bash" "$share/bash-completion/completions/luckless"
install -Dm644 "$work/staged/completions/_luckless" "$share/zsh/vendor-completions/_luckless"
install -Dm644 "$work/staged/completions/luckless.fish" "$share/fish/vendor_completions.d/luckless.fish"
doc=$share/doc/luckless
install -Dm644 -t "$doc" "$work/staged/README.md"
install -Dm644 -t "$doc/themes" "$work"/staged/themes/*
install -Dm644 -t "$doc/sample_matches" "$work"/staged/sample_matches/*
gzip -9nc "$work/staged/CHANGELOG.md" > "$doc/changelog.gz"
chmod 644 "$doc/changelog.gz"
{
    echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
    echo "Upstream-Name: luckless"
    echo
    echo "Files: *"
    sed -n 's/^Copyright/Copyright:/p' "$work/staged/LICENSE-MIT"
    echo "License: MIT or Apache-2.0"
    sed 's/^$/./; s/^/ /' "$work/staged/LICENSE-MIT"
    echo " ."
    echo " or the Apache License, Version 2.0: /usr/share/common-licenses/Apache-2.0"
} > "$doc/copyright"
chmod 644 "$doc/copyright"

mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" <<CONTROL
Package: luckless
Version: $version-1
Architecture: $architecture
Maintainer: The Luckless project <luckless@localhost>
Section: games
Priority: optional
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Description: backgammon analysis workstation for the terminal
 Analyses matches and positions of backgammon: rollouts with the luck taken
 out, reviews, a library of matches and a quiz of errors, in a terminal or
 on the command line.
CONTROL
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/luckless_$version-1_$architecture.deb"
