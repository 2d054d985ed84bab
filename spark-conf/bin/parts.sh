# Sourced by bolt: finds the programs it needs, and offers to install those that are missing.
# Sets: java, the program to run; java_home, the JDK it is in.
# BOLT_INSTALL=yes installs without asking, BOLT_INSTALL=no never asks.

find_java() {
  java=
  if [ -n "${JAVA_HOME:-}" ]; then
    [ -x "$JAVA_HOME/bin/java" ] ||
      die "JAVA_HOME is $JAVA_HOME, which has no bin/java: point it at a JDK 17 or newer, or unset it"
    java=$JAVA_HOME/bin/java
  elif [ "$(uname)" = Darwin ] && java_home=$(/usr/libexec/java_home -v 17+ 2>/dev/null); then
    java=$java_home/bin/java
  elif java=$(command -v java) && ! stands_for_none "$java"; then
    :
  else
    java=$(java_of_homebrew) || return 1
  fi
  said=$("$java" -version 2>&1) || {
    why=$(printf '%s\n' "$said" | grep -v 'Picked up' | head -n 1)
    die "$java does not start: ${why:-it says nothing}; see JAVA_TOOL_OPTIONS and JDK_JAVA_OPTIONS, or set JAVA_HOME to another JDK"
  }
  version=$(printf '%s\n' "$said" | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
  [ "${version:-0}" -ge 17 ] ||
    die "$java is Java ${version:-of an unknown version}, and 17 or newer is needed: set JAVA_HOME to a JDK 17 or newer"
}

# A Mac without Java has a program of that name, which only says so.
stands_for_none() {
  [ "$(uname)" = Darwin ] && "$1" -version 2>&1 | grep -q 'Unable to locate a Java Runtime'
}

# Homebrew keeps its JDKs off the PATH and out of the list of java_home.
java_of_homebrew() {
  command -v brew >/dev/null || return 1
  prefix=$(brew --prefix openjdk@17 2>/dev/null) || return 1
  [ -x "$prefix/bin/java" ] && printf '%s\n' "$prefix/bin/java"
}

# The directory of the JDK that java is in, links followed by Java itself.
find_java_home() {
  java_home=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p' | head -n 1)
}

# Is the part there? javac stands for java, too.
has() {
  case $1 in
    java) find_java ;;
    javac) find_java && find_java_home && [ -x "$java_home/bin/javac" ] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

describe() {
  case $1 in
    java) echo "Java 17 or newer" ;;
    javac) echo "a JDK 17 or newer" ;;
    cc) echo "a C compiler (cc)" ;;
    *) echo "$1" ;;
  esac
}

# Ends with status 3 and one line, unless each part that is named is there or could be installed.
require_parts() {
  missing=()
  names=
  for part in "$@"; do
    has "$part" && continue
    missing+=("$part")
    names=${names:+$names, }$(describe "$part")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  installer=$(installer_for "${missing[@]}") ||
    die "this machine lacks $names: install that$(hint_for "${missing[0]}")"
  agreed "$names" "$installer" ||
    die "this machine lacks $names: install with '$installer', or have bolt do that by BOLT_INSTALL=yes"
  say "installing $names: $installer"
  sh -c "$installer" >&2 </dev/null || die "'$installer' failed (its messages are above): mend it, or install $names by hand"
  hash -r
  for part in "${missing[@]}"; do
    has "$part" || die "$(describe "$part") is still missing after '$installer': install it by hand"
  done
}

# Where no package manager is known: the commands of systems that most people have.
hint_for() {
  case $1 in
    java | javac)
      printf '%s' " (macOS: 'brew install openjdk@17', with Homebrew from https://brew.sh; Debian and Ubuntu:" \
        " 'sudo apt-get install default-jdk-headless'; Fedora: 'sudo dnf install java-latest-openjdk-devel')," \
        " or set JAVA_HOME where one is elsewhere"
      ;;
  esac
}

agreed() {
  case ${BOLT_INSTALL:-} in
    yes) return 0 ;;
    no) return 1 ;;
  esac
  [ -t 0 ] && [ -t 2 ] || return 1
  printf 'bolt: this machine lacks %s. Install with "%s"? [y/n] ' "$1" "$2" >&2
  read -r -n 1 answer || return 1
  printf '\n' >&2
  [ "$answer" = y ] || [ "$answer" = Y ]
}

# The command that installs the parts; none without a package manager that is known here.
installer_for() {
  if command -v apt-get >/dev/null; then
    packages=
    for part in "$@"; do
      case $part in
        java | javac) packages="$packages $(jdk_of_apt)" ;;
        cc) packages="$packages gcc libc6-dev" ;;
        *) packages="$packages $part" ;;
      esac
    done
    become=
    [ "$(id -u)" = 0 ] || become="sudo "
    echo "${become}apt-get update -qq && ${become}env DEBIAN_FRONTEND=noninteractive apt-get install -qqy --no-install-recommends$packages"
  elif command -v brew >/dev/null; then
    for part in "$@"; do
      case $part in
        # Apple's compiler and make come together, and ask in a window of their own.
        cc | make) echo "xcode-select --install"; return ;;
      esac
    done
    echo "brew install openjdk@17"
  else
    return 1
  fi
}

# The oldest that this Debian or Ubuntu has and that is new enough. The package lists may be empty yet.
jdk_of_apt() {
  for release in 17 21 25; do
    if [ -n "$(apt-cache show "openjdk-$release-jdk-headless" 2>/dev/null)" ]; then
      echo "openjdk-$release-jdk-headless"
      return
    fi
  done
  echo default-jdk-headless
}

# Maven for what is not a build: the machine's own, else the wrapper's.
any_maven() {
  if command -v mvn >/dev/null; then
    echo mvn
  elif [ -n "$checkout" ]; then
    echo "$checkout/mvnw"
  else
    echo "$home/mvnw"
  fi
}
