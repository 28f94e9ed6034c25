"""Drives one process of `retrace stream`."""

from __future__ import annotations

import os
import queue
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from ._program import program
from .errors import StreamError

INPUT = ("trajectory", "time", "lon", "lat")


@dataclass(frozen=True)
class Options:
    """How trips are recovered. It can be pickled."""

    network: str
    method: str = "rntrajrec"
    layers: Sequence[str] = ("points",)
    table: str = ""
    tick: float = 15.0
    threads: int = 0
    device: str = "cpu"
    model: str = ""
    flags: Sequence[str] = ()
    binary: str = ""  # of the program; empty: found as the package does
    environment: dict[str, str] = field(default_factory=dict)

    def command(self) -> list[str]:
        """The command line."""
        out = [self.binary or program(), "--quiet", "stream", "--network", self.network, "--method", self.method, "--tick", f"{round(self.tick * 1000)}ms", "--device", self.device]
        out += ["--table", self.table] if self.table else ["--layers", ",".join(self.layers) or "none"]
        out += ["--threads", str(self.threads)] if self.threads else []
        out += ["--model", self.model] if self.model else []
        return out + list(self.flags)


class Stream:
    """One process, which answers batches for as long as it is open. Use it as a context."""

    def __init__(self, options: Options) -> None:
        self._said = tempfile.TemporaryFile()
        self._process = subprocess.Popen(options.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said,
                                         env={**os.environ, **options.environment})
        self._to_send: queue.Queue[pa.RecordBatch | None] = queue.Queue(maxsize=1)
        self._sender = threading.Thread(target=self._send, daemon=True)
        self._sender.start()
        try:
            self._answers = pa.ipc.open_stream(self._process.stdout)
        except (pa.ArrowInvalid, OSError):
            failure = self._failure()
            self.close()
            raise failure from None

    @property
    def schema(self) -> pa.Schema:
        """The schema of the answers. Its metadata says how they are made."""
        return self._answers.schema

    def answer(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Gives one batch for each, and what is left at the end. At most two wait for
        their answer. Raises StreamError where the process ends before all is answered."""
        waiting = 0
        for batch in batches:
            self._put(batch)
            waiting += 1
            if waiting > 1:
                yield self._next()
                waiting -= 1
        self._put(None)
        while True:
            try:
                yield self._answers.read_next_batch()
            except StopIteration:
                break
            except (pa.ArrowInvalid, OSError):
                raise self._failure() from None
        if self._process.wait() != 0:  # a pipe that ends looks like an end mark
            raise self._failure()

    def _next(self) -> pa.RecordBatch:
        try:
            return self._answers.read_next_batch()
        except (StopIteration, pa.ArrowInvalid, OSError):
            raise self._failure() from None

    def _put(self, batch: pa.RecordBatch | None) -> None:
        """Hands a batch to the sender; a process that has gone takes none."""
        while True:
            try:
                return self._to_send.put(batch, timeout=0.2)
            except queue.Full:
                if self._process.poll() is not None and not self._sender.is_alive():
                    raise self._failure() from None

    def _send(self) -> None:
        """Writes batches: the process may be writing an answer meanwhile."""
        writer = None
        try:
            while (batch := self._to_send.get()) is not None:
                writer = writer or pa.ipc.new_stream(self._process.stdin, batch.schema)
                writer.write_batch(batch)
                self._process.stdin.flush()
            if writer is None:  # nothing is a stream, too
                writer = pa.ipc.new_stream(self._process.stdin, EMPTY)
            writer.close()
            self._process.stdin.close()
        except (OSError, pa.ArrowInvalid, ValueError):
            pass  # the status of the process says why

    def _failure(self) -> StreamError:
        """Says how the process ended."""
        try:
            status = self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:  # its answers make no sense
            self._process.kill()
            status = self._process.wait()
        self._said.seek(0)
        said = self._said.read().decode(errors="replace").strip()
        if len(said) > 2000:  # a crash says why first
            said = f"{said[:500]} ... {said[-1500:]}"
        return StreamError(status, said)

    def close(self) -> None:
        """Ends the process, whatever it does."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        try:
            self._to_send.put_nowait(None)
        except queue.Full:
            pass
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                pipe.close()
            except (OSError, ValueError):
                pass
        self._said.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


EMPTY = pa.schema([("trajectory", pa.string()), ("time", pa.int64()), ("lon", pa.float64()), ("lat", pa.float64())])


def schema_of(options: Options) -> pa.Schema:
    """The schema that answers have. The network, the method and the model are tried with it."""
    with Stream(options) as s:
        for _ in s.answer([]):
            pass
        return s.schema
