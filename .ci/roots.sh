# Sourced by .ci/roots and .ci/two-roots: what a fresh Debian root is made of.
# Reads: roots, the directory where roots are made; mirror, of Debian packages, or empty.

require_programs() { # program...
  local tool
  [ "$(id -u)" = 0 ] || { echo "$0 makes roots: run it as root" >&2; exit 3; }
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { echo "$0 needs $tool" >&2; exit 3; }
  done
}

base() { # suite: a tarball of a minimal root, made once
  local tarball=$roots/$1.tar
  [ -s "$tarball" ] || {
    rm -rf --one-file-system "$roots/base"
    debootstrap --variant=minbase "$1" "$roots/base" ${mirror:+"$mirror"} >"$roots/debootstrap-$1.log" 2>&1 ||
      { tail -n 5 "$roots/debootstrap-$1.log" >&2; return 1; }
    tar -C "$roots/base" -cf "$tarball.part" . && mv "$tarball.part" "$tarball"
    rm -rf --one-file-system "$roots/base"
  }
}

# A root of a suite with what of this machine its programs need to reach the network.
unpack_root() { # suite, directory
  base "$1" || return 1
  rm -rf --one-file-system "$2"
  mkdir "$2"
  tar -C "$2" -xf "$roots/$1.tar"
  cp /etc/resolv.conf "$2/etc/resolv.conf"
  cp /etc/hosts "$2/etc/hosts"
  # Where a proxy has certificates of its own, the roots have to believe them, too.
  mkdir -p "$2/usr/local/share/ca-certificates"
  [ -z "$(ls /usr/local/share/ca-certificates 2>/dev/null)" ] ||
    cp -R /usr/local/share/ca-certificates/. "$2/usr/local/share/ca-certificates/"
}

# Lines for a shell in a mount and a process namespace of its own: mounts what programs in $ROOT expect; $SHM is the size of
# /dev/shm in MB, or none.
# shellcheck disable=SC2034,SC2016
mounts='
  mount -t proc proc "$ROOT/proc"
  mount -t tmpfs -o mode=755 dev "$ROOT/dev"
  for device in null zero full random urandom tty; do
    touch "$ROOT/dev/$device"
    mount --bind "/dev/$device" "$ROOT/dev/$device"
  done
  ln -s /proc/self/fd "$ROOT/dev/fd"
  if [ "$SHM" != none ]; then
    mkdir "$ROOT/dev/shm"
    mount -t tmpfs -o "mode=1777,size=${SHM}m" shm "$ROOT/dev/shm"
  fi
'
