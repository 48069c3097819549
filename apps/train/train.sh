#!/usr/bin/env bash
# train.sh BUILD: lets the program that counts, which is in BUILD, do the training runs twice, compares the counts,
# and puts them beside the objects, where the compiler looks for them. Fails if the counts differ: two builds
# from the same sources would, too.
set -euo pipefail

sources=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
build=$(realpath "$1")
training=$build/training

# count FOLDER: some mathematical functions of the C library are others on another processor, unless told.
count() {
  mkdir -p "$1"
  cp --recursive "$sources/configs" "$1"
  cd "$1"
  GCOV_PREFIX=counts GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4 "$build/apps/train/troupe_train"
}

# The second time elsewhere, by paths of another length, without an environment; addresses differ anyway.
find "$build" -name '*.gcda' -delete
rm -rf "$training"
(count "$training/first") &
first=$!
(for name in $(compgen -e); do if [[ $name != PATH ]]; then unset "$name"; fi; done
  count "$training/second, whose path is longer by some words")
wait "$first"
if ! diff --recursive --brief "$training"/first/counts "$training"/second*/counts; then
  echo "train.sh: two trainings counted differently: something in them depends on the host" >&2
  exit 1
fi
cp --recursive "$training/first/counts$build/." "$build"
rm -rf "$training"
