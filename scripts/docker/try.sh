#!/bin/sh
# Builds the image with docker, podman or buildah, whichever there is, and tries it: user, health check, pings, SIGTERM, and
# that a new container continues with the data of the volume. From anywhere: scripts/docker/try.sh
# RUN_FLAGS: further options of "run", such as "--network host" where no container network can be set up.
# Says so and ends well where there is none of the three; exit status 1 if something is not as it should be.
set -eu
cd "$(dirname "$0")/../.."
name="knell-try-$$"
image="$name"

tool=none
for one in docker podman buildah; do
  if "$one" info >/dev/null 2>&1; then tool=$one; break; fi
done
[ "$tool" != none ] || { echo "skipped: neither docker nor podman nor buildah works here"; exit 0; }

# Images in the OCI format have no health check.
format=""
[ "$tool" = docker ] || format="--format docker"
commit=$(git rev-parse --short HEAD 2>/dev/null || true)
# shellcheck disable=SC2086
"$tool" build $format -f scripts/docker/Dockerfile --build-arg "COMMIT=$commit" -t "$image" .
echo "ok: built with $tool"

if [ "$tool" = buildah ]; then
  container=$(buildah from "$image")
  trap 'buildah rm "$container" >/dev/null; buildah rmi "$image" >/dev/null' EXIT
  buildah run "$container" -- knell --version
  echo "skipped: buildah does not run servers; docker or podman would"
  exit 0
fi

trap '"$tool" logs "$name" 2>&1 | tail -n 20; clean' EXIT
clean() {
  "$tool" rm -f "$name" >/dev/null 2>&1 || true
  "$tool" volume rm -f "$name" >/dev/null 2>&1 || true
  "$tool" rmi "$image" >/dev/null 2>&1 || true
}

fail() { echo "failed: $*"; exit 1; }
inside() { "$tool" exec "$name" "$@"; }
# From inside, by the container's own address: a listener on the loopback would not be reached from outside.
get() {
  inside node -e '
    const own = Object.values(os.networkInterfaces()).flat().find((one) => !one.internal && one.family === "IPv4");
    const headers = { "X-Api-Key": process.argv[2] ?? "" };
    fetch(`http://${own?.address ?? "127.0.0.1"}:8000${process.argv[1]}`, { headers })
      .then((answer) => answer.text())
      .then((text) => process.stdout.write(text));' "$@"
}
start() {
  # shellcheck disable=SC2086
  "$tool" run -d --name "$name" -v "$name:/data" --read-only --cap-drop all --security-opt no-new-privileges \
    ${RUN_FLAGS:-} "$image" >/dev/null
  tries=0
  until "$tool" logs "$name" 2>&1 | grep -q '^knell: ready'; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "not ready"
    sleep 0.2
  done
}
stop() {
  "$tool" stop -t 10 "$name" >/dev/null
  status=$("$tool" inspect -f '{{.State.ExitCode}}' "$name")
  [ "$status" = 0 ] || fail "exit status $status after SIGTERM"
}

start
[ "$(inside id -u)" != 0 ] || fail "runs as root"
echo "ok: ready, as $(inside id -un), nothing writable but its data"
inside node healthcheck.js || fail "the health check"
"$tool" inspect -f '{{json .Config.Healthcheck}}' "$image" | grep -q healthcheck.js || fail "the image has no health check"
echo "ok: healthy"
logs=$("$tool" logs "$name" 2>&1)
ping_key=$(echo "$logs" | sed -n 's/^ *ping key *//p')
api_key=$(echo "$logs" | sed -n 's/^ *read-write *//p')
[ "$(get "/ping/$ping_key/job?create=1")" = Created ] || fail "a ping"
inside knell status >/dev/null || fail "knell status"
inside knell --version
stop
echo "ok: ended by SIGTERM"

"$tool" rm "$name" >/dev/null
start
[ "$(get "/ping/$ping_key/job")" = OK ] || fail "a ping after the restart"
get /api/v3/checks/ "$api_key" | grep -q '"n_pings": *2' || fail "the pings after the restart"
stop
echo "ok: a new container continues with the data"
trap clean EXIT
