"""What processes use, from /proc, and theirs below them. Only those that were started here."""

import os
import signal
import subprocess
import threading
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def below(pid: int) -> list[int]:
    """The processes below one, itself among them."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(entry.name))
    found, next_ = [], [pid]
    while next_:
        one = next_.pop()
        found.append(one)
        next_ += children.get(one, [])
    return found


def processor(pid: int) -> float:
    """Processor seconds of a process, those below it, and those of theirs that have ended."""
    total = 0
    for one in below(pid):
        try:
            fields = Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        total += sum(int(f) for f in fields[11:15])
    return total / TICKS


def command(pid: int) -> str:
    """The command line of a process."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def streams(pids: list[int]) -> list[int]:
    """The processes of Retrace below some."""
    return [p for pid in pids for p in below(pid) if " stream --network" in command(p)]


def peak(pid: int) -> int:
    """The most memory that a process had, bytes."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return max([int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")], default=0)


class Watch(threading.Thread):
    """Looks now and then at the memory of Retrace's processes, and of Python's and Java's, below some."""

    def __init__(self, pids: list[int]) -> None:
        super().__init__(daemon=True)
        self.pids, self.stop = pids, threading.Event()
        self.retrace = self.python = self.java = 0

    def run(self) -> None:
        while not self.stop.wait(0.5):
            for pid in self.pids:
                for one in below(pid):
                    text = command(one)
                    if " stream --network" in text:
                        self.retrace = max(self.retrace, peak(one))
                    elif "CoarseGrainedExecutorBackend" in text:
                        self.java = max(self.java, peak(one))
                    elif "pyspark.daemon" in text:
                        self.python = max(self.python, peak(one))


class Cluster:
    """A standalone cluster of Spark on this computer: a master, and workers of one core each."""

    def __init__(self, home: Path, folder: Path, environment: dict[str, str], port: int = 17077) -> None:
        self.home, self.folder, self.environment = home, folder, environment
        self.url = f"spark://127.0.0.1:{port}"
        self.workers: list[subprocess.Popen] = []
        self.master = self._start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(port + 1))

    def _start(self, name: str, *arguments: str) -> subprocess.Popen:
        log = open(self.folder / f"{name}.log", "ab")
        return subprocess.Popen([self.home / "bin" / "spark-class", *arguments], stdout=log, stderr=log, env={**os.environ, **self.environment, "SPARK_HOME": str(self.home), "SPARK_LOCAL_IP": "127.0.0.1"})

    def add_worker(self, memory: str = "1600m") -> None:
        """Adds a worker of one core."""
        n = len(self.workers) + 1
        self.workers.append(self._start(f"worker{n}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", memory,
                                        "--webui-port", "0", "--work-dir", str(self.folder / f"work{n}"), self.url))

    def pids(self) -> list[int]:
        """The processes of the workers."""
        return [w.pid for w in self.workers if w.poll() is None]

    def kill_worker(self) -> None:
        """Kills the first worker that is there, and all below it, as a machine that fails."""
        for pid in reversed(below(self.pids()[0])):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for w in self.workers:
            w.poll()

    def close(self) -> None:
        """Ends all."""
        for p in [*self.workers, self.master]:
            for pid in below(p.pid) if p.poll() is None else []:
                try:
                    os.kill(pid, signal.SIGTERM)
                except ProcessLookupError:
                    pass
        for p in [*self.workers, self.master]:
            try:
                p.wait(20)
            except subprocess.TimeoutExpired:
                p.kill()
