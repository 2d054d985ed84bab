"""A session that has the plugin, or an exception that says why not."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boltshuffle import _cells, _cluster, _jar, _profile, _versions
from boltshuffle._errors import BoltError

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

_LISTS = {
    "spark.plugins": ",",
    "spark.jars": ",",
    "spark.driver.extraClassPath": ":",
    "spark.executor.extraClassPath": ":",
}
_POLL_SECONDS = 0.2
_MASTER = "spark.master"
_MANAGER = "spark.shuffle.manager"
_MEMORY = "spark.executor.memory"
_PYTHON_MEMORY = "spark.executor.pyspark.memory"
_WAIT = "spark.scheduler.maxRegisteredResourcesWaitingTime"
#: What Spark adds to an executor's memory counts for other masters; a standalone worker hands out the heap alone.
_DEFAULT_MEMORY_BYTES = 1 << 30


@dataclass(frozen=True)
class Plan:
    """What a session is started with."""

    master: str
    settings: dict[str, str]
    on_local_cluster: bool
    page: str | None
    with_line: bool = False
    secrets: _profile.PrivateSettings | None = None


def session(
    master: str | None = None,
    profile: str | os.PathLike[str] | None = None,
    *,
    app_name: str = "notebook",
    timeout: float = 60.0,
    **conf: object,
) -> SparkSession:
    """Return a session whose shuffles boltshuffle carries.

    :param master: such as ``spark://mac1:7077``; else that of the profile, of ``BOLT_MASTER``, of the cluster that
        ``bolt cluster start`` started on this machine, of the one that ``bolt up`` started or ``bolt join`` joined,
        or of ``SPARK_CONF_DIR``
    :param profile: a file of Spark settings or the directory that ``bolt init`` wrote; else ``BOLT_PROFILE``
    :param timeout: how many seconds to wait for the first executor; a profile's
        ``spark.scheduler.maxRegisteredResourcesWaitingTime`` comes on top
    :param conf: more Spark settings, such as ``**{"spark.cores.max": 4}``, or ``spark_cores_max=4``
    :raises BoltError: if there cannot be such a session; it says why, and what to do
    """
    release = _versions.pyspark_release()
    _require_java()
    jar = _jar.find()
    asked = {_key(key): _text(value) for key, value in conf.items()}
    running = _running()
    if running is not None:
        return _existing(running, master, asked)
    begin = time.monotonic()
    plan = plan_for(release, jar, master, profile, asked, timeout)
    _require_fresh_jvm(jar)
    _cluster.require_answer(plan.master)
    size = _cluster.size(plan.master, plan.page)
    plan.settings.update(fitting(plan, size))
    _set_python(plan)
    if plan.on_local_cluster:
        os.environ.setdefault("SPARK_LOCAL_IP", plan.settings.get("spark.driver.host", "127.0.0.1"))
    started = _start(plan, app_name)
    try:
        _confirm(started.sparkContext)
        # Spark itself may have waited already.
        _await_executor(started.sparkContext, plan, timeout, begin + timeout)
    except BaseException:
        started.stop()
        raise
    _offer_magic()
    _cells.watch(started.sparkContext, plan.with_line)
    return started


def plan_for(
    release: str,
    jar: Path,
    master: str | None,
    profile: str | os.PathLike[str] | None,
    conf: dict[str, str],
    timeout: float,
) -> Plan:
    """Merge what the caller, the profile, the local cluster and Spark's own file say; earlier ones win."""
    chosen_profile = profile if profile is not None else os.environ.get("BOLT_PROFILE") or None
    given = {**(_profile.read(chosen_profile) if chosen_profile is not None else {}), **conf}
    home = os.environ.get("SPARK_HOME", "")
    defaults = _profile.defaults(Path(home) if home else None)
    clusters = _cluster.local_clusters()
    found = (
        master
        or given.get(_MASTER)
        or os.environ.get("BOLT_MASTER")
        or next((cluster.master for cluster in clusters), None)
        or defaults.get(_MASTER)
    )
    if not found:
        raise BoltError(
            "there is no master to use",
            "pass one, as in session('spark://mac1:7077'), or start a cluster on this machine: bolt cluster start, or "
            "bolt up for one of several machines",
        )
    if found.startswith("sc://") or os.environ.get("SPARK_REMOTE") or os.environ.get("SPARK_CONNECT_MODE_ENABLED"):
        raise BoltError(
            "a client of Spark Connect has no shuffle of its own",
            "start the server with the plugin and use pyspark as usual, or unset SPARK_REMOTE, restart the kernel, and "
            "pass spark://HOST:PORT",
        )
    if not found.startswith(("spark://", "local")):
        raise BoltError(
            f"{found} is no master that boltshuffle knows",
            "a master begins with spark://, as in spark://mac1:7077, or with local; YARN and Kubernetes are not tested",
        )
    local = next((cluster for cluster in clusters if cluster.master == found), None)
    settings = dict(given)
    if local is not None:
        if local.spark != release:
            raise BoltError(
                f"the cluster at {found} runs Spark {local.spark}, and PySpark is {release}",
                f"pip install pyspark=={local.spark}, or {local.again.format(release)}",
            )
        settings = {**local.settings, _WAIT: f"{timeout:.0f}s", **given}
    settings[_MASTER] = found
    settings[_MANAGER] = given.get(_MANAGER) or _jar.MANAGER  # the plugin carries another one's shuffles
    if found.startswith("local") and _PYTHON_MEMORY not in conf:
        # A profile says this for a cluster. In one process it would limit each worker and print so into the notebook.
        settings.pop(_PYTHON_MEMORY, None)
    for key, value in plugin_settings(release, jar).items():
        settings[key] = _appended(settings.get(key) or defaults.get(key), value, _LISTS[key])
    for key, value in dynamic_allocation(found, {**defaults, **settings}).items():
        settings.setdefault(key, value)
    with_line = _cells.takes_line({**defaults, **settings})
    if with_line:
        settings[_cells.SPARKS_LINE] = "false"
    if local is None:
        return Plan(found, settings, False, None, with_line)
    secrets = _profile.PrivateSettings(local.directory, {**defaults, **local.secrets}) if local.secrets else None
    return Plan(found, settings, True, local.page, with_line, secrets)


