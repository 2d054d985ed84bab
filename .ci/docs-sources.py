"""Puts the pages of the repository together for MkDocs, which wants them in one directory: README becomes index.md.

Links between pages are changed to fit. A link to a file that is no page becomes its name in code type; a link to
what does not exist ends the build.
"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = {"README.md": "index.md"} | {
    name: name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "RATIONALE.md", "SECURITY.md")
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")


def place(path):
    """Where a file of the repository is on the site, or None."""
    relative = path.relative_to(ROOT).as_posix()
    if relative.startswith("docs/"):
        return relative.removeprefix("docs/")
    return PAGES.get(relative)


def rewritten(source, text):
    def link(match):
        image, label, target = match.groups()
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            return match.group(0)
        file, _, anchor = target.partition("#")
        path = (source.parent / file).resolve()
        if not path.exists():
            sys.exit(f"{source.relative_to(ROOT)}: there is no {target}")
        on_site = place(path)
        if on_site is None:
            return label if label.startswith("`") else f"{label} (`{path.relative_to(ROOT).as_posix()}`)"
        return f"{image}[{label}]({on_site}{'#' + anchor if anchor else ''})"

    parts = re.split(r"(?ms)(^ *```.*?^ *```$)", text)
    return "".join(part if index % 2 else LINK.sub(link, part) for index, part in enumerate(parts))


def main(target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target)
    for source in [ROOT / name for name in PAGES] + sorted((ROOT / "docs").glob("*.md")):
        (target / place(source)).write_text(rewritten(source, source.read_text("utf-8")), "utf-8")


main(pathlib.Path(sys.argv[1]))
