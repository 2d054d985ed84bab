"""The one exception of this package."""

from __future__ import annotations


class BoltError(RuntimeError):
    """Says what is wrong, and what to do about it.

    :ivar problem: what is wrong
    :ivar remedy: what to do
    """

    def __init__(self, problem: str, remedy: str) -> None:
        """Join both to one message."""
        super().__init__(f"{problem}: {remedy}")
        self.problem = problem
        self.remedy = remedy
