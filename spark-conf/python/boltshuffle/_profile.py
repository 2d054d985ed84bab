"""Files of Spark settings."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from boltshuffle._errors import BoltError

_SETTING = re.compile(r"((?:\\.|[^\s=:\\])+)(?:\s*[=:]\s*|\s+)(.*)")


class PrivateSettings:
    """A file that a Java started within reads, for settings that every user would see on its command line."""

    _VARIABLE = "PYSPARK_SUBMIT_ARGS"

    def __init__(self, directory: Path, settings: dict[str, str]) -> None:
        self._file = directory / f"session-{os.getpid()}.conf"
        self._settings = settings
        self._before: str | None = None

    def __enter__(self) -> None:
        self._file.unlink(missing_ok=True)
        descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            for key, value in self._settings.items():
                escaped = value.replace("\\", "\\\\").replace("\n", "\\n")
                file.write(f"{key} {escaped}\n")
        self._before = os.environ.get(self._VARIABLE)
        more = self._before or "pyspark-shell"
        os.environ[self._VARIABLE] = f"--properties-file {shlex.quote(str(self._file))} {more}"

    def __exit__(self, *_: object) -> None:
        self._file.unlink(missing_ok=True)
        if self._before is None:
            os.environ.pop(self._VARIABLE, None)
        else:
            os.environ[self._VARIABLE] = self._before


def parse(text: str) -> dict[str, str]:
    """Return the settings of a properties file as Spark reads it."""
    settings = {}
    for raw in text.splitlines():
        line = raw.strip()
        match = None if line.startswith(("#", "!")) else _SETTING.fullmatch(line)
        if match:
            settings[match.group(1)] = re.sub(r"\\(.)", r"\1", match.group(2))
    return settings


def read(profile: str | os.PathLike[str]) -> dict[str, str]:
    """Return the settings of a file, or of the directory that ``bolt init`` wrote."""
    path = Path(profile).expanduser()
    file = path / "spark-defaults.conf" if path.is_dir() else path
    try:
        return parse(file.read_text(encoding="utf-8"))
    except OSError as e:
        raise BoltError(
            f"the profile {file.absolute()} cannot be read ({e.strerror or e})",
            "give the path of a file of Spark settings, or of the directory that 'bolt init --dir' wrote",
        ) from e


def defaults(spark_home: Path | None) -> dict[str, str]:
    """Return what Spark's launcher would read: ``spark-defaults.conf`` of its configuration directory."""
    named = os.environ.get("SPARK_CONF_DIR", "")
    directory = Path(named) if named else (spark_home / "conf" if spark_home else None)
    file = directory / "spark-defaults.conf" if directory else None
    return parse(file.read_text(encoding="utf-8")) if file and file.is_file() else {}


def memory_bytes(text: str) -> int | None:
    """Return the bytes that Spark reads in ``24g`` or ``512m``; a bare number is MiB. None if it is not a size."""
    match = re.fullmatch(r"\s*(\d+)\s*([kmgtp]?)b?\s*", text.lower())
    if not match:
        return None
    return int(match.group(1)) << 10 * " kmgtp".index(match.group(2) or "m")
