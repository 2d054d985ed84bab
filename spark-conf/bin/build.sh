# Sourced by bolt in a checkout: builds the jars when a source is newer, one bolt at a time, and runs the tests.

# A source is newer than the last build, or nothing was built.
outdated() {
  built=$home/target/.built
  set -- "$lib"/boltshuffle-cli-*.jar
  [ -e "$1" ] || return 0
  [ -e "$built" ] || built=$1
  [ -n "$(find "$checkout"/pom.xml "$checkout"/*/pom.xml "$checkout"/rdma-native/src "$checkout"/shuffle-manager/src/main \
    "$checkout"/spark-conf/src/main "$checkout"/integration-tests/src/main -type f -newer "$built" -print | head -n 1)" ]
}

# The machine's Maven if it is new enough, else the wrapper, which fetches one from Maven Central into ~/.m2/wrapper.
find_maven() {
  maven=$checkout/mvnw
  command -v mvn >/dev/null || return 0
  set -- $(mvn -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
  if [ "${1:-0}" -gt 3 ] || { [ "${1:-0}" -eq 3 ] && [ "${2:-0}" -ge 8 ]; }; then maven=mvn; fi
}

shared_memory_mib() {
  set -- $(stat -f -c '%a %S' /dev/shm 2>/dev/null || echo 0 0)
  echo $(($1 * $2 / 1048576))
}

# Before anything is fetched for what could not run: a demo's two agents need 64 MiB each, and a little more; the two hosts of a
# verification 20 MiB each. Java looks again.
require_shared_memory() {
  [ "$(uname)" = Linux ] || return 0
  case " $* " in
    *" --help "* | *" -h "*) return 0 ;;
    " demo"*" --cables none "* | " demo"*" --cables=none "*) return 0 ;;
    " demo "*) need=143 advice="; or --cables none, for TCP only" ;;
    " verify"*" --virtual "*) need=40 advice= ;;
    *) return 0 ;;
  esac
  [ "$(shared_memory_mib)" -ge "$need" ] ||
    die "shared memory (/dev/shm) has $(shared_memory_mib) MiB free, and the hosts of this command need $need MiB: in a container, start it with --shm-size=1g; elsewhere: mount -o remount,size=1g /dev/shm$advice"
}

# Tests with agents, most of which have 64 to 256 MiB each, are skipped where these do not fit.
warn_of_little_shared_memory() {
  [ "$(uname)" != Linux ] || [ "$(shared_memory_mib)" -ge 700 ] ||
    say "shared memory (/dev/shm) has $(shared_memory_mib) MiB free: tests that need more, up to 700 MiB, are skipped and say so"
}

run_tests() {
  require_parts javac cc make
  find_maven
  find_java_home
  cd "$checkout"
  warn_of_little_shared_memory
  say "mvn -B -ntp verify${1+ $*} (some 18 minutes on two quiet cores; the first time it fetches, too)"
  JAVA_HOME=$java_home exec "$maven" -B -ntp verify ${1+"$@"}
}

