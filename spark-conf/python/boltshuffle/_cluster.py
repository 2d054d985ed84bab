"""What is known of a cluster before a session is started on it."""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boltshuffle._errors import BoltError

_CONNECT_SECONDS = 5.0
_PAGE_SECONDS = 3.0
_MASTER_PAGE_PORT = 8080
_MIB = 1 << 20


@dataclass(frozen=True)
class LocalCluster:
    """The cluster of virtual hosts, or of machines, that this machine takes part in.

    ``secrets`` are settings that belong into no command line. ``again`` says how to run it with another Spark.
    """

    master: str
    page: str
    spark: str
    settings: dict[str, str]
    directory: Path = field(default_factory=Path)
    secrets: dict[str, str] = field(default_factory=dict)
    again: str = "'bolt cluster stop' and 'bolt cluster start --spark {}'"


@dataclass(frozen=True)
class Size:
    """What a standalone master's page says."""

    workers: int
    cores: int
    free_cores: int
    worker_cores: int
    worker_memory_bytes: int
    free_worker_memory_bytes: int
    applications: list[str] = field(default_factory=list)


def cache() -> Path:
    """Return the directory in which ``bolt`` keeps its state."""
    chosen = os.environ.get("BOLT_CACHE", "")
    if chosen:
        return Path(chosen)
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "boltshuffle"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "boltshuffle"


def local_clusters() -> list[LocalCluster]:
    """Return the clusters that were started or joined, and not stopped; their masters may have ended."""
    again = "'bolt down' and 'bolt up --spark {}' on its first machine"
    found = [_described(cache() / "cluster"), _described(cache() / "up" / "cluster", again=again)]
    return [cluster for cluster in found if cluster is not None]


def _described(directory: Path, **more: str) -> LocalCluster | None:
    described = _read(directory / "cluster.json")
    if described is None:
        return None
    return LocalCluster(
        described["masterUrl"],
        described["uiUrl"],
        described["spark"],
        dict(described["settings"]),
        directory,
        _read(directory / "secret.json") or {},
        **more,
    )


def _read(file: Path) -> dict[str, Any] | None:
    try:
        return dict(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def addresses(master: str) -> list[tuple[str, int]]:
    """Return hosts and ports of a standalone master; none for another kind of master."""
    found = re.fullmatch(r"spark://(.+)", master)
    if not found:
        return []
    pairs = []
    for one in found.group(1).split(","):
        host, _, port = one.strip().rpartition(":")
        if not host or not port.isdigit():
            raise BoltError(
                f"{master!r} is not the address of a master", "write spark://HOST:PORT; the port is mostly 7077"
            )
        pairs.append((host.strip("[]"), int(port)))
    return pairs


def require_answer(master: str) -> None:
    """Fail if no standalone master listens there. Spark itself would try for a minute."""
    pairs = addresses(master)
    problems = []
    for host, port in pairs:
        try:
            with socket.create_connection((host, port), timeout=_CONNECT_SECONDS):
                return
        except OSError as e:
            problems.append(f"{host}:{port}: {e.strerror or e}")
    if pairs:
        raise BoltError(
            f"no master answers at {master} ({'; '.join(problems)})",
            "start it (sbin/start-master.sh; on one machine: bolt cluster start), or correct the address",
        )


def size(master: str, page: str | None = None) -> Size | None:
    """Return the cluster's size, if the master has a page at ``page`` or at Spark's usual port."""
    pages = [page] if page else [f"http://{host}:{_MASTER_PAGE_PORT}" for host, _ in addresses(master)]
    for one in pages:
        try:
            told = read_json(one.rstrip("/") + "/json/", _PAGE_SECONDS)
        except (OSError, ValueError):
            continue
        # Another master, or another program, may have that port.
        if isinstance(told, dict) and told.get("url") in [*master.split(","), master]:
            return size_of(told)
    return None


def size_of(told: dict[str, Any]) -> Size:
    """Read what the page says."""
    workers = [worker for worker in told.get("workers", []) if worker.get("state") == "ALIVE"]
    return Size(
        workers=len(workers),
        cores=sum(worker["cores"] for worker in workers),
        free_cores=sum(worker["coresfree"] for worker in workers),
        worker_cores=min((worker["cores"] for worker in workers), default=0),
        worker_memory_bytes=_MIB * max((worker["memory"] for worker in workers), default=0),
        free_worker_memory_bytes=_MIB * max((worker["memoryfree"] for worker in workers), default=0),
        applications=[application["name"] for application in told.get("activeapps", [])],
    )


def read_json(url: str, seconds: float) -> Any:  # noqa: ANN401 (JSON)
    """Return what a page of Spark's answers. A proxy of the user's does not know these hosts."""
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=seconds) as answer:
        return json.loads(answer.read())
