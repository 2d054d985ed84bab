"""The first cell of docs/notebooks.md and %bolt in a real kernel: notebook.py JUPYTER-CELL HTML writes the picture."""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

JOIN = """
spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
numbers = spark.range(0, 200_000, 1, 4)
numbers.join(numbers.selectExpr("id", "id * 3 AS triple"), "id").count()
"""
# Executors report after their tasks.
WAIT = """
import time
for _ in range(60):
    if boltshuffle.status(spark).rdma_share:
        break
    time.sleep(1)
"""


def main(first_cell: Path, picture: Path) -> str | None:
    """Run the cells; returns what to exit with."""
    notebook = nbformat.v4.new_notebook()
    for source in (first_cell.read_text(), JOIN, WAIT, "%bolt", "%bolt json"):
        notebook.cells.append(nbformat.v4.new_code_cell(source))
    NotebookClient(notebook, timeout=200, kernel_name="python3").execute()
    shown = notebook.cells[3].outputs[-1]["data"]
    told = notebook.cells[4].outputs[-1]["data"]["text/plain"]
    picture.write_text(f"<!doctype html><meta charset='utf-8'>{shown['text/html']}")
    print(shown["text/plain"])
    if "% of" not in shown["text/plain"] or "by RDMA" not in shown["text/html"]:
        return "the picture has no RDMA share"
    return None if "'rdmaShare'" in told else "%bolt json has no RDMA share"


sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