# The lock is a link whose target names the process: it is made in one step, with the name in it.
lock() {
  lock=$home/target/.building
  mkdir -p "$home/target" 2>/dev/null && [ -w "$home/target" ] ||
    die "the jars have to be built, and $home/target cannot be written: run bolt as the owner of this checkout, or in a copy of it"
  told=
  until ln -s "process-$$" "$lock" 2>/dev/null; do
    owner=$(readlink "$lock" 2>/dev/null) || continue
    owner=${owner#process-}
    if ! alive "$owner"; then
      break_lock "$owner"
    elif [ -z "$told" ]; then
      say "another bolt (process $owner) is building here; waiting for it"
      told=yes
    fi
    sleep 1
  done
  trap 'rm -f "$lock"; rm -rf "$fresh"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

alive() {
  kill -0 "$1" 2>/dev/null || [ -d "/proc/$1" ] || { [ "$(uname)" = Darwin ] && ps -p "$1" >/dev/null; }
}

# Two that wait may both see a dead owner: the one that makes this second link looks again, and only then removes the first.
break_lock() {
  if ln -s "process-$$" "$lock.broken" 2>/dev/null; then
    if [ "$(readlink "$lock" 2>/dev/null)" = "process-$1" ]; then rm -f "$lock"; fi
    rm -f "$lock.broken"
  else
    breaker=$(readlink "$lock.broken" 2>/dev/null) || return 0
    alive "${breaker#process-}" || rm -f "$lock.broken"
  fi
}

build() {
  fresh=$home/target/lib-$$
  lock
  # The one that was waited for may have built just this.
  if ! outdated; then
    release
    return
  fi
  find_maven
  find_java_home
  mkdir "$fresh"
  # The moment the build begins: a source that is saved while it runs counts as newer.
  : >"$fresh/.built"
  say "building the jars with Maven and JDK $version"
  [ -d "${HOME:-}/.m2/repository/org/apache/spark" ] ||
    say "the first time that fetches about 400 MB from Maven Central into ~/.m2, which takes minutes"
  [ "$maven" = mvn ] || [ -d "${MAVEN_USER_HOME:-${HOME:-}/.m2}/wrapper/dists" ] ||
    say "  fetching Maven itself (9 MB)"
  log=$home/target/build.log
  if ! (
    set -o pipefail
    JAVA_HOME=$java_home "$maven" -B -f "$checkout/pom.xml" -pl spark-conf,integration-tests -am -Dmaven.test.skip=true \
      -Dcommand.lib="$fresh" -Dproof.lib="$fresh/proof" -Dassembly.skipAssembly=true -Dcyclonedx.skip=true -Dlicense.skipAddThirdParty=true package \
      2>&1 </dev/null | tee "$log" | follow
  ); then
    kept=
    [ ! -d "$lib" ] || kept="; the last good build stays"
    if grep -qE 'Could not transfer|Unknown host|Network is unreachable|Connection refused' "$log"; then
      die "Maven Central is out of reach (what Maven said is in $log)$kept: check the network, or name a mirror in ~/.m2/settings.xml"
    fi
    grep -E '^\[ERROR\]|error:' "$log" | head -n 20 >&2 || tail -n 20 "$log" >&2
    die "the build failed (all it said is in $log)$kept: mend it, or run 'bolt test' for the whole story"
  fi
  # Jars of another version would stay on the class path, so the directory is replaced as a whole.
  mv "$fresh/.built" "$home/target/.built"
  rm -rf "$home/target/lib-old"
  [ ! -e "$lib" ] || mv "$lib" "$home/target/lib-old"
  mv "$fresh" "$lib"
  rm -rf "$home/target/lib-old"
  release
}

release() {
  rm -f "$lock"
  trap - EXIT INT TERM
}

# Shows what Maven does in a line for each module and, about every five seconds, how much it fetched.
follow() {
  files=0
  bytes=0
  shown=$SECONDS
  while IFS= read -r text; do
    case $text in
      *"Downloaded from"*)
        files=$((files + 1))
        size=${text##*(}
        number=${size%% *}
        whole=${number%%.*}
        case $size in
          *" MB at"* | *" MB)"*) bytes=$((bytes + whole * 1000000)) ;;
          *" kB at"* | *" kB)"*) bytes=$((bytes + whole * 1000)) ;;
        esac
        if [ $((SECONDS - shown)) -ge 5 ]; then
          shown=$SECONDS
          say "  fetched $files files, $((bytes / 1000000)) MB"
        fi
        ;;
      *"Building boltshuffle"*"["*)
        module=${text#*Building }
        say "  ${module%% 0.*} [${module##*[}"
        ;;
      *" (virtual-thunderbolt) @"*) say "  compiling the virtual Thunderbolt" ;;
      *" (default-compile) @"*) say "  compiling Java" ;;
    esac
  done
  [ "$files" -eq 0 ] || say "  fetched $files files, $((bytes / 1000000)) MB in all"
}
