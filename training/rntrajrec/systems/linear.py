"""Linear + HMM: the dense trip by straight lines at an even pace, then map matching.

Hoteit et al., Computer Networks 2014; the map matching is the application's (engine/match), on
the estimated places as if they had been reported. Nothing is learned.
"""

import torch
from torch import Tensor, nn

from rntrajrec.systems.system import Made
from rntrajrec.systems.trips import Trips


class Linear(nn.Module):
    def __init__(self, _m: Made):
        super().__init__()

    def places(self, b: Trips) -> Tensor:
        """Kilometres at every tick, [b][t][2]."""
        return between(b)[0]


def between(b: Trips) -> tuple[Tensor, Tensor]:
    """The place at every tick on the line between the samples around it, [b][t][2], and the place of the sample before
    in its trip, [b][t]."""
    last, tick = b.last(), b.tick.masked_fill(~b.known, torch.iinfo(torch.long).max)
    step = torch.arange(b.there.shape[1], device=b.tick.device).expand(len(b), -1).contiguous()
    before = (torch.searchsorted(tick, step, right=True) - 1).clamp(min=0)
    before = torch.minimum(before, (last - 1).clamp_min(0)[:, None])
    after = torch.minimum(before + 1, last[:, None])
    times = b.seconds.gather(1, b.tick)
    from_, to = times.gather(1, before), times.gather(1, after)
    share = ((b.seconds - from_) / (to - from_).clamp_min(1e-3)).clamp(0, 1).unsqueeze(-1)
    here, there = (b.xy.gather(1, k.unsqueeze(-1).expand(-1, -1, 2)) for k in (before, after))
    return here + share * (there - here), before
