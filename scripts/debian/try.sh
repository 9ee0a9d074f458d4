#!/bin/sh
# Builds the Debian package and tries it: lintian, then in a Debian of its own (scripts/docker/debian-root.sh) an older version is
# installed by apt, pinged, upgraded with a changed conffile and with data, removed and purged. From anywhere:
# scripts/debian/try.sh. Needs the build, and root. Says what is missing and ends well where something is; exit status 1 if
# something is not as it should be. KEEP: a file to keep the package in.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skipped: $*"; exit 0; }
fail() { echo "failed: $*"; exit 1; }

if [ "${1:-}" != in-namespace ]; then
  command -v dpkg-deb >/dev/null || skip "there is no dpkg-deb"
  [ "$(id -u)" = 0 ] || skip "only root can try a package"
  unshare --mount true 2>/dev/null || skip "there are no namespaces for mounts"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  node "$here/build.js" --out "$work" >"$work/log" 2>&1 || { cat "$work/log"; fail "the package could not be built"; }
  package=$(ls "$work"/*.deb)
  [ -z "${KEEP:-}" ] || cp "$package" "$KEEP"
  echo "ok: built $(basename "$package"), $(($(stat -c %s "$package") / 1000)) kB"
  if command -v lintian >/dev/null; then
    lintian --fail-on error,warning "$package" >"$work/log" 2>&1 || { cat "$work/log"; fail "lintian"; }
    echo "ok: lintian has nothing to say"
  else
    echo "skipped: there is no lintian"
  fi
  "$here/../docker/debian-root.sh" "$work/root" >"$work/log" 2>&1 || skip "no Debian to try it in: $(tail -n 1 "$work/log")"
  # What is mounted in the namespace is gone with its last process, before the folder is deleted.
  unshare --mount --pid --fork --kill-child "$0" in-namespace "$work" "$package" || exit 1
  exit 0
fi

work=$2
package=$3
root=$work/root
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
# The machine's addresses of name servers and of mirrors.
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Nothing is started while it is installed: there is no service manager in here.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }
version() { inside dpkg-query -W -f '${Status} ${Version}' knell 2>/dev/null || true; }

# The older one: the same with a lower number, and with another conffile, so that the newer one has a change to make.
dpkg-deb -R "$package" "$work/old"
sed -i 's/^Version: .*/Version: 0.9.0-1/' "$work/old/DEBIAN/control"
echo '# Settings of an older version.' >"$work/old/etc/knell/knell.env"
(cd "$work/old" && sed -i "s|^.*  etc/knell/knell.env|$(md5sum etc/knell/knell.env)|" DEBIAN/md5sums)
dpkg-deb --root-owner-group -Znone -b "$work/old" "$root/old.deb" >/dev/null
rm -r "$work/old"
cp "$package" "$root/new.deb"

inside apt-get update -qq >"$work/log" 2>&1 || { tail -n 5 "$work/log"; skip "no mirror of Debian can be reached"; }
apt_install() {
  inside apt-get install -y -qq --no-install-recommends -o Dpkg::Options::=--force-confold "$@" >"$work/log" 2>&1 \
    || { tail -n 20 "$work/log"; fail "apt-get install $*"; }
}
apt_install /old.deb
[ "$(version)" = "install ok installed 0.9.0-1" ] || fail "not installed: $(version)"
[ "$(inside stat -c '%U %a' /var/lib/knell)" = "knell 700" ] || fail "the data directory: $(inside stat -c '%U %a' /var/lib/knell)"
[ "$(inside stat -c '%U %a' /etc/knell/knell.env)" = "root 640" ] || fail "the settings: $(inside stat -c '%U %a' /etc/knell/knell.env)"
inside knell --version
inside test -s /usr/share/man/man1/knell.1.gz || fail "no manual page"
[ -L "$root/etc/systemd/system/multi-user.target.wants/knell.service" ] || fail "the service is not enabled"
if command -v systemd-analyze >/dev/null; then
  # It has no other units in there, so what it says of them does not count.
  problems=$(systemd-analyze verify --man=no --root="$root" knell.service 2>&1 | grep 'knell\.service' | grep -v 'Unit sysinit.target not found' || true)
  [ -z "$problems" ] || fail "the unit: $problems"
fi
echo "ok: installed by apt, with Node $(inside node --version), and enabled"

# What the unit starts, as its user, with its settings.
unit=$root/usr/lib/systemd/system/knell.service
[ "$(sed -n 's/^User=//p' "$unit")" = knell ] || fail "the unit's user"
exec_start=$(sed -n 's/^ExecStart=//p' "$unit")
start() {
  : >"$work/server"
  # shellcheck disable=SC2046,SC2086
  (exec chroot "$root" env -i PATH=/usr/bin:/bin LC_ALL=C \
    setpriv --reuid knell --regid knell --clear-groups --inh-caps=-all --no-new-privs \
    env $(grep -v '^#' "$root/etc/knell/knell.env") KNELL_DATA_DIR=/var/lib/knell KNELL_HTTP=127.0.0.1:0 KNELL_SMTP=off \
    $exec_start) >"$work/server" 2>&1 &
  server=$!
  tries=0
  until grep -q '^knell: ready' "$work/server"; do
    tries=$((tries + 1))
    [ "$tries" -lt 150 ] && kill -0 "$server" 2>/dev/null || { cat "$work/server"; fail "not ready"; }
    sleep 0.2
  done
  url=$(sed -n 's/^knell: ready http=\([^ ]*\).*/\1/p' "$work/server")
}
stop() {
  kill -TERM "$server"
  wait "$server" || fail "exit status $? after SIGTERM"
}
get() {
  inside node -e 'fetch(process.argv[1]).then((answer) => answer.text()).then((text) => process.stdout.write(text))' "$1"
}
start
ping_key=$(sed -n 's/^ *ping key *//p' "$work/server")
[ "$(get "$url/ping/$ping_key/job?create=1")" = Created ] || fail "a ping"
get "$url/docs/getting-started" | grep -q Knell || fail "the manual"
inside knell status >/dev/null || fail "knell status finds no service"
stop
echo "ok: runs as the user knell, and takes pings"

echo 'KNELL_BADGE_LABEL=changed' >>"$root/etc/knell/knell.env"
apt_install /new.deb
[ "$(version)" = "install ok installed $(dpkg-deb -f "$package" Version)" ] || fail "not upgraded: $(version)"
grep -q 'KNELL_BADGE_LABEL=changed' "$root/etc/knell/knell.env" || fail "the upgrade has undone a changed setting"
[ -f "$root/etc/knell/knell.env.dpkg-dist" ] || fail "the new settings are not beside the changed ones"
[ "$(inside stat -c %a /etc/knell/knell.env)" = 640 ] || fail "the upgrade has opened the settings"
start
[ "$(get "$url/ping/$ping_key/job")" = OK ] || fail "the data after the upgrade"
inside knell log job 2>/dev/null | grep -q . || fail "the log after the upgrade"
stop
echo "ok: upgraded; a changed setting and the data are kept"

inside apt-get remove -y -qq knell >"$work/log" 2>&1 || { cat "$work/log"; fail "apt-get remove"; }
[ ! -e "$root/usr/lib/knell" ] && [ ! -e "$root/usr/bin/knell" ] || fail "the program is there after its removal"
[ -d "$root/var/lib/knell/history" ] && [ -f "$root/etc/knell/knell.env" ] || fail "data or settings are gone with the program"
inside dpkg --purge knell >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --purge"; }
[ ! -e "$root/var/lib/knell" ] && [ ! -e "$root/etc/knell" ] || fail "data or settings are there after a purge"
[ -z "$(find "$root/etc/systemd" "$root/var/lib/systemd" -name 'knell*' 2>/dev/null)" ] || fail "a unit is there after a purge"
[ -z "$(version)" ] || fail "dpkg still lists it: $(version)"
echo "ok: removed, then purged"
