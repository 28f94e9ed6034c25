"""What a trained row recovers of test trips, and what that is worth: scored by the application."""

from pathlib import Path

import numpy as np
import torch

BATCH = 32  # trips recovered at once


@torch.no_grad()
def recovered(system, data, bench, places, out: Path) -> dict[str, dict[str, float]]:
    """Recovers the test trips, keeps what was recovered in OUT/recovered and has it scored."""
    folder = out / "recovered"
    folder.mkdir(parents=True, exist_ok=True)
    answers = answered(system, data.test)
    if hasattr(system, "places"):
        lon, lat = data.made.city.degrees(1000 * answers[0])
        np.save(folder / "lon.npy", lon)
        np.save(folder / "lat.npy", lat)
        places.application.call("recover", bench, places, f"-places={folder}", str(folder))
    else:
        np.save(folder / "segment.npy", data.made.city.ids[answers[0]].astype(np.int32))
        np.save(folder / "ratio.npy", answers[1].astype(np.float32))
    return places.application.score(bench, places, folder)


@torch.no_grad()
def answered(system, trips) -> tuple[np.ndarray, ...]:
    """What a system says of all ticks, one after another: segments and ratios, or places in kilometres."""
    system.eval()
    parts = []
    for first in range(0, len(trips), BATCH):
        b = trips.some(list(range(first, min(len(trips), first + BATCH))))
        said = (system.places(b),) if hasattr(system, "places") else system.recover(b)
        parts.append(
            [x[b.there].double().numpy() if x.is_floating_point() else x[b.there].numpy() for x in said]
        )
    return tuple(np.concatenate(p) for p in zip(*parts, strict=True))
