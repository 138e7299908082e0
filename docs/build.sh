#!/usr/bin/env bash
# Builds the book into target/book. Wants mdBook (https://rust-lang.github.io/mdBook): `cargo install mdbook`.
set -euo pipefail
cd "$(dirname "$0")"
mdbook build
echo "target/book/index.html"
