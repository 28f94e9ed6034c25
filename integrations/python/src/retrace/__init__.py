"""Recovers dense, road-matched trajectories from sparse GPS points.

    import retrace
    points = retrace.recover(trips, network="porto.network")

The program Retrace does the work, in a process beside this one."""

from ._network import Network
from ._recover import links, recover
from ._stream import Options, Stream
from .errors import Refused, RetraceError, StreamError, TripError

__all__ = ["Network", "Options", "Refused", "RetraceError", "Stream", "StreamError", "TripError", "links", "recover"]
