"""Names, groups and unknown values of the feature columns, as a manifest tells them."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

# What networks lack together is dropped together: where the tags of ways are
# not known, the controls on them are not known either.
DROPPED_WITH = {
    "tags": ("tags", "controls"),
    "controls": ("controls",),
    "calendar": ("calendar",),
    "gathered": ("gathered",),
}


@dataclass(frozen=True)
class Tensor:
    """One tensor of the schema: its columns, what they are learned from, and their unknown values."""

    columns: tuple[str, ...]
    groups: tuple[str, ...]
    unknown: np.ndarray

    @property
    def width(self) -> int:
        return len(self.columns)

    def of_group(self, *groups: str) -> np.ndarray:
        """A mask of the columns that belong to any of these groups."""
        return np.array([g in groups for g in self.groups], dtype=bool)

    def like(self, tensor: str, patterns: tuple[str, ...]) -> np.ndarray:
        """A mask of the columns whose name after that of the tensor, as in "pieces.length", is like any pattern."""
        return np.array(
            [any(fnmatchcase(f"{tensor}.{c}", p) for p in patterns) for c in self.columns], dtype=bool
        )


@dataclass(frozen=True)
class Schema:
    """The tensors of a data set. Two schemas with one hash are the same."""

    hash: str
    tensors: dict[str, Tensor]

    def width(self, tensor: str) -> int:
        return self.tensors[tensor].width

    def column(self, tensor: str, name: str) -> int:
        return self.tensors[tensor].columns.index(name)


def read(manifest: dict) -> Schema:
    """Reads the schema of a data set's manifest."""
    tensors = {}
    for t in manifest["schema"]["tensors"]:
        columns = t.get("columns") or []
        tensors[t["name"]] = Tensor(
            tuple(c["name"] for c in columns),
            tuple(c["group"] for c in columns),
            np.array([c["unknown"] for c in columns], dtype=np.float32),
        )
    return Schema(manifest["schema_hash"], tensors)
