"""A Spark session whose shuffle goes by RDMA over Thunderbolt, and a picture that shows it."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from boltshuffle._errors import BoltError
from boltshuffle._session import session
from boltshuffle._status import Status, status

try:
    __version__ = metadata.version("boltshuffle")
except metadata.PackageNotFoundError:  # imported from a checkout
    __version__ = "0"

__all__ = ["BoltError", "Status", "__version__", "load_ipython_extension", "session", "status"]


def load_ipython_extension(ipython: Any) -> None:  # noqa: ANN401 (IPython is no dependency)
    """Register ``%bolt``: what ``%load_ext boltshuffle`` calls. A session registers it by itself, too."""
    from boltshuffle._magic import register

    register(ipython)
