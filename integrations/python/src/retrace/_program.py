"""Finds the program and runs its short commands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from .errors import RetraceError, StreamError

VARIABLE = "RETRACE_BINARY"


def program() -> str:
    """The path of the program: of $RETRACE_BINARY, in this package, or in PATH."""
    if named := os.environ.get(VARIABLE):
        if not os.access(named, os.X_OK):
            raise RetraceError(f"{VARIABLE} names {named}, which cannot be run")
        return named
    for inside in ("retrace", "retrace.exe"):
        path = Path(__file__).parent / "bin" / inside
        if path.exists():
            return str(path)
    if found := shutil.which("retrace"):
        return found
    raise RetraceError(f"the program retrace is neither in this package nor in PATH: install the wheel for your system, or set {VARIABLE}")


def run(*arguments: str) -> Any:
    """Runs a command that prints one line of JSON."""
    done = subprocess.run([program(), "--json", "--quiet", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise StreamError(done.returncode, done.stderr.strip())
    return json.loads(done.stdout)
