#!/bin/sh
# Builds the image with docker, podman or buildah, whichever there is, and tries it: user, size, what its layers must not hold,
# health check, pings, SIGTERM, and that a new container continues with the data of the volume. From anywhere: scripts/docker/try.sh
# BASE: the image to build on; "debian" makes one here (base.sh), where no registry of images can be reached.
# RUN_FLAGS: further options of "run", such as "--network none" where no container network can be set up.
# Says so and ends well where there is none of the three; exit status 1 if something is not as it should be.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
name="knell-try-$$"
image="$name"
base=${BASE:-}
# Twice what it has: the packages of other systems would be more.
own_mb_max=110

tool=none
for one in docker podman buildah; do
  if "$one" info >/dev/null 2>&1; then tool=$one; break; fi
done
[ "$tool" != none ] || { echo "skipped: neither docker nor podman nor buildah works here"; exit 0; }

work=$(mktemp -d)
logs() { "$tool" logs "$name" 2>/dev/null | tail -n 20; }
clean() {
  if [ "$tool" != buildah ]; then
    "$tool" rm -f "$name" >/dev/null 2>&1 || true
    "$tool" volume rm -f "$name" >/dev/null 2>&1 || true
  fi
  "$tool" rmi "$image" >/dev/null 2>&1 || true
  [ "$base" != "$name-base" ] || "$tool" rmi "$base" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean EXIT
fail() { echo "failed: $*"; logs; exit 1; }

if [ "$base" = debian ]; then
  "$here/base.sh" "$work/base.tar" >"$work/log" 2>&1 || { echo "skipped: no base for the image: $(tail -n 1 "$work/log")"; exit 0; }
  base="$name-base"
  if [ "$tool" != buildah ]; then
    "$tool" import "$work/base.tar" "$base" >/dev/null 2>&1
    # shellcheck disable=SC2086
    "$tool" run --rm ${RUN_FLAGS:-} "$base" true >"$work/log" 2>&1 || {
      echo "$tool runs no container here: $(tail -n 1 "$work/log")"
      "$tool" rmi "$base" >/dev/null 2>&1 || true
      command -v buildah >/dev/null || { echo "skipped: there is no buildah either"; exit 0; }
      tool=buildah
      export BUILDAH_ISOLATION=chroot
    }
  fi
  if [ "$tool" = buildah ]; then
    container=$(buildah from scratch)
    buildah add --quiet "$container" "$work/base.tar" / >/dev/null
    buildah commit --quiet --rm "$container" "$base" >/dev/null
    container=$(buildah from --pull-never "$base")
    if ! buildah run "$container" -- true >"$work/log" 2>&1; then
      echo "skipped: buildah runs no container here: $(tail -n 1 "$work/log")"
      buildah rm "$container" >/dev/null
      exit 0
    fi
    buildah rm "$container" >/dev/null
  fi
  rm "$work/base.tar"
fi

# A checkout as people have one, with what must not get into the image: secrets, data, and what was built before.
secret="never-in-an-image-$$"
context="$work/context"
mkdir -p "$context/data" "$context/dist" "$context/node_modules"
if [ -e .git ]; then git ls-files -z --cached --others --exclude-standard >"$work/files"
else find . -type f ! -path './node_modules/*' ! -path './dist/*' -print0 >"$work/files"; fi
# What was deleted is still listed until that is committed.
xargs -0 -r ls -d <"$work/files" 2>/dev/null | tar -cf - -T - | tar -C "$context" -xf -
for file in .env .env.production data/format dist/old.js node_modules/old.js secrets.pem; do echo "$secret" >"$context/$file"; done
# A token for the registry, which npm reads while the image is built.
echo "//registry.example.org/:_authToken=$secret" >"$context/.npmrc"

# Images in the OCI format have no health check.
set -- -f scripts/docker/Dockerfile --build-arg "COMMIT=$(git rev-parse --short HEAD 2>/dev/null || true)" -t "$image"
# Nothing of the build is to stay here.
[ "$tool" = docker ] || set -- "$@" --format docker --layers=false
[ -z "$base" ] || set -- "$@" --build-arg "BASE=$base"
[ "$base" != "$name-base" ] || [ "$tool" = docker ] || set -- "$@" --pull-never
(cd "$context" && "$tool" build "$@" .) >"$work/log" 2>&1 || { tail -n 30 "$work/log"; echo "failed: the build"; exit 1; }
echo "ok: built with $tool"

# What is on top of the base: one archive per layer.
if [ "$tool" = buildah ]; then buildah push --quiet "$image" "docker-archive:$work/image.tar" >/dev/null 2>&1
else "$tool" save -o "$work/image.tar" "$image" >/dev/null 2>&1; fi
mkdir "$work/layers"
tar -C "$work/layers" -xf "$work/image.tar"
rm "$work/image.tar"
! grep -rlaF "$secret" "$work/layers" || fail "a layer holds a secret, data or an old build"
find "$work/layers" -type f -size +1k -exec tar -tf {} \; >"$work/files" 2>/dev/null || true
grep -q 'knell/dist/main.js$' "$work/files" || fail "the layers could not be read"
! grep -E '(^|/)\.(npmrc|env|git)(/|$)|^knell/(src|test|scripts|data)/|^knell/.*\.map$|^root/\.npm/.' "$work/files" \
  || fail "a layer holds what does not run"
echo "ok: no secret, no data, no sources in its layers"

if [ "$tool" = buildah ]; then
  container=$(buildah from --pull-never "$image")
  buildah run "$container" -- knell --version || fail "knell --version"
  [ "$(buildah run "$container" -- id -u)" != 0 ] || fail "runs as root"
  buildah rm "$container" >/dev/null
  echo "skipped: buildah does not run servers; docker or podman would"
  exit 0
fi

# shellcheck disable=SC2086
own_mb=$("$tool" run --rm ${RUN_FLAGS:-} --entrypoint du "$image" -sm /knell 2>"$work/log" | cut -f 1)
[ "$own_mb" -lt "$own_mb_max" ] || fail "Knell's part of the image has $own_mb MB, more than $own_mb_max"
bytes=$("$tool" image inspect -f '{{.Size}}' "$image")
echo "ok: $((bytes / 1000000)) MB, of which $own_mb are Knell's"

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
    ${RUN_FLAGS:-} "$image" >"$work/log" 2>&1 || { cat "$work/log"; fail "no container starts"; }
  tries=0
  until "$tool" logs "$name" 2>&1 | grep -q '^knell: ready'; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail "not ready"
    sleep 0.2
  done
}
stop() {
  "$tool" stop -t 10 "$name" >"$work/log" 2>&1 || { cat "$work/log"; fail "the container does not stop"; }
  status=$("$tool" inspect -f '{{.State.ExitCode}}' "$name")
  [ "$status" = 0 ] || fail "exit status $status after SIGTERM"
}

start
[ "$(inside id -u)" != 0 ] || fail "runs as root"
! inside touch /knell/written 2>/dev/null || fail "the program's own folder is writable"
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

"$tool" rm "$name" >/dev/null 2>&1
start
[ "$(get "/ping/$ping_key/job")" = OK ] || fail "a ping after the restart"
get /api/v3/checks/ "$api_key" | grep -q '"n_pings": *2' || fail "the pings after the restart"
stop
echo "ok: a new container continues with the data"
