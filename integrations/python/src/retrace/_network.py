"""Networks in files."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from pathlib import Path
from typing import Any

from . import _program
from .errors import RetraceError

_MARK = b"RETRACE NETWORK\n"


class Network:
    """A road network in a file that many processes share.

    `Network("porto.network")` takes a file that `retrace networks export` wrote.
    `Network("porto.osm.pbf")` makes one of an OpenStreetMap extract: `file` says where,
    else it is a temporary one that goes with the object. With `model=False` the model is
    not asked about the roads, which takes a while for large networks; then recovery by it
    asks each time."""

    def __init__(self, path: str | os.PathLike[str], *, file: str | os.PathLike[str] | None = None, model: bool = True) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        source = Path(path)
        if not source.exists():
            raise RetraceError(f"there is no file {source}")
        if _head(source) is None:
            if file is None:
                self._folder = tempfile.TemporaryDirectory(prefix="retrace-network-")
                file = Path(self._folder.name) / (source.name.split(".")[0] + ".network")
            _program.run("networks", "export", str(source), "-o", str(file), *([] if model else ["--no-model"]))
            source = Path(file)
        self.path = str(source.absolute())
        head = _head(source)
        if head is None:
            raise RetraceError(f"{source} is no network file")
        self._info: dict[str, Any] = head["info"]
        self.has_model = any(a["of"] == "roads" for a in head["arrays"])

    @property
    def name(self) -> str:
        """Its name."""
        return self._info["Name"]

    @property
    def fingerprint(self) -> str:
        """What tells it from any other network: hexadecimal, over its content."""
        return self._info["Fingerprint"]

    @property
    def segments(self) -> int:
        """How many directed segments it has."""
        return self._info["Segments"]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east, north, degrees."""
        b = self._info["Bounds"]
        return b["MinLon"], b["MinLat"], b["MaxLon"], b["MaxLat"]

    @property
    def attribution(self) -> str:
        """Whose the data is, which results must say."""
        return self._info["Attribution"]

    def __repr__(self) -> str:
        return f"<retrace.Network {self.name!r}: {self.segments} segments, {self.fingerprint[:12]}>"


def _head(path: Path) -> dict[str, Any] | None:
    """What stands in the head of a network file; None: it is none."""
    with path.open("rb") as f:
        if f.read(len(_MARK)) != _MARK:
            return None
        version, length, _ = struct.unpack("<III", f.read(12))
        if version != 1:
            raise RetraceError(f"{path}: its layout has version {version}, this package knows 1: update it")
        return json.loads(f.read(length))


def network_of(given: Network | str | os.PathLike[str]) -> Network:
    """A network, given as such or as the path of a file."""
    return given if isinstance(given, Network) else Network(given)
