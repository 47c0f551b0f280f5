#!/bin/sh
# Fuzzes each target of crates/*/fuzz for FUZZ_SECONDS (default 60). Needs `cargo install
# cargo-fuzz` and a nightly toolchain; the same properties run as ordinary tests without either.
set -eu
cd "$(dirname "$0")/.."
seconds=${FUZZ_SECONDS:-60}

if ! cargo fuzz --version >/dev/null 2>&1; then
  echo 'fuzz: cargo-fuzz is missing; install it with: cargo install cargo-fuzz' >&2
  exit 1
fi
for crate in crates/markdown crates/token; do
  (
    cd "$crate"
    for target in $(cargo +nightly fuzz list); do
      echo "==> $crate $target for $seconds s"
      cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -rss_limit_mb=2048
    done
  )
done
