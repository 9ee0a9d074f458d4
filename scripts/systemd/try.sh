#!/bin/sh
# Tries what Knell gives to systemd under a real one: in a Debian of its own (scripts/docker/debian-root.sh) systemd is process 1, the
# package's unit runs Knell, and "knell discover --write" makes services ping, which then succeed, fail, are killed, time out and
# are started by their timer. From anywhere: scripts/systemd/try.sh. Needs the build, root, and two minutes at most. Says what is
# missing and ends well where something is; exit status 1 if something is not as it should be.
# PACKAGE: the Debian package, where it is built already.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skipped: $*"; exit 0; }
fail() {
  echo "failed: $*"
  [ -z "${init:-}" ] || inside journalctl --no-pager -n 30 -o short-monotonic 2>/dev/null || true
  exit 1
}

# In the namespaces: what a container's init finds, then systemd as process 1.
if [ "${1:-}" = in-namespace ]; then
  root=$2
  mount --make-rprivate /
  mount --bind "$root" "$root"
  mount -t proc proc "$root/proc"
  mount -t sysfs -o ro sysfs "$root/sys"
  # Where the machine still has version 1, this hierarchy has no controllers, which is enough to start services.
  mount -t tmpfs -o mode=755 tmpfs "$root/sys/fs/cgroup"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  for folder in run tmp; do mount -t tmpfs tmpfs "$root/$folder"; done
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  for node in null zero full random urandom tty; do
    : >"$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
  done
  mkdir "$root/dev/shm" "$root/dev/pts"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  cd "$root"
  mkdir -p .machine
  pivot_root . .machine
  umount -l /.machine
  exec env -i container=knell-try PATH=/usr/sbin:/usr/bin /usr/lib/systemd/systemd --log-target=journal </dev/null
fi

[ "$(id -u)" = 0 ] || skip "only root can start a systemd"
command -v dpkg-deb >/dev/null || skip "there is no dpkg-deb"
unshare --mount --pid --fork --net --uts --ipc --cgroup true 2>/dev/null || skip "there are no namespaces"
work=$(mktemp -d)
root=$work/root
clean() {
  # Ends systemd with all that it has started, and the namespaces with their mounts.
  [ -z "${unshare:-}" ] || { kill -KILL "$unshare"; wait "$unshare" || true; } 2>/dev/null
  while [ -n "${init:-}" ] && [ -e "/proc/$init" ]; do sleep 0.1; done
  rm -rf "$work"
}
trap clean EXIT

