#!/usr/bin/env bash
# walk.sh FOLDER: installs the packages of FOLDER in a bare Debian 12, made by debootstrap in FOLDER/root, and
# uses them there as a new user does: a run, a cluster that runs commands, a policy of one's own. Prints how
# long each step took; what a step printed is in FOLDER/walk.log. The root is removed if all went well.
# Needs root, and the network for apt only: the steps with Troupe have no network but loopback.
set -euo pipefail

folder=$(realpath "$1")
root=$folder/root
log=$folder/walk.log
mirror=${TROUPE_MIRROR:-http://deb.debian.org/debian}

if [[ $EUID -ne 0 ]]; then
  echo "walk.sh: it needs root, for debootstrap and chroot" >&2
  exit 2
fi
if [[ -z ${TROUPE_WALK_IS_PRIVATE:-} ]]; then # what is mounted, and what is left running, ends with it
  exec env TROUPE_WALK_IS_PRIVATE=1 unshare --mount --pid --fork --kill-child "$0" "$@"
fi

# step TITLE COMMAND...: runs it, with its time.
step() {
  local begin=$EPOCHREALTIME
  echo "== $1" >>"$log"
  if ! "${@:2}" >>"$log" 2>&1 </dev/null; then
    printf '%-58s FAILED; the end of %s:\n' "$1" "$log" >&2
    tail --lines=30 "$log" >&2
    exit 1
  fi
  awk -v title="$1" -v begin="$begin" -v end="$EPOCHREALTIME" \
    'BEGIN { printf "%-58s %7.1f s\n", title, end - begin }'
}

inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

# as_user TEXT: a shell of the user's, with loopback as the only network.
as_user() {
  # shellcheck disable=SC2016
  unshare --net bash -c 'ip link set lo up && exec chroot --userspec=walker:walker "$@"' _ "$root" \
    env -i HOME=/home/walker PATH=/usr/bin:/bin LANG=C.UTF-8 bash -ec "cd; $1"
}

make_root() {
  rm -rf --one-file-system "$root"
  debootstrap --variant=minbase bookworm "$root" "$mirror"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  inside useradd --create-home --shell /bin/bash walker
  cp "$folder"/*.deb "$root/root"
}

install_troupe() {
  inside apt-get update
  inside sh -c 'apt-get install --yes --no-install-recommends /root/troupe_*.deb'
}

# Ctrl-C, once a job of commands is through.
# shellcheck disable=SC2016
cluster='
  cd; mkdir cluster-walk; cd cluster-walk
  env --default-signal=INT troupe cluster up --nodes 3 >up.log 2>&1 &
  up=$!
  for wait in $(seq 600); do grep -q "the cluster has begun" up.log && break; sleep 0.1; done
  cat up.log
  troupe submit --name hello --count 20 -- sh -c "echo task \$TROUPE_TASK_ID"
  troupe wait 1
  troupe logs 1 | grep -c "task "
  kill -INT $up
  code=0; wait $up || code=$?
  tail -n 5 up.log
  echo "cluster up ended with $code"
  test $code = 0 -o $code = 130'

purge() {
  inside apt-get purge --yes troupe troupe-dev
  local left
  left=$(find "$root/usr" "$root/etc" -path '*troupe*' -print -quit)
  if [[ -n $left ]]; then
    echo "$left is left behind"
    return 1
  fi
}

: >"$log"
step "a bare Debian 12, by debootstrap" make_root
step "apt install troupe_*.deb" install_troupe
step "troupe version; man page; completion" as_user 'troupe version; troupe --version
  test -s /usr/share/man/man1/troupe-run.1.gz
  test -s /usr/share/bash-completion/completions/troupe'
step "troupe run /usr/share/troupe/configs/quickstart.toml" \
  as_user 'troupe run /usr/share/troupe/configs/quickstart.toml; test -s results/quickstart-1/report.html'
step "troupe cluster up, a job of 20 commands, Ctrl-C" as_user "$cluster"
step "apt install troupe-dev_*.deb, with a compiler" \
  inside sh -c 'apt-get install --yes --no-install-recommends /root/troupe-dev_*.deb make'
step "troupe new policy my-policy" as_user 'troupe new policy my-policy; cat my-policy/README.md'
step "my-policy: cmake -S . -B build; cmake --build build" \
  as_user 'cd my-policy; cmake -S . -B build; cmake --build build'
step "my-policy: ctest; troupe check policy" \
  as_user 'cd my-policy; ctest --test-dir build; troupe check policy my-policy --plugin build/my_policy.so'
step "my-policy: troupe run run.toml" as_user 'cd my-policy; troupe run run.toml'
step "troupe new scheduler; build; ctest; run" as_user 'troupe new scheduler my-scheduler; cd my-scheduler
  cmake -S . -B build; cmake --build build; ctest --test-dir build; troupe run run.toml'
step "apt purge: nothing of it is left" purge
du --summarize --human-readable "$folder"/*.deb
umount --recursive "$root/dev"
umount "$root/proc"
rm -rf --one-file-system "$root"
