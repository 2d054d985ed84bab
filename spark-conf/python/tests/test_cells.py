"""What a session adds to cells, with stand-ins for the shell, the context and the UI."""

import sys
import threading
import types
import unittest
from unittest import mock

from boltshuffle import _cells

RUNNING = {"status": "ACTIVE", "stageId": 7, "attemptId": 1, "numCompleteTasks": 37, "numTasks": 64}
FETCHED = {"stage": 7, "attempt": 1, "rdmaBytes": 900, "tcpBytes": 124}


class Context:
    uiWebUrl = "http://mac1:4040"  # noqa: N815
    applicationId = "app-1"  # noqa: N815

    def __init__(self):
        self._jsc = object()
        self.calls = []

    def addJobTag(self, tag):  # noqa: N802
        self.calls.append(("add", tag))

    def removeJobTag(self, tag):  # noqa: N802
        self.calls.append(("remove", tag))

    def cancelJobsWithTag(self, tag):  # noqa: N802
        self.calls.append(("cancel", tag))


class Shell:
    def __init__(self):
        self.kernel = object()
        self.hooks = {}
        self.events = self

    def register(self, event, hook):
        self.hooks.setdefault(event, []).append(hook)

    def unregister(self, event, hook):
        self.hooks[event].remove(hook)


def inside(shell):
    return mock.patch.dict(sys.modules, {"IPython": types.SimpleNamespace(get_ipython=lambda: shell)})


class WatchTest(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, _cells, "_watch", None)
        self.context = Context()

    def names(self):
        return [name for name, _ in self.context.calls]

    def test_outside_a_notebook_nothing_is_watched(self):
        terminal = Shell()
        del terminal.kernel
        for shell in (None, terminal):
            with inside(shell):
                self.assertFalse(_cells.takes_line({}))
                _cells.watch(self.context, True)
        with mock.patch.dict(sys.modules):
            sys.modules.pop("IPython", None)
            self.assertFalse(_cells.takes_line({}))
            _cells.watch(self.context, True)
        self.assertIsNone(_cells._watch)
        self.assertEqual({}, terminal.hooks)

    def test_the_line_is_ours_unless_the_settings_decide_about_sparks(self):
        with inside(Shell()):
            self.assertTrue(_cells.takes_line({}))
            for decided in ("true", "false"):
                self.assertFalse(_cells.takes_line({_cells.SPARKS_LINE: decided}))
            self.assertFalse(_cells.takes_line({"spark.ui.enabled": "false"}))

    def test_a_second_session_is_watched_in_place_of_the_first(self):
        shell = Shell()
        with inside(shell):
            _cells.watch(Context(), False)
            _cells.watch(self.context, False)
        self.assertEqual([1, 1], [len(hooks) for hooks in shell.hooks.values()])
        shell.hooks["pre_run_cell"][0](None)
        self.assertEqual(["add"], self.names())

    def test_a_session_in_the_cell_that_ended_another_leaves_no_line_of_that(self):
        shell = Shell()
        first = Context()
        with inside(shell):
            _cells.watch(first, True)
            shell.hooks["pre_run_cell"][0](None)
            line = _cells._watch._line
            first._jsc = None
            _cells.watch(self.context, True)
        line._thread.join(30)
        self.assertFalse(line._thread.is_alive())

    def test_the_jobs_of_an_interrupted_cell_are_cancelled(self):
        watch = _cells.CellWatch(self.context, False)
        watch.begin()
        watch.end(types.SimpleNamespace(error_in_exec=KeyboardInterrupt()))
        self.assertEqual(["add", "cancel", "remove"], self.names())
        self.assertEqual(1, len({tag for _, tag in self.context.calls}))

    def test_so_are_those_of_a_cell_that_ended_with_what_the_interrupt_broke(self):
        def error(kind, **because):
            found = kind()
            for name, other in because.items():
                setattr(found, name, other)
            return found

        broken = type("Py4JNetworkError", (Exception,), {})
        for ended in (
            broken(),
            error(ValueError, __context__=KeyboardInterrupt()),
            error(OSError, __cause__=error(ValueError, __context__=KeyboardInterrupt())),
        ):
            self.context.calls.clear()
            watch = _cells.CellWatch(self.context, False)
            watch.begin()
            watch.end(types.SimpleNamespace(error_in_exec=ended))
            self.assertEqual(["add", "cancel", "remove"], self.names())

    def test_jobs_are_cancelled_by_another_connection_if_the_interrupt_broke_this_one(self):
        answers = [OSError(), None]
        cancel = self.context.cancelJobsWithTag

        def answer(tag):
            cancel(tag)
            found = answers.pop(0)
            if found is not None:
                raise found

        self.context.cancelJobsWithTag = answer
        watch = _cells.CellWatch(self.context, False)
        watch.begin()
        watch.end(types.SimpleNamespace(error_in_exec=KeyboardInterrupt()))
        self.assertEqual(["add", "cancel", "cancel", "remove"], self.names())

    def test_the_jobs_of_a_cell_that_failed_are_not(self):
        watch = _cells.CellWatch(self.context, False)
        watch.begin()
        watch.end(types.SimpleNamespace(error_in_exec=ValueError()))
        self.assertEqual(["add", "remove"], self.names())

    def test_a_stopped_session_is_left_alone(self):
        self.context._jsc = None
        watch = _cells.CellWatch(self.context, True)
        watch.begin()
        watch.end()
        self.assertEqual([], self.context.calls)

    def test_a_jvm_that_is_gone_is_no_error_of_the_cell(self):
        def refuse(tag):
            raise ConnectionRefusedError

        self.context.addJobTag = refuse
        watch = _cells.CellWatch(self.context, True)
        watch.begin()
        watch.end()
        self.assertEqual([], self.context.calls)

    def test_without_the_line_no_thread_is_started(self):
        before = threading.active_count()
        watch = _cells.CellWatch(self.context, False)
        watch.begin()
        self.assertEqual(before, threading.active_count())
        watch.end()