package=${PACKAGE:-}
if [ ! -s "$package" ]; then
  node "$here/../debian/build.js" --out "$work" >"$work/log" 2>&1 || { cat "$work/log"; fail "the package could not be built"; }
  package=$(ls "$work"/*.deb)
fi
"$here/../docker/debian-root.sh" "$root" >"$work/log" 2>&1 || skip "no Debian to try it in: $(tail -n 1 "$work/log")"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/knell.deb"
# Nothing is started before systemd is.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod +x "$root/usr/sbin/policy-rc.d"
within() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }
within apt-get update -qq >"$work/log" 2>&1 || skip "no mirror of Debian can be reached"
within apt-get install -y -qq --no-install-recommends systemd curl /knell.deb >"$work/log" 2>&1 \
  || { tail -n 20 "$work/log"; fail "apt-get install"; }

# Names that are to be found without a network.
echo web1 >"$root/etc/hostname"
echo "127.0.0.1 localhost web1" >"$root/etc/hosts"
unshare --mount --pid --fork --net --uts --ipc --cgroup --kill-child "$0" in-namespace "$root" >"$work/log" 2>&1 &
unshare=$!
tries=0
until init=$(cat "/proc/$unshare/task/$unshare/children" 2>/dev/null | tr -d ' ') && [ -n "$init" ] \
  && [ "$(cat "/proc/$init/comm")" = systemd ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 50 ] && kill -0 "$unshare" 2>/dev/null || { init=; skip "systemd does not start here: $(tail -n 1 "$work/log")"; }
  sleep 0.2
done
inside() { nsenter -t "$init" --mount --pid --net --uts --ipc env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C "$@"; }
# Some units of Debian fail in a container; whether it is up says the target.
tries=0
until inside systemctl is-active --quiet multi-user.target 2>/dev/null; do
  tries=$((tries + 1))
  [ "$tries" -lt 150 ] || skip "systemd does not get to multi-user.target here"
  sleep 0.2
done
echo "ok: $(inside systemctl --version | head -n 1) is process 1"

tries=0
until inside journalctl -u knell --no-pager -o cat >"$work/knell" 2>/dev/null && grep -q '^knell: ready' "$work/knell"; do
  tries=$((tries + 1))
  [ "$tries" -lt 150 ] || { cat "$work/knell"; fail "the package's unit does not become ready"; }
  sleep 0.2
done
url=$(sed -n 's/^knell: ready http=\([^ ]*\).*/\1/p' "$work/knell")
ping_key=$(sed -n 's/^ *ping key *//p' "$work/knell")
api_key=$(sed -n 's/^ *read-write *//p' "$work/knell")
inside knell status >/dev/null || fail "knell status"
echo "ok: the package's unit runs Knell, with its sandbox"

# A name, what runs, further lines of the service, and those of its timer.
job() {
  printf '[Service]\nType=oneshot\nExecStart=%s\n%b\n' "$2" "$3" >"$root/etc/systemd/system/$1.service"
  printf '[Timer]\n%b\n[Install]\nWantedBy=timers.target\n' "${4:-OnCalendar=daily}" >"$root/etc/systemd/system/$1.timer"
  inside systemctl enable --quiet "$1.timer" 2>/dev/null
}
# The files as systemd sees them.
root=/proc/$init/root
job works /bin/true ''
job fails "/bin/sh -c 'exit 3'" ''
job killed "/bin/sh -c 'kill -9 \$\$\$\$'" ''
job hangs '/bin/sleep 60' 'TimeoutStartSec=2'
job refused /bin/true 'ExecCondition=/bin/false'
# A sandbox in which Node itself could not run, nor read the key.
job shut /bin/true 'User=nobody\nProtectSystem=strict\nPrivateDevices=yes\nProtectHome=yes\nMemoryDenyWriteExecute=yes\nSystemCallFilter=@system-service\nRestrictAddressFamilies=AF_UNIX\nInaccessiblePaths=/etc/knell /usr/bin/node'
job timed /bin/true '' 'OnActiveSec=1\nOnUnitActiveSec=1h\nAccuracySec=1us'

inside knell discover >"$work/knell.yaml" 2>"$work/log" || { cat "$work/log"; fail "knell discover"; }
cp "$work/knell.yaml" "$root/root/knell.yaml"
inside knell apply -f /root/knell.yaml --yes >"$work/log" 2>&1 || { cat "$work/log"; fail "knell apply"; }
inside knell discover --write --ping-url "$url" --ping-key "$ping_key" >"$work/log" 2>&1 || { cat "$work/log"; fail "knell discover --write"; }
grep -q '/works.service.d/knell.conf' "$work/log" || { cat "$work/log"; fail "no drop-in"; }
inside systemctl daemon-reload

# What the check has got, oldest first: "start success".
pings() { inside knell log "$1" | awk '$3 == "ping" { print $4 }' | tr '\n' ' ' | sed 's/ $//'; }
# The last message of the check.
message() {
  inside node -e '
    const [check, key] = process.argv.slice(1);
    const { spawnSync } = require("node:child_process");
    const pings = JSON.parse(spawnSync("knell", ["log", check, "--json"]).stdout).filter(({ what }) => what === "ping");
    fetch(pings.at(-1).body_url, { headers: { "X-Api-Key": key } })
      .then((answer) => answer.text())
      .then((text) => process.stdout.write(text));' "$1" "$api_key"
}
expect() {
  [ "$(pings "$1")" = "$2" ] || fail "$1 has \"$(pings "$1")\" instead of \"$2\""
  [ -z "$3" ] || [ "$(message "$1")" = "$3" ] || fail "$1 has the message \"$(message "$1")\" instead of \"$3\""
}
start() { inside systemctl start "$1.service" 2>/dev/null; }

start works || fail "works.service does not start with its drop-in"
expect works "start success" "success, status 0"
! start fails || fail "fails.service has another end with its drop-in"
expect fails "start failure" "exit-code, status 3"
! start killed || fail "killed.service has another end with its drop-in"
expect killed "start failure" "signal, status KILL"
! start hangs || fail "hangs.service has another end with its drop-in"
expect hangs "start failure" "timeout, status TERM"
start shut || fail "shut.service does not start with its drop-in"
expect shut "start success" "success, status 0"
start refused || fail "refused.service has another end with its drop-in"
expect refused log exec-condition
echo "ok: services ping their start, and how they ended"

inside systemctl start timed.timer
tries=0
until [ "$(pings timed)" = "start success" ]; do
  tries=$((tries + 1))
  [ "$tries" -lt 50 ] || fail "timed.service was not started by its timer, or does not ping: $(pings timed)"
  sleep 0.2
done
echo "ok: so does one that its timer has started"

# The drop-in of the guide, by curl.
drop_in=$(sed -n '/^## systemd/,/^## launchd/s/^    //p' "$here/../../src/docs/guide-schedulers.md")
guide() {
  mkdir -p "$root/etc/systemd/system/$1.service.d"
  job "$1" "$2" "$3"
  echo "$drop_in" | sed "s|https://knell.example.org/ping/UUID|$url/ping/$ping_key/$1|g" >"$root/etc/systemd/system/$1.service.d/knell.conf"
  inside knell check create "$1" --slug "$1" >/dev/null
  inside systemctl daemon-reload
}
guide curl-works /bin/true ''
start curl-works || fail "curl-works.service does not start with the drop-in of the guide"
expect curl-works "start success" "success 0"
guide curl-fails /bin/sleep\ 60 TimeoutStartSec=1
! start curl-fails || fail "curl-fails.service has another end with the drop-in of the guide"
expect curl-fails "start failure" "timeout TERM"
echo "ok: the drop-in of the guide does the same by curl"

inside systemctl stop knell
start works || fail "works.service does not start without Knell"
echo "ok: a service runs without Knell"
