"""Work side by side."""

import threading

import pytest

from rntrajrec.lanes import Piece, work_off


def test_two_run_at_once_and_none_before_what_it_needs():
    both, ended = threading.Barrier(2, timeout=30), []

    def together(name):
        both.wait()  # breaks unless the other one runs too
        ended.append(name)

    work_off(
        {
            "last": Piece(["c", "d"], lambda: ended.append("last")),
            "a": Piece([], lambda: together("a")),
            "b": Piece([], lambda: together("b")),
            "c": Piece(["a", "b"], lambda: together("c")),
            "d": Piece(["b"], lambda: together("d")),
        },
        lanes=2,
    )
    assert set(ended[:2]) == {"a", "b"}
    assert set(ended[2:4]) == {"c", "d"}
    assert ended[4:] == ["last"]


def test_one_lane_goes_in_order():
    ended = []
    work_off({n: Piece([], lambda n=n: ended.append(n)) for n in "abc"}, lanes=1)
    assert ended == list("abc")


def test_what_fails_is_raised_and_nothing_begins_after_it():
    ended = []

    def fail():
        raise SystemExit("a failed")

    with pytest.raises(SystemExit, match="a failed"):
        work_off({"a": Piece([], fail), "b": Piece([], lambda: ended.append("b"))}, lanes=1)
    assert not ended


def test_pieces_that_wait_for_each_other_are_an_error():
    with pytest.raises(ValueError, match="wait for each other"):
        work_off({"a": Piece(["b"], print), "b": Piece(["a"], print)}, lanes=2)
