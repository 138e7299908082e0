#!/bin/sh
# Installs Luckless from a release, for this user alone, into ~/.local.
#
#   LUCKLESS_URL=https://…/releases/download/v0.1.0 sh install.sh
#
# LUCKLESS_URL is the folder of a release: a web address, or a folder of this machine. LUCKLESS_VERSION is
# the version in it, LUCKLESS_PREFIX another place than ~/.local.
set -eu
url=${LUCKLESS_URL:?the folder of a release, such as https://…/releases/download/v0.1.0}
version=${LUCKLESS_VERSION:-$(basename "$url" | sed 's/^v//')}
prefix=${LUCKLESS_PREFIX:-$HOME/.local}
# The folder changes below.
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac

fail() {
    echo "install.sh: $*" >&2
    exit 1
}

case "$(uname -s)-$(uname -m)" in
Linux-x86_64 | Linux-amd64) target=x86_64-unknown-linux-musl ;;
Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-musl ;;
Darwin-x86_64) target=x86_64-apple-darwin ;;
Darwin-arm64) target=aarch64-apple-darwin ;;
*) fail "there is no program for $(uname -s) on $(uname -m); build it with cargo" ;;
esac
name=luckless-$version-$target

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
get() {
    case $url in
    http*://*)
        if command -v curl >/dev/null; then
            curl -fsSL "$url/$1" -o "$work/$1"
        else
            wget -q "$url/$1" -O "$work/$1"
        fi
        ;;
    *) cp "$url/$1" "$work/$1" ;;
    esac || fail "$url/$1 cannot be had"
}
get "$name.tar.gz"
get "$name.tar.gz.sha256"
cd "$work"
if command -v sha256sum >/dev/null; then
    sha256sum -c "$name.tar.gz.sha256" >/dev/null
else
    shasum -a 256 -c "$name.tar.gz.sha256" >/dev/null
fi || fail "$name.tar.gz is damaged: its checksum is wrong"
tar -xzf "$name.tar.gz"

# To a neighbour first: a program that runs cannot be written over, but its file can be replaced.
put() {
    mkdir -p "$(dirname "$prefix/$2")"
    cp "$name/$1" "$prefix/$2.new"
    mv "$prefix/$2.new" "$prefix/$2"
}
put luckless bin/luckless
for page in "$name"/man/*.1; do
    put "man/$(basename "$page")" "share/man/man1/$(basename "$page")"
done
put completions/luckless.bash share/bash-completion/completions/luckless
put completions/_luckless share/zsh/site-functions/_luckless
put completions/luckless.fish share/fish/vendor_completions.d/luckless.fish
for sample in "$name"/sample_matches/*; do
    put "sample_matches/$(basename "$sample")" "share/luckless/sample_matches/$(basename "$sample")"
done
for theme in "$name"/themes/*; do
    put "themes/$(basename "$theme")" "share/luckless/themes/$(basename "$theme")"
done

echo "$("$prefix/bin/luckless" --version) is in $prefix/bin"
case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "That folder is not in your PATH; add it, or run $prefix/bin/luckless" ;;
esac