def plugin_settings(release: str, jar: Path) -> dict[str, str]:
    """Return what loads the plugin. Spark 3.5 makes its shuffle manager before it knows the user's jars."""
    if _versions.line_of(release) == "3.5":
        places = {"spark.driver.extraClassPath": str(jar), "spark.executor.extraClassPath": str(jar)}
    else:
        places = {"spark.jars": str(jar)}
    return {"spark.plugins": _jar.PLUGIN, **places}


def dynamic_allocation(master: str, settings: dict[str, str]) -> dict[str, str]:
    """Return what gives executors back while a notebook is idle, so that a second one is not starved."""
    if master.startswith("local") or "spark.executor.instances" in settings:
        return {}
    return {
        "spark.dynamicAllocation.enabled": "true",
        "spark.dynamicAllocation.shuffleTracking.enabled": "true",
        "spark.dynamicAllocation.shuffleTracking.timeout": "30min",
        "spark.dynamicAllocation.cachedExecutorIdleTimeout": "30min",
    }


def fitting(plan: Plan, size: _cluster.Size | None) -> dict[str, str]:
    """Return settings that depend on the cluster's size, and refuse what could never start."""
    if size is None:
        return {}
    if size.workers == 0:
        raise BoltError(
            f"the master at {plan.master} has no worker",
            "start workers (sbin/start-worker.sh on each host; on one machine: bolt cluster stop, then start)",
        )
    chosen = {}
    if plan.settings.get("spark.dynamicAllocation.enabled") == "true":
        # Otherwise a short job would be over on the first host before another host's executor has started.
        chosen["spark.dynamicAllocation.initialExecutors"] = str(size.workers)
        # Spark counts with one core for each if this is not said.
        chosen["spark.executor.cores"] = str(size.worker_cores)
    if _MEMORY not in plan.settings:
        # Half of a worker, so that a second notebook has room beside this one.
        half = size.worker_memory_bytes // 2
        chosen[_MEMORY] = f"{max(half, min(size.worker_memory_bytes, _DEFAULT_MEMORY_BYTES)) >> 20}m"
    wanted = _profile.memory_bytes(plan.settings.get(_MEMORY, chosen.get(_MEMORY, "")))
    if wanted is not None and wanted > size.worker_memory_bytes:
        raise BoltError(
            f"{_MEMORY} is {plan.settings[_MEMORY]}, and no worker of {plan.master} has more than "
            f"{size.worker_memory_bytes >> 20} MiB, so it would give no executor",
            f"set {_MEMORY} to {size.worker_memory_bytes >> 20}m or less, or give workers more memory",
        )
    return {key: value for key, value in chosen.items() if key not in plan.settings}


