"""The line magic ``%bolt``."""

from __future__ import annotations

from typing import Any

from boltshuffle._errors import BoltError
from boltshuffle._status import Status, status


def bolt(line: str) -> Status | dict[str, Any]:
    """``%bolt`` shows what went by RDMA; ``%bolt json`` returns it as a dictionary."""
    word = line.strip()
    if word not in ("", "status", "json"):
        raise BoltError(f"%bolt does not know {word!r}", "%bolt, or %bolt json")
    shown = status()
    return shown.to_dict() if word == "json" else shown


def register(ipython: Any) -> None:  # noqa: ANN401 (IPython is no dependency)
    """Give ``%bolt`` to a shell."""
    ipython.register_magic_function(bolt, "line", "bolt")
