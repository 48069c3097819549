#!/usr/bin/env bash
# build.sh FOLDER [ccache]: builds the Debian packages of the files that git knows or would add, into FOLDER.
# Only what is committed is in a release; a file of yours that is not yet is in the package, too. The
# sources are copied, as dpkg-buildpackage writes beside them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$1
version=$(dpkg-parsechangelog --show-field Version)
tree=$folder/troupe-$version

rm -rf "$folder"
mkdir -p "$tree"
git ls-files -z --cached --others --exclude-standard |
  while IFS= read -r -d '' file; do if [[ -e $file ]]; then printf '%s\0' "$file"; fi; done |
  tar --create --null --files-from=- | tar --extract --directory="$tree"
if [[ ${2:-} == ccache ]]; then
  CMAKE_CXX_COMPILER_LAUNCHER=$(command -v ccache || true)
  export CMAKE_CXX_COMPILER_LAUNCHER CCACHE_DIR="${CCACHE_DIR:-$HOME/.cache/ccache}"
fi
(cd "$tree" && DEB_BUILD_OPTIONS="parallel=$(nproc) noautodbgsym ${DEB_BUILD_OPTIONS:-}" \
  dpkg-buildpackage --build=binary --no-sign)
rm -rf "$tree"
