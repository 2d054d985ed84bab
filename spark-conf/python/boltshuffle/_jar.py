"""Where the plugin's jar is."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

from boltshuffle._errors import BoltError

MANAGER = "io.boltshuffle.spark.BoltShuffleManager"
PLUGIN = "io.boltshuffle.spark.BoltShufflePlugin"
VARIABLE = "BOLT_PLUGIN_JAR"

_PATTERN = "boltshuffle-spark_2.13-*.jar"
_PACKAGE = Path(__file__).resolve().parent


def find(places: list[Path] | None = None) -> Path:
    """Return the jar that ``BOLT_PLUGIN_JAR`` names, or else the one inside this package or its checkout."""
    named = os.environ.get(VARIABLE, "")
    if named:
        return _checked(Path(named).expanduser().absolute(), f"{VARIABLE} names it")
    for place in places if places is not None else [_PACKAGE / "jars", _PACKAGE.parents[1] / "target" / "lib"]:
        jars = sorted(place.glob(_PATTERN))
        if jars:
            return _checked(jars[-1], "this package brought it")
    raise BoltError(
        "this boltshuffle has no jar of the plugin",
        f"install the wheel that .ci/wheel builds, or name a {_PATTERN} by the variable {VARIABLE}",
    )


def _checked(jar: Path, why: str) -> Path:
    if not jar.is_file():
        raise BoltError(f"there is no file {jar}, and {why}", f"name a {_PATTERN} by the variable {VARIABLE}")
    try:
        with zipfile.ZipFile(jar) as archive:
            archive.getinfo(MANAGER.replace(".", "/") + ".class")
    except (KeyError, zipfile.BadZipFile) as e:
        raise BoltError(
            f"{jar} is not the plugin's jar, and {why}", f"name a {_PATTERN} by the variable {VARIABLE}"
        ) from e
    return jar
