"""The settings of a model and of its training, as a file in configs/ gives them."""

import tomllib
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path


@dataclass(frozen=True)
class ModelSettings:
    """Sizes and switches. A checkpoint and a bundle carry them."""

    d: int = 64  # hidden size of the encoder, the paper's d
    heads: int = 8  # h
    road_layers: int = 2  # M, GAT layers of GridGNN
    blocks: int = 2  # N, GPSFormer blocks
    graph_layers: int = 1  # P, GAT layers of a graph forward
    hidden: int = 64  # of the decoders
    time_hidden: int = 64
    time_blocks: int = 4
    route_context: int = 8  # values of X_road pooled along a route
    dropout: float = 0.0
    # Simulated trips have a vector of their own in the first layer of the decoders of routes and of time, so that
    # what is special about them is not taken for what vehicles do. Recovery goes without it.
    apart: bool = False

    tables: str = "none"  # "learned": the paper's tables of cells and segments, for one city only
    segments: int = 0  # rows of the learned tables: training counts them
    cells: int = 0

    # Parts that can be left out: what is left is the rest of the model.
    encoder: bool = True
    routes: bool = True
    time: bool = True
    ticks: bool = False  # the paper's decoder, which needs the encoder
    grid: bool = True  # the GRU over grid cells (eq. 2)
    road_gat: bool = True  # the GAT layers of GridGNN (eq. 5, 6)
    grl: bool = True  # graph refinement: else the sub-graphs stay as they are
    gf: bool = True  # gated fusion (eq. 11): else a sum
    gat: bool = True  # graph forward: else a feed-forward network
    gn: bool = True  # graph norm (eq. 12, 13): else layer norm
    gcl: bool = True  # the graph classification loss (eq. 26, 27)
    pairs: bool = True  # geometry of (sample, segment)
    environment: bool = True
    blind: tuple[str, ...] = ()  # columns that stay unknown, such as "pieces.speed_*"
    # Where the encoder's context goes.
    routes_context: bool = True
    time_context: bool = True
    # Second decoders that do not look at the encoder; what both say is averaged. The encoder knows roads that it has
    # seen, which helps there and misleads elsewhere.
    routes_alone: bool = False
    time_alone: bool = False


@dataclass(frozen=True)
class TrainSettings:
    """How a model is trained."""

    train: tuple[str, ...] = ()  # folders of data sets
    validation: tuple[str, ...] = ()
    seed: int = 1
    epochs: int = 30
    patience: int = 4  # epochs without a better validation, then training stops
    batch: int = 32  # trips
    rate: float = 1e-3
    weight_decay: float = 0.0
    clip: float = 1.0  # norm of the gradient
    time_weight: float = 1.0  # of L_rate, in units of 100 m
    spread_weight: float = 0.1
    enc_weight: float = 0.1  # lambda_2
    ratio_weight: float = 10.0  # lambda_1, of the decoder of ticks
    frozen: tuple[str, ...] = ()  # parts whose weights stay as begun with, as train.PARTS has them
    sharpness: float = 20.0  # of the soft targets of routes
    candidate_sharpness: float = 2.0  # nats by which a candidate beside the true segment is less of the truth
    train_trips: int = 0  # use only so many, 0: all
    validation_trips: int = 0
    minutes: float = 0.0  # stop after so long, 0: never
    threads: int = 2  # one is faster where other programs use the cores too
    workers: int = 1  # processes that make batches, 0: none
    drop: dict[str, float] = field(
        default_factory=lambda: {"controls": 0.1, "calendar": 0.2, "gathered": 0.2}
    )


@dataclass(frozen=True)
class Settings:
    model: ModelSettings = ModelSettings()
    training: TrainSettings = TrainSettings()

    def as_dict(self) -> dict:
        return asdict(self)


def read(path: str | Path) -> Settings:
    """Reads a file of settings. A name that no setting has is an error."""
    with open(path, "rb") as f:
        return from_dict(tomllib.load(f), str(path))


def from_dict(values: dict, origin: str = "settings") -> Settings:
    unknown = set(values) - {"model", "training"}
    if unknown:
        raise ValueError(f"{origin}: no part of the settings is called {sorted(unknown)[0]!r}")
    model = _made(ModelSettings, values.get("model", {}), origin)
    return Settings(model, _made(TrainSettings, values.get("training", {}), origin))


def _made(kind, values: dict, origin: str):
    unknown = set(values) - {f.name for f in fields(kind)}
    if unknown:
        raise ValueError(f"{origin}: no setting is called {sorted(unknown)[0]!r}")
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})
