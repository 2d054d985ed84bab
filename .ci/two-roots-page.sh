# Sourced by .ci/two-roots: what docs/getting-started-on-macs.md tells its reader to type.

# What only macOS has, on both machines.
stand_in() { # machine
  local bin=$roots/$1/usr/local/bin tool
  for tool in rdma_ctl pmset networksetup; do printf '#!/bin/sh\n' >"$bin/$tool"; done
  cat >"$bin/xcode-select" <<'TOOL'
#!/bin/sh -eu
[ "$*" = --install ]
exec sudo apt-get install -qqy --no-install-recommends gcc libc6-dev make >/dev/null
TOOL
  cat >"$bin/brew" <<'TOOL'
#!/bin/sh -eu
[ "$*" = "install openjdk@17 apache-spark" ]
sudo apt-get install -qqy --no-install-recommends openjdk-17-jdk-headless >/dev/null
sudo mkdir -p /opt/homebrew/opt/openjdk@17/libexec/openjdk.jdk/Contents
sudo ln -s /usr/lib/jvm/java-17-openjdk-* /opt/homebrew/opt/openjdk@17/libexec/openjdk.jdk/Contents/Home
sudo rm -f /usr/bin/java /usr/bin/javac
sudo mkdir /opt/homebrew/opt/apache-spark
sudo mv /opt/bottle /opt/homebrew/opt/apache-spark/libexec
sudo chown -R "$(id -u):$(id -g)" /opt/homebrew
TOOL
  cat >"$bin/answers" <<TOOL
#!/bin/sh
case \$1 in *yes/no*) echo yes ;; *) echo '$password' ;; esac
TOOL
  chmod +x "$bin"/*
  # A terminal stays where it is from block to block; a command that fails is noted, as a person would see it.
  say 'cd "$(cat /tmp/terminal 2>/dev/null || echo ~)"; TRAPZERR() { echo "exit code $?" >>/tmp/failed; }; PS1=' >>"$roots/$1/etc/zsh/zlogin"
  say 'pwd >/tmp/terminal' >>"$roots/$1/etc/zsh/zlogout"
  touch "$roots/$1/home/${account[$1]}/.zshrc" # else Debian's zsh asks about it
  cp -R "$spark" "$roots/$1/opt/bottle"
}

# pip's Spark has no scripts that start master and workers; these do what a distribution's do, over ssh, too.
pips_spark() { # release
  spark=$roots/pyspark-$1/pyspark
  [ ! -x "$spark/sbin/start-workers.sh" ] || return 0
  python3 -m pip install -q --no-deps --target "$roots/pyspark-$1" "pyspark==$1"
  local begin='#!/usr/bin/env bash
: "${SPARK_HOME:=$(cd "$(dirname "$0")/.." && pwd)}"
export SPARK_HOME
. "$SPARK_HOME/sbin/spark-config.sh"
. "$SPARK_HOME/bin/load-spark-env.sh"
'
  say "$begin"'exec "$SPARK_HOME/sbin/spark-daemon.sh" start org.apache.spark.deploy.master.Master 1 \
  --host "${SPARK_MASTER_HOST:-$(hostname -f)}" --port 7077 --webui-port 8080' >"$spark/sbin/start-master.sh"
  say "$begin"'exec "$SPARK_HOME/sbin/spark-daemon.sh" start org.apache.spark.deploy.worker.Worker 1 --webui-port 8081 "$1"' \
    >"$spark/sbin/start-worker.sh"
  say "$begin"'for host in $(sed -e "s/#.*//" -e "/^$/d" "$SPARK_CONF_DIR/workers"); do
  ssh -o StrictHostKeyChecking=no "$host" cd "$SPARK_HOME" \; "$SPARK_HOME/sbin/start-worker.sh" \
    "spark://${SPARK_MASTER_HOST:-$(hostname -f)}:7077" 2>&1 </dev/null | sed "s/^/$host: /" &
done
wait' >"$spark/sbin/start-workers.sh"
  chmod +x "$spark"/bin/* "$spark"/sbin/*
}

# Gives a block of the page to an interactive zsh, as a terminal does.
paste() { # machine, fetch or typed, file, variables...
  local who=${account[$1]} machine=$1 net=$2 file=$3
  shift 3
  rm -f "$roots/$machine/tmp/failed"
  inside "$machine" "$net" setpriv --reuid=1000 --regid=1000 --init-groups env -i HOME="/home/$who" USER="$who" LOGNAME="$who" \
    SHELL=/bin/zsh LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin "$@" /bin/zsh -ils <"$file" || return 1
  [ ! -e "$roots/$machine/tmp/failed" ]
}

page() {
  local file net both machine begin variables may_fail joined=
  spark=${ROOTS_SPARK:-}
  [ -n "$spark" ] || step "fetched: PySpark" pips_spark "${ROOTS_PYSPARK:-4.3.0}"
  spark=${spark:-$roots/pyspark-${ROOTS_PYSPARK:-4.3.0}/pyspark}
  account=(john john) # as the page asks
  step "two machines without Java" lay_machines /bin/zsh
  for machine in 0 1; do
    stand_in "$machine"
    mkdir "$roots/$machine/run/sshd"
    inside "$machine" typed /usr/sbin/sshd
  done
  mkdir "$roots/0/home/${account[0]}/boltshuffle"
  git archive HEAD | tar -x -C "$roots/0/home/${account[0]}/boltshuffle"
  [ -z "${ROOTS_MAVEN:-}" ] || ln -s /maven "$roots/0/home/${account[0]}/.m2"
  chroot "$roots/0" chown -R 1000:1000 "/home/${account[0]}"
  rm -f "$roots"/block-*
  awk -v to="$roots/block-" '/^ *```sh$/ { indent = index($0, "`"); file = sprintf("%s%02d", to, ++n); next }
    /^ *```$/ { file = "" } file { print substr($0, indent) >file }' docs/getting-started-on-macs.md

  for file in "$roots"/block-*; do
    net=typed both= variables=() may_fail=
    # The rest is for the Mac that the reader works on.
    if grep -Eq 'brew |JAVA_HOME|rdma_ctl|pmset|networksetup' "$file"; then both=1; fi
    if grep -Eq 'brew |verify --virtual' "$file"; then net=fetch; fi
    if grep -q ssh-copy-id "$file"; then variables=(SSH_ASKPASS=/usr/local/bin/answers SSH_ASKPASS_REQUIRE=force); fi
    if grep -Eq 'bolt (doctor|topology)' "$file"; then may_fail=1; fi
    for machine in 0 $both; do
      begin=$SECONDS
      sed "s/^/${name[machine]} % /" "$file"
      paste "$machine" "$net" "$file" ${variables[@]+"${variables[@]}"} 2>&1 | sed -u 's/.*\r//' | tee "$roots/typed.log" | sed -u 's/^/    /' ||
        [ -n "$may_fail" ] || { say "FAILED"; exit 1; }
      say "    ($((SECONDS - begin)) s)"
      case $(cat "$file") in
        *FirstJoin*)
          grep -q '^FirstJoin: 50000000 rows, .* MiB from other hosts, 100 % of them by RDMA$' "$roots/typed.log" ||
            { say "FAILED  the job did not go by RDMA alone"; exit 1; }
          joined=yes
          ;;
      esac
    done
  done
  [ -n "$joined" ] || { say "FAILED  the page has no job"; exit 1; }
  say "ok      the page's lines end in a job by RDMA alone"
}
