#!/bin/sh
# Makes what the Dockerfile takes as its base where no registry of images can be reached: Debian by debootstrap, Node and npm
# from the npm registry at the places of the official image, and its user "node". As a tar file, for "podman import" or
# "docker import": scripts/docker/base.sh FILE
set -eu
here=$(cd "$(dirname "$0")" && pwd)
node_version=22
npm_version=10
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

root="$made/root"
"$here/debian-root.sh" "$root" || exit 1
arch=$(node -p process.arch)
cd "$made"
npm pack --silent "node-linux-$arch@$node_version" "npm@$npm_version" >/dev/null || { echo "the npm registry has no Node"; exit 1; }
tar -xzf node-linux-*.tgz -C "$root/usr/local" --strip-components=1 package/bin
npm="$root/usr/local/lib/node_modules/npm"
mkdir -p "$npm" "$root/usr/local/etc"
tar -xzf npm-*.tgz -C "$npm" --strip-components=1
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
chmod 755 "$root/usr/local/bin/node" "$npm/bin/npm-cli.js"
# Node brings authorities of its own; npm uses Debian's, with what the machine adds to them.
echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$root/usr/local/etc/npmrc"
chroot "$root" useradd --create-home --uid 1000 node
tar -C "$root" -cf "$1" .