class Shown:
    def __init__(self):
        self.texts = []
        self.first = threading.Event()
        self.second = threading.Event()

    def __call__(self, text):
        self.texts.append(text.text)
        self.first.set()
        return self

    def update(self, text):
        self.texts.append(text.text)
        self.second.set()


class LineTest(unittest.TestCase):
    def setUp(self):
        self.pages = {"stages?status=active": [RUNNING], "boltshuffle/json": {"stages": [FETCHED]}}
        read = mock.patch.object(_cells._cluster, "read_json", self.read)
        read.start()
        self.addCleanup(read.stop)
        for name in ("_FIRST_SECONDS", "_EVERY_SECONDS"):
            soon = mock.patch.object(_cells, name, 0.001)
            soon.start()
            self.addCleanup(soon.stop)

    def read(self, url, seconds):
        answer = self.pages[next(end for end in self.pages if url.endswith(end))]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def test_it_names_tasks_and_share_and_ends_empty(self):
        shown = Shown()
        line = _cells.Line("http://mac1:4040", "app-1", shown)
        line.start()
        self.assertTrue(shown.second.wait(30))
        line.stop()
        line._thread.join(30)
        self.assertFalse(line._thread.is_alive())
        self.assertEqual("stage 7: 37 of 64 tasks, 1.0 KiB from other hosts, 87.8 % by RDMA", shown.texts[0])
        self.assertEqual("", shown.texts[-1])
        self.assertEqual(1, shown.texts.count(""))

    def test_a_cell_without_a_stage_shows_nothing(self):
        self.pages["stages?status=active"] = []
        shown = Shown()
        line = _cells.Line("http://mac1:4040", "app-1", shown)
        self.assertEqual("", line.text())
        line._put(line.text())
        line.stop()
        self.assertEqual([], shown.texts)

    def test_what_comes_after_the_end_is_not_shown(self):
        shown = Shown()
        line = _cells.Line("http://mac1:4040", "app-1", shown)
        line.stop()
        line._put("late")
        self.assertEqual([], shown.texts)

    def test_a_page_that_does_not_answer_is_asked_again(self):
        self.pages["boltshuffle/json"] = OSError("busy")
        shown = Shown()
        line = _cells.Line("http://mac1:4040", "app-1", shown)
        line.start()
        self.pages["boltshuffle/json"] = {"stages": []}
        self.assertTrue(shown.first.wait(30))
        line.stop()
        self.assertEqual("stage 7: 37 of 64 tasks", shown.texts[0])

    def test_of_many_stages_the_oldest_are_named(self):
        running = [{**RUNNING, "stageId": number} for number in (9, 7, 8, 11, 10)]
        self.assertEqual(
            "stage 7: 37 of 64 tasks, 1.0 KiB from other hosts, 87.8 % by RDMA; stage 8: 37 of 64 tasks; "
            "stage 9: 37 of 64 tasks; 2 more",
            _cells.described(running, [FETCHED]),
        )

    def test_html_is_escaped_and_empty_at_the_end(self):
        self.assertIn("a &lt; b", _cells.Text("a < b")._repr_html_())
        self.assertEqual("", _cells.Text("")._repr_html_())
