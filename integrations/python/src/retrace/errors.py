"""What can go wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class RetraceError(Exception):
    """Retrace cannot do what it was asked."""


class StreamError(RetraceError):
    """The program ended before all was answered. Status is its exit status."""

    def __init__(self, status: int, said: str) -> None:
        self.status, self.said = status, said
        how = f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"
        hint = " (out of memory: give the task more, or cut the trip)" if "out of memory" in said else ""
        hint = " (by the system, for memory?)" if status == -9 else hint
        super().__init__(f"retrace {how}{hint}: {said or 'it said nothing'}")

    def __reduce__(self):  # a task sends it to its driver
        return StreamError, (self.status, self.said)


class Refused(NamedTuple):
    """A trip that was not recovered."""

    trip: str
    reason: str


class TripError(RetraceError):
    """Some trips could not be recovered; `trip` is the first of `refused`."""

    def __init__(self, refused: Sequence[Refused]) -> None:
        self.refused = list(refused)
        self.trip, self.reason = self.refused[0]
        more = f" and {len(refused) - 1} more" if len(refused) > 1 else ""
        super().__init__(f"trip {self.trip!r}{more} could not be recovered: {self.reason}")

    def __reduce__(self):
        return TripError, (self.refused,)
