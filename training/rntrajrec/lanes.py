"""Work done side by side, each piece as soon as all that it needs is done."""

from collections.abc import Callable, Collection, Hashable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple


class Piece(NamedTuple):
    needs: Collection[Hashable]  # names of other pieces
    call: Callable[[], object]


def work_off(pieces: Mapping[Hashable, Piece], lanes: int) -> None:
    """Calls all pieces, at most so many at once, earlier ones first where several could begin. When one raises, those
    that run beside it end, no other begins, and that is raised. Pieces that wait for each other are a ValueError."""
    left, done = dict(pieces), set()
    running: dict[Future, Hashable] = {}
    with ThreadPoolExecutor(lanes) as pool:
        while left or running:
            ready = [name for name, p in left.items() if done.issuperset(p.needs)]
            for name in ready[: lanes - len(running)]:
                running[pool.submit(left.pop(name).call)] = name
            if not running:
                raise ValueError(f"{sorted(map(str, left))} wait for each other, or for what nobody does")
            for ended in wait(running, return_when=FIRST_COMPLETED).done:
                ended.result()
                done.add(running.pop(ended))