def why_no_executor(plan: Plan, size: _cluster.Size | None, seconds: float, own: str = "") -> BoltError:
    """Say why the master gave none to the application of that name, as far as its page tells."""
    problem = f"{plan.master} gave no executor within {seconds:.0f} s"
    if size is not None and size.workers == 0:
        return BoltError(f"{problem}; it has no worker", "start workers (sbin/start-worker.sh on each host)")
    memory = plan.settings.get(_MEMORY, "1g")
    wanted = _profile.memory_bytes(memory) or 0
    if size is not None and (size.free_cores == 0 or wanted > size.free_worker_memory_bytes):
        others = list(size.applications)
        if own in others:
            others.remove(own)
        remedy = (
            "stop one of them (spark.stop(), or restart its kernel), or ask for less by spark.executor.memory and "
            "spark.cores.max"
        )
        if plan.on_local_cluster:
            remedy += (
                "; for two notebooks, 'bolt cluster start --cores 2' and session(spark_cores_max=2, "
                "spark_executor_cores=1) in each"
            )
        return BoltError(
            f"{problem}; {size.free_cores} of {size.cores} cores and at most "
            f"{size.free_worker_memory_bytes >> 20} MiB of memory of a worker are free, {memory} is asked for, and "
            f"these applications run: {', '.join(others) or 'no other'}",
            remedy,
        )
    return BoltError(
        problem,
        "look at the master's page (port 8080): other applications may have all cores or memory, or executors may end "
        "at once, and the worker's logs say why",
    )


def _running() -> SparkContext | None:
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is None:
        return None
    try:
        stopped = context._jsc is None or context._jsc.sc().isStopped()
    except Exception:  # the JVM is gone
        stopped = True
    if not stopped:
        return context
    raise BoltError(
        "the session of this process has ended, though stop() was not called",
        "call spark.stop() and run this again; if that fails, restart the kernel",
    )


def _existing(context: SparkContext, master: str | None, asked: dict[str, str]) -> SparkSession:
    _confirm(context)
    if master is not None and context.master != master:
        raise BoltError(
            f"a session runs already in this process, on {context.master}, and {master} was asked for",
            "call spark.stop() first",
        )
    for key, value in asked.items():
        there = context.getConf().get(key)
        if there != value and not key.startswith("spark.sql."):
            raise BoltError(
                f"a session runs already in this process, with {key}={there}, and {value} was asked for",
                "call spark.stop() first",
            )
    from pyspark.sql import SparkSession

    _offer_magic()
    running: SparkSession = SparkSession.builder.getOrCreate()
    for key, value in asked.items():
        if key.startswith("spark.sql."):
            running.conf.set(key, value)
    return running


def manager_of(context: SparkContext) -> str:
    """Return the class of the shuffle manager that is in force, which settings alone do not tell.

    A method handle finds it: Py4J looks at all methods of a class, and ``SparkEnv`` of Spark 4.3 has one whose types
    are not in PySpark's jars.
    """
    jvm: Any = context._jvm
    java: Any = context._jsc
    of_name = jvm.java.lang.Class.forName
    kind = jvm.java.lang.invoke.MethodType.methodType(of_name("org.apache.spark.shuffle.ShuffleManager"))
    lookup = jvm.java.lang.invoke.MethodHandles.publicLookup()
    getter = lookup.findVirtual(of_name("org.apache.spark.SparkEnv"), "shuffleManager", kind)
    arguments = jvm.java.util.ArrayList()
    arguments.add(java.sc().env())
    return str(getter.invokeWithArguments(arguments).getClass().getName())


