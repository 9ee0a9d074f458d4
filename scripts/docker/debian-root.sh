#!/bin/sh
# Unpacks a small Debian into a folder, for what is tried in one: scripts/docker/debian-root.sh FOLDER
# It is made once with debootstrap and kept in ~/.cache/knell-test. Needs root, debootstrap and a Debian mirror; exit status 1,
# and a line that says which of them is missing.
set -eu
suite=trixie
cache="${XDG_CACHE_HOME:-$HOME/.cache}/knell-test"
kept="$cache/debian-$suite.tar"

[ "$(id -u)" = 0 ] || { echo "only root can make a Debian"; exit 1; }
if [ ! -f "$kept" ]; then
  command -v debootstrap >/dev/null || { echo "there is no debootstrap"; exit 1; }
  mkdir -p "$cache"
  made=$(mktemp -d "$cache/debian-XXXXXX")
  trap 'rm -rf "$made" "$kept.$$"' EXIT
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$made/root" >"$made/log" 2>&1 \
    || { tail -n 3 "$made/log"; echo "debootstrap failed"; exit 1; }
  rm -rf "$made/root/var/cache/apt/archives" "$made/root/var/lib/apt/lists"
  mkdir -p "$made/root/var/cache/apt/archives/partial" "$made/root/var/lib/apt/lists/partial"
  tar -C "$made/root" -cf "$kept.$$" .
  mv "$kept.$$" "$kept"
fi
mkdir -p "$1"
tar -C "$1" -xf "$kept"
# Where the machine trusts an authority of its own, between it and the registries, so does what runs in there.
[ ! -f /etc/ssl/certs/ca-certificates.crt ] \
  || cp /etc/ssl/certs/ca-certificates.crt "$1/etc/ssl/certs/ca-certificates.crt"
