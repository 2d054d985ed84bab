"""What a session adds to cells: a line while one runs, and the end of the jobs that an interrupted one started."""

from __future__ import annotations

import contextlib
import contextvars
import sys
import threading
import uuid
from html import escape
from typing import Any, Callable

from boltshuffle import _cluster
from boltshuffle._status import percent, size

_FIRST_SECONDS = 2.0
_EVERY_SECONDS = 1.0
_PAGE_SECONDS = 2.0
_STAGES = 3
#: Spark's own line, which would write over ours.
SPARKS_LINE = "spark.ui.showConsoleProgress"


def shell() -> Any:  # noqa: ANN401 (IPython is no dependency)
    """Return the shell of the notebook's kernel; None in a terminal and in a program."""
    if "IPython" not in sys.modules:
        return None
    found = sys.modules["IPython"].get_ipython()
    return found if hasattr(found, "kernel") else None


def takes_line(settings: dict[str, str]) -> bool:
    """Return whether the line is ours: in a notebook with the UI, unless the settings decide about Spark's own."""
    return shell() is not None and SPARKS_LINE not in settings and settings.get("spark.ui.enabled", "true") != "false"


def watch(context: Any, with_line: bool) -> None:  # noqa: ANN401 (methods that the stubs of PySpark 3.5 lack)
    """Watch the cells of this kernel from the next on, while it has this context. Does nothing outside a notebook."""
    here = shell()
    if here is None:
        return
    global _watch
    if _watch is not None:
        here.events.unregister("pre_run_cell", _watch.begin)
        here.events.unregister("post_run_cell", _watch.end)
        # The cell that runs may have begun with the session before.
        _watch.end()
    _watch = CellWatch(context, with_line)
    here.events.register("pre_run_cell", _watch.begin)
    here.events.register("post_run_cell", _watch.end)


class CellWatch:
    """Hears of the beginning and of the end of each cell. Confined to the thread that runs cells."""

    def __init__(self, context: Any, with_line: bool) -> None:  # noqa: ANN401 (see watch)
        """Watch no cell yet."""
        self._context = context
        self._url = context.uiWebUrl if with_line else None
        self._tag = ""
        self._line: Line | None = None

    def begin(self, info: object = None) -> None:
        """Mark the jobs that this cell will start."""
        if self._context._jsc is None:
            return
        tag = f"boltshuffle-cell-{uuid.uuid4().hex}"
        try:
            self._context.addJobTag(tag)
        except Exception:  # the JVM is gone, which the cell itself will say
            return
        self._tag = tag
        if self._url:
            self._line = Line(self._url, self._context.applicationId)
            self._line.start()

    def end(self, result: Any = None) -> None:  # noqa: ANN401 (IPython is no dependency)
        """Take the line away. What an interrupted cell started would run on, unseen, and hold the executors."""
        line, self._line = self._line, None
        tag, self._tag = self._tag, ""
        if line is not None:
            line.stop()
        if not tag or self._context._jsc is None:
            return
        if _is_interrupted(getattr(result, "error_in_exec", None)):
            self._call(self._context.cancelJobsWithTag, tag)
        self._call(self._context.removeJobTag, tag)

    @staticmethod
    def _call(method: Callable[[str], object], tag: str) -> None:
        """Call the JVM; a second time if it does not answer, because an interrupt may have broken the connection."""
        for _ in range(2):
            with contextlib.suppress(Exception):  # the JVM may be gone, too
                method(tag)
                return


def _is_interrupted(error: BaseException | None) -> bool:
    """Return whether a cell ended with an interrupt, or with a call that broke off.

    PySpark talks to the JVM while an interrupt goes up through it, by the connection that the interrupt has closed: the
    cell may end with the error of that.
    """
    while error is not None:
        if isinstance(error, KeyboardInterrupt) or type(error).__name__ == "Py4JNetworkError":
            return True
        error = error.__cause__ or error.__context__
    return False


class Line:
    """A line under a cell that runs for long, which a thread of its own renews."""

    def __init__(self, url: str, application: str, show: Callable[[Any], Any] | None = None) -> None:
        """Show nothing yet."""
        self._url = url
        self._application = application
        self._show = show or _displayed
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._handle: Any = None
        # The front end finds the cell by what the context of its thread says.
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=context.run, args=(self._run,), name="boltshuffle-line", daemon=True)

    def start(self) -> None:
        """Look after a moment for the first time: most cells are over by then."""
        self._thread.start()

    def stop(self) -> None:
        """Take the line away, if one was shown."""
        self._ended.set()
        with self._lock:
            if self._handle is not None:
                self._handle.update(Text(""))
                self._handle = None

    def _run(self) -> None:
        wait = _FIRST_SECONDS
        while not self._ended.wait(wait):
            wait = _EVERY_SECONDS
            # The UI may be busy, or gone with the application: the next look tells.
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                self._put(self.text())

    def _put(self, text: str) -> None:
        with self._lock:
            if self._ended.is_set() or (self._handle is None and not text):
                return
            if self._handle is None:
                self._handle = self._show(Text(text))
            else:
                self._handle.update(Text(text))

    def text(self) -> str:
        """Return what the application does at this moment; empty if no stage runs."""
        rest = f"{self._url}/api/v1/applications/{self._application}/stages?status=active"
        running = [one for one in _cluster.read_json(rest, _PAGE_SECONDS) if one["status"] == "ACTIVE"]
        if not running:
            return ""
        told = _cluster.read_json(f"{self._url}/boltshuffle/json", _PAGE_SECONDS)
        return described(running, told["stages"])


def described(running: list[dict[str, Any]], fetched: list[dict[str, Any]]) -> str:
    """Return one line for the stages that run, oldest first, with what they fetched so far."""
    by_stage = {(one["stage"], one["attempt"]): one for one in fetched}
    running = sorted(running, key=lambda one: int(one["stageId"]))
    parts = []
    for one in running[:_STAGES]:
        part = f"stage {one['stageId']}: {one['numCompleteTasks']} of {one['numTasks']} tasks"
        bytes_of = by_stage.get((one["stageId"], one["attemptId"]))
        remote = bytes_of["rdmaBytes"] + bytes_of["tcpBytes"] if bytes_of else 0
        if bytes_of and remote:
            part += f", {size(remote)} from other hosts, {percent(bytes_of['rdmaBytes'] / remote)} by RDMA"
        parts.append(part)
    if len(running) > _STAGES:
        parts.append(f"{len(running) - _STAGES} more")
    return "; ".join(parts)


class Text:
    """A line as a front end shows it."""

    def __init__(self, text: str) -> None:
        """Keep it."""
        self.text = text

    def __repr__(self) -> str:
        """Return it for a front end without HTML."""
        return self.text

    def _repr_html_(self) -> str:
        return f"<small style='opacity:.7'>{escape(self.text)}</small>" if self.text else ""


_watch: CellWatch | None = None


def _displayed(text: Text) -> Any:  # noqa: ANN401 (IPython is no dependency)
    from IPython.display import display

    return display(text, display_id=True)