def _confirm(context: SparkContext) -> None:
    found = manager_of(context)
    if found != _jar.MANAGER and _jar.PLUGIN not in (context.getConf().get("spark.plugins") or "").split(","):
        raise BoltError(
            f"a session runs already in this process, without boltshuffle (its shuffle manager is {found})",
            "restart the kernel, and make the session by boltshuffle.session() before any other",
        )


def _require_fresh_jvm(jar: Path) -> None:
    """Refuse a JVM that was started without the jar: it keeps its class path after stop()."""
    from pyspark import SparkContext

    if SparkContext._gateway is None:
        return
    jvm: Any = SparkContext._jvm
    try:
        loader = jvm.java.lang.Thread.currentThread().getContextClassLoader()
        jvm.java.lang.Class.forName(_jar.MANAGER, False, loader)
    except Exception as e:
        raise BoltError(
            f"this process had a session without boltshuffle, and its JVM cannot load {jar.name} any more",
            "restart the kernel, and make the session by boltshuffle.session() before any other",
        ) from e


def _require_java() -> None:
    home = os.environ.get("JAVA_HOME", "")
    if home and not Path(home, "bin", "java").is_file():
        raise BoltError(f"JAVA_HOME is {home}, which has no bin/java", "point it at a JDK 17 or newer, or unset it")
    if not home and shutil.which("java") is None:
        raise BoltError("there is no Java", "install a JDK 17 or newer, or set JAVA_HOME to one")


def _set_python(plan: Plan) -> None:
    """Let executors run this Python. Their own PATH may lead to one that lacks pyspark and pandas."""
    named = plan.settings.get("spark.pyspark.python")
    if named:
        os.environ["PYSPARK_PYTHON"] = named
    else:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)


def _start(plan: Plan, app_name: str) -> SparkSession:
    from pyspark.sql import SparkSession

    builder: Any = SparkSession.builder
    builder = builder.appName(app_name)
    for key, value in plan.settings.items():
        builder = builder.config(key, value)
    try:
        with plan.secrets or contextlib.nullcontext():
            return builder.getOrCreate()
    except Exception as e:
        said = str(getattr(e, "java_exception", None) or e).strip().splitlines()
        problem = said[0] if said else type(e).__name__
        raise BoltError(f"Spark could not start on {plan.master} ({problem})", why_no_start(problem)) from e


def why_no_start(problem: str) -> str:
    """Return what to do about what Spark said."""
    if "ClassNotFoundException" in problem:
        return f"take that class out of the settings ({', '.join(_LISTS)} and others), or add the jar that has it"
    if any(sign in problem for sign in ("BindException", "UnknownHost", "address", "port")):
        return "set SPARK_LOCAL_IP to an address of this machine"
    return "what Spark said is above"


def _await_executor(context: SparkContext, plan: Plan, seconds: float, deadline: float) -> None:
    if plan.master.startswith("local["):
        return
    java: Any = context._jsc.sc()
    while not _have_come(context):
        if time.monotonic() >= deadline:
            raise why_no_executor(plan, _cluster.size(plan.master, plan.page), seconds, context.appName)
        if java.isStopped():
            raise BoltError(
                f"{plan.master} ended the application at once", "look at the master's page and at the workers' logs"
            )
        time.sleep(_POLL_SECONDS)


def _have_come(context: SparkContext) -> bool:
    """Return whether there is an executor, or was one, which may have been given back for want of work."""
    java: Any = context._jsc.sc()
    # The driver counts as one in both.
    return bool(java.getExecutorMemoryStatus().size() > 1 or java.statusStore().executorList(False).size() > 1)


def _offer_magic() -> None:
    if "IPython" in sys.modules:
        shell = sys.modules["IPython"].get_ipython()
        if shell is not None:
            from boltshuffle._magic import register

            register(shell)


def _key(name: str) -> str:
    return name if "." in name else name.replace("_", ".")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _appended(there: str | None, ours: str, separator: str) -> str:
    if not there or not there.strip():
        return ours
    return there if ours in there.split(separator) else there + separator + ours
