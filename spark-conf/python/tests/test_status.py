"""The picture under the cell."""

import unittest
from unittest import mock

from boltshuffle import BoltError, Status, _magic, _status, status


def told(rdma=300, tcp=100, **more):
    remote = rdma + tcp
    return {
        "schema": 1,
        "rdmaBytes": rdma,
        "tcpBytes": tcp,
        "remoteBytes": remote,
        "rdmaShare": rdma / remote if remote else None,
        "tcpReasons": [{"reason": "no_cable", "bytes": tcp, "remedy": "Run 'bolt doctor'."}],
        "hosts": [{"name": "a", "executors": 1, "agentProblem": ""}],
        "cables": [
            {
                "one": {"host": "a", "port": "en2"},
                "other": {"host": "b", "port": "en5"},
                "state": "UP",
                "detail": "",
                "bytes": rdma,
                "peakPerSecond": 2048.0,
            }
        ],
        "stages": [
            {
                "stage": 3,
                "attempt": 1,
                "name": "<count>\n",
                "rdmaBytes": rdma,
                "tcpBytes": tcp,
                "localBytes": 5,
                "more": 1,
            }
        ],
        **more,
    }


class StatusTest(unittest.TestCase):
    def test_text_names_share_reason_cable_and_stage(self):
        text = str(Status(told(), "http://a:4040"))
        self.assertIn("75 % of 400 B from other hosts went by RDMA", text)
        self.assertIn("by TCP: 100 B, no cable. Run 'bolt doctor'.", text)
        self.assertIn("cable a en2 - b en5: UP, 300 B, peak 2.0 KiB/s", text)
        self.assertIn("stage 3.1 (<count>): 75 % by RDMA; RDMA 300 B, TCP 100 B, local 5 B", text)
        self.assertIn("http://a:4040/boltshuffle/", text)

    def test_html_is_escaped_and_loads_nothing(self):
        html = Status(told(), "http://a:4040")._repr_html_()
        self.assertIn("&lt;count&gt;", html)
        self.assertNotIn("<count>", html)
        self.assertNotIn("<script", html)
        self.assertNotIn("src=", html)
        self.assertIn("width:75.0%", html)

    def test_words_stand_left_and_numbers_right_beside_jupyters_own_rules(self):
        html = Status(told(), "http://a:4040")._repr_html_()
        # Jupyter's: :not(.jp-RenderedMarkdown).jp-RenderedHTMLCommon td, two classes and an element.
        self.assertRegex(html, r"(\.bolt-status){3} th,(\.bolt-status){3} td\{text-align:left")
        self.assertRegex(html, r"(\.bolt-status){3} \.n\{text-align:right")
        self.assertIn("<td>no cable</td><td class=n>100 B</td>", html)

    def test_a_cable_that_is_down_is_marked_and_says_why(self):
        answer = told()
        answer["cables"][0].update(state="GONE", detail="down since 20:16:02: port en5 of b")
        self.assertIn("<tr class=bad><td>a en2", Status(answer, "")._repr_html_())
        self.assertIn("GONE: down since 20:16:02: port en5 of b, 300 B", str(Status(answer, "")))

    def test_hosts_without_a_cable_say_why(self):
        apart = [{"host": "a", "otherHost": "b", "state": "DOWN", "detail": "down since 20:16:02: port en5 of b"}]
        shown = Status(told(apart=apart, cables=[]), "")
        self.assertIn("no cable joins a and b: down since 20:16:02: port en5 of b", str(shown))
        self.assertIn("<td>down since 20:16:02: port en5 of b</td>", shown._repr_html_())

    def test_a_host_without_an_agent_is_named(self):
        hosts = [{"name": "b", "executors": 1, "agentProblem": "no agent runs"}]
        self.assertIn("host b: no agent runs", str(Status(told(hosts=hosts), "")))

    def test_only_all_is_100_percent(self):
        self.assertIn("99.9 % of", str(Status(told(rdma=999_999, tcp=1), "")))
        self.assertIn("100 % of", str(Status(told(rdma=5, tcp=0), "")))

    def test_before_anything_was_fetched_there_is_no_share(self):
        shown = Status(told(0, 0, stages=[], cables=[]), "")
        self.assertIsNone(shown.rdma_share)
        self.assertIn("Nothing was fetched from another host yet", str(shown))
        self.assertIn("No executor has reported yet", str(Status(told(0, 0, hosts=[]), "")))

    def test_programs_get_the_answer_as_it_was(self):
        self.assertEqual(told(), Status(told(), "").to_dict())

    def test_a_tab_of_another_release_is_refused(self):
        for answer in ({}, {"schema": 2}, []):
            self.assertRaisesRegex(BoltError, "another release", _status.checked, answer, "http://a:4040")

    def test_a_page_elsewhere_is_read_without_a_session(self):
        with mock.patch.object(_status._cluster, "read_json", return_value=told()) as read:
            self.assertEqual(0.75, status(ui="http://mac1:4040/").rdma_share)
        self.assertEqual("http://mac1:4040/boltshuffle/json", read.call_args[0][0])

    def test_a_page_without_the_plugin_is_told(self):
        with mock.patch.object(_status._cluster, "read_json", side_effect=OSError("HTTP Error 404")):
            self.assertRaisesRegex(BoltError, "404.*a tab Boltshuffle", status, ui="http://mac1:4040")

    def test_the_magic_refuses_other_words(self):
        self.assertRaisesRegex(BoltError, "'jsn'", _magic.bolt, "jsn")
