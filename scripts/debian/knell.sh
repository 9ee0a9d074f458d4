#!/bin/sh
# The data directory of the service, unless another one is named.
export KNELL_DATA_DIR="${KNELL_DATA_DIR:-/var/lib/knell}"
exec /usr/bin/node /usr/lib/knell/dist/main.js "$@"
