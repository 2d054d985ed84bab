"""What went by RDMA, as text, as HTML and for programs."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from boltshuffle import _cluster, _jar
from boltshuffle._errors import BoltError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PAGE_SECONDS = 10.0
_STAGES = 8
_SCHEMA = 1

_NUMBERS = {"Bytes", "Peak", "Executors", "RDMA share", "By RDMA", "By TCP", "Local"}

# Half-transparent greys and the page's own text colour fit a light page and a dark one. Jupyter's own rules name two
# classes: those that name one three times hold beside them.
_STYLE = (
    "@{font-family:system-ui,sans-serif;font-size:13px;max-width:60em;color:inherit}"
    "@ .bar{height:10px;border-radius:5px;background:#8885;overflow:hidden;margin:4px 0 8px}"
    "@ .bar div{height:100%;background:#2a9d6f}"
    "@ table{border-collapse:collapse;font-size:inherit;margin:4px 0 8px;background:transparent;color:inherit}"
    "@ tr{background:transparent}"
    "@ th,@ td{text-align:left;vertical-align:top;padding:2px 10px 2px 0;border-bottom:1px solid #8884;"
    "background:transparent;color:inherit}"
    "@ .n{text-align:right;white-space:nowrap}"
    "@ .bad td{color:#d1495b}"
).replace("@", ".bolt-status" * 3)


class Status:
    """What ``/boltshuffle/json`` of the application's UI answered at one moment."""

    def __init__(self, told: dict[str, Any], ui_url: str) -> None:
        """Keep an answer."""
        self._told = told
        self.ui_url = ui_url

    @property
    def rdma_bytes(self) -> int:
        """Bytes that executors fetched from other hosts by RDMA."""
        return int(self._told["rdmaBytes"])

    @property
    def tcp_bytes(self) -> int:
        """Bytes that executors fetched from other hosts by TCP."""
        return int(self._told["tcpBytes"])

    @property
    def rdma_share(self) -> float | None:
        """Part of the bytes from other hosts that went by RDMA, from 0 to 1; None as long as there were none."""
        share = self._told["rdmaShare"]
        return None if share is None else float(share)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON, as docs/notebooks.md describes it."""
        return dict(self._told)

    def __repr__(self) -> str:
        """Return the text for a terminal."""
        lines = [self._summary()]
        lines += [f"  by TCP: {row[1]}, {row[0]}. {row[2]}".rstrip() for row in self._reasons()]
        lines += [f"  cable {row[0]}: {row[1]}, {row[2]}, peak {row[3]}" for row in self._cables()]
        lines += [f"  no cable joins {row[0]} and {row[1]}: {row[2]}" for row in self._apart()]
        lines += [f"  host {row[0]}: {row[2]}" for row in self._hosts() if row[2] != "answers"]
        lines += [
            f"  stage {row[0]} ({row[1]}): {row[2]} by RDMA; RDMA {row[3]}, TCP {row[4]}, local {row[5]}"
            for row in self._stages()
        ]
        return "\n".join([*lines, f"  more at {self.ui_url}/boltshuffle/"])

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """Return the picture under a cell."""
        share = self.rdma_share
        parts = [f"<style>{_STYLE}</style><div class='bolt-status'><b>{escape(self._summary())}</b>"]
        if share is not None:
            parts.append(f"<div class='bar' role='img' aria-label='{percent(share)} by RDMA'>")
            parts.append(f"<div style='width:{100 * share:.1f}%'></div></div>")
        parts.append(_table(("By TCP, because", "Bytes", "What to do"), self._reasons()))
        parts.append(_table(("Cable", "State", "Bytes", "Peak"), self._cables(), bad=lambda row: row[1] != "UP"))
        parts.append(_table(("Host", "Other host", "Why there is no cable"), self._apart(), bad=lambda row: True))
        parts.append(_table(("Host", "Executors", "Agent"), self._hosts(), bad=lambda row: row[2] != "answers"))
        parts.append(_table(("Stage", "Name", "RDMA share", "By RDMA", "By TCP", "Local"), self._stages()))
        parts.append(f"<a href='{escape(self.ui_url, quote=True)}/boltshuffle/'>The whole page</a></div>")
        return "".join(parts)

    def _summary(self) -> str:
        share = self.rdma_share
        if not self._told["hosts"]:
            return "No executor has reported yet"
        if share is None:
            return "Nothing was fetched from another host yet"
        remote = size(self.rdma_bytes + self.tcp_bytes)
        return f"{percent(share)} of {remote} from other hosts went by RDMA"

    def _reasons(self) -> list[tuple[str, ...]]:
        return [
            (one["reason"].replace("_", " "), size(one["bytes"]), one["remedy"])
            for one in self._told["tcpReasons"]
            if one["bytes"]
        ]

    def _cables(self) -> list[tuple[str, ...]]:
        return [
            (
                f"{one['one']['host']} {one['one']['port']} - {one['other']['host']} {one['other']['port']}",
                "UP" if one["state"] == "UP" else f"{one['state']}: {one['detail']}",
                size(one["bytes"]),
                size(one["peakPerSecond"]) + "/s",
            )
            for one in self._told["cables"]
        ]

    def _apart(self) -> list[tuple[str, ...]]:
        # An older server of Spark Connect does not tell.
        return [(one["host"], one["otherHost"], one["detail"]) for one in self._told.get("apart", [])]

    def _hosts(self) -> list[tuple[str, ...]]:
        return [(one["name"], str(one["executors"]), one["agentProblem"] or "answers") for one in self._told["hosts"]]

    def _stages(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = []
        for one in self._told["stages"]:
            remote = one["rdmaBytes"] + one["tcpBytes"]
            if remote + one["localBytes"]:
                share = percent(one["rdmaBytes"] / remote) if remote else "-"
                number = f"{one['stage']}.{one['attempt']}" if one["attempt"] else str(one["stage"])
                counts = (size(one["rdmaBytes"]), size(one["tcpBytes"]), size(one["localBytes"]))
                # The name of a streaming query's stage has several lines.
                rows.append((number, " ".join(one["name"].split()), share, *counts))
        return rows[:_STAGES]


def status(spark: SparkSession | None = None, *, ui: str | None = None) -> Status:
    """Return what went by RDMA so far in the application of ``spark``, or of the active session.

    :param ui: in place of a session, the address of an application's UI, such as ``http://mac1:4040``: that of a server
        of Spark Connect, or of a program that runs elsewhere
    :raises BoltError: if that application has no picture; it says why, and what to do
    """
    url = ui.rstrip("/") if ui is not None else _ui_of(spark)
    try:
        told = _cluster.read_json(f"{url}/boltshuffle/json", _PAGE_SECONDS)
    except (OSError, ValueError) as e:
        raise BoltError(
            f"the application's UI at {url} does not answer with the plugin's figures ({e})",
            "look at that address in a browser: it has a tab Boltshuffle if the application has the plugin",
        ) from e
    return Status(checked(told, url), url)


def _ui_of(spark: SparkSession | None) -> str:
    from pyspark.sql import SparkSession

    of = spark if spark is not None else SparkSession.getActiveSession()
    if of is None:
        raise BoltError("there is no session", "spark = boltshuffle.session()")
    if not hasattr(of, "_jsparkSession"):
        raise BoltError(
            "a client of Spark Connect does not know the UI of its server",
            "boltshuffle.status(ui='http://HOST:4040'), with the address of the server's UI",
        )
    context = of.sparkContext
    if context._jsc is None:
        raise BoltError("the session was stopped", "spark = boltshuffle.session()")
    url = context.uiWebUrl
    if not url:
        raise BoltError("this session has no UI", "leave spark.ui.enabled=false away")
    if _jar.PLUGIN not in context.getConf().get("spark.plugins", "").split(","):
        raise BoltError(
            "this session has no tab Boltshuffle", "restart the kernel, and make the session by boltshuffle.session()"
        )
    return str(url)


def checked(told: Any, url: str) -> dict[str, Any]:  # noqa: ANN401 (JSON)
    """Refuse the answer of another release of the plugin."""
    if not isinstance(told, dict) or told.get("schema") != _SCHEMA:
        raise BoltError(
            f"the tab at {url} is of another release of boltshuffle",
            "use the jar of this package: unset BOLT_PLUGIN_JAR, and restart the kernel",
        )
    return told


def size(count: float) -> str:
    """Return bytes for a person."""
    unit = 0
    units = ("B", "KiB", "MiB", "GiB", "TiB")
    while count >= 1024 and unit < len(units) - 1:
        count /= 1024
        unit += 1
    return f"{count:.0f} {units[unit]}" if unit == 0 else f"{count:.1f} {units[unit]}"


def percent(share: float) -> str:
    """Return a share for a person."""
    # Only what is complete is called so.
    return f"{int(share * 1000) / 10:g} %"


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]], bad: Any = lambda row: False) -> str:  # noqa: ANN401
    if not rows:
        return ""

    def cells(tag: str, row: tuple[str, ...]) -> str:
        kinds = (" class=n" if head in _NUMBERS else "" for head in heads)
        return "".join(f"<{tag}{kind}>{escape(one)}</{tag}>" for kind, one in zip(kinds, row))

    body = "".join(f"<tr{' class=bad' if bad(row) else ''}>{cells('td', row)}</tr>" for row in rows)
    return f"<table><tr>{cells('th', heads)}</tr>{body}</table>"
