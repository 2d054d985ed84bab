"""Which PySpark fits."""

from __future__ import annotations

import os
import re
from pathlib import Path

from boltshuffle._errors import BoltError

LINES = ("3.5", "4.0", "4.1", "4.2", "4.3")
NEWEST = "4.3.0"

_CORE = re.compile(r"spark-core_(2\.\d+)-(.+?)\.jar")


def line_of(release: str) -> str:
    """Return ``4.2`` for ``4.2.0``; fails for a release that is older than what the plugin supports.

    On a newer one the plugin leaves the shuffles to Spark, and ``status`` says so.
    """
    line = ".".join(release.split(".")[:2])
    if line not in LINES and _numbers(line) < _numbers(LINES[-1]):
        raise BoltError(
            f"this is PySpark {release}, and boltshuffle supports {', '.join(LINES)}",
            f"pip install pyspark=={NEWEST}, or the release that your cluster runs",
        )
    return line


def pyspark_release() -> str:
    """Return the installed PySpark's release, after a look at the Spark that it would start."""
    try:
        import pyspark
    except ImportError as e:
        raise BoltError("pyspark is not installed", f"pip install pyspark=={NEWEST}") from e
    release = str(pyspark.__version__)
    line_of(release)
    named = os.environ.get("SPARK_HOME", "")
    check_jars(release, Path(named) if named else Path(pyspark.__file__).parent, bool(named))
    return release


def check_jars(release: str, home: Path, by_variable: bool) -> None:
    """Refuse a Spark of another release or for another Scala than PySpark of ``release`` needs."""
    cores = [match for match in map(_CORE.fullmatch, _names(home / "jars")) if match]
    if not cores:
        if by_variable:
            raise BoltError(
                f"SPARK_HOME is {home}, which has no jars/spark-core_*.jar",
                "unset SPARK_HOME, so that PySpark takes its own Spark",
            )
        raise BoltError(
            f"this PySpark {release} brings no Spark, as the client for Spark Connect does",
            f"pip uninstall pyspark-client, and pip install pyspark=={release}",
        )
    scala, found = cores[0].groups()
    if scala != "2.13":
        # As is what pip has of 3.5.
        take = "unset SPARK_HOME" if by_variable else f"pip install pyspark=={NEWEST}"
        raise BoltError(
            f"the Spark at {home} is built for Scala {scala}, and boltshuffle needs 2.13",
            f"{take}, or point SPARK_HOME at a distribution of Spark {release} for Scala 2.13",
        )
    if found != release:
        raise BoltError(
            f"the Spark at {home} is {found}, and PySpark is {release}",
            f"pip install pyspark=={found}, or unset SPARK_HOME",
        )


def _numbers(line: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", line))


def _names(directory: Path) -> list[str]:
    return sorted(os.listdir(directory)) if directory.is_dir() else []
