#!/usr/bin/env bash
# Builds Citus from a source folder into an installation of PostgreSQL:
#   scripts/build-citus.sh SOURCE [PG_CONFIG]
# Needs the headers of PostgreSQL, lz4, zstd, krb5, pam, selinux, xml and icu.
set -euo pipefail

source="${1:?usage: scripts/build-citus.sh SOURCE [PG_CONFIG]}"
config="${2:-pg_config}"

cd "$source"
PG_CONFIG="$config" ./configure --without-libcurl
make -j"$(nproc)"
make install
echo "Installed in $("$config" --bindir). Run the tests on it: CITUS_BIN=$("$config" --bindir) npm run test:cluster"
