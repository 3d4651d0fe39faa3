"""Near copies of training samples among held-out ones: what was augmented, or repeated with noise, before the split.

A held-out sample with one to three training samples far nearer than the next ones has relatives there. Where points
lie as they fall in m dimensions, the distance to the nearest is that to the next times u^(1/m), u uniform.
"""

from __future__ import annotations

import torch

from .session import Session

FEWEST = 4  # features: in fewer dimensions such gaps are common
KEPT, ASKED = 6000, 512  # training samples, and held-out ones that are looked at
AT_ONCE = (
    16  # held-out samples: what is freed after a large look would hide the growth of the script's own memory
)
RELATIVES = 3
GAP = 0.3  # distance to a relative over that to the next sample: 0.3^m of samples by chance
EQUAL = 1e-6  # of a standard deviation: the same sample, which other rules tell


class Near:
    """Writes ``near`` rows: how many held-out samples of a batch have relatives in training, and who these are."""

    def __init__(self, session: Session) -> None:
        self.s = session
        self._known: dict[int, None] = {}
        self._kept: list[torch.Tensor] = []
        self._asked = 0

    @property
    def full(self) -> bool:
        """Whether no more training samples are kept."""
        return len(self._known) >= KEPT

    def forget(self) -> None:
        """Start anew: other weights are trained from now on."""
        self._known, self._kept = {}, []

    def trained(self, points: torch.Tensor, prints: list[int]) -> None:
        """Features of training samples (N, F), F the same in each call, with their fingerprints."""
        new = [k for k, h in enumerate(prints) if h not in self._known][: KEPT - len(self._known)]
        if new and (not self._kept or self._kept[0].shape[1] == points.shape[1]):
            self._kept.append(points[new].double())
            self._known.update(dict.fromkeys(prints[k] for k in new))

    def evaluated(self, points: torch.Tensor, loader: int | None) -> None:
        """Features of held-out samples (N, F)."""
        asked = points[: ASKED - self._asked].double()
        if not asked.shape[0] or not self._kept or self._kept[0].shape[1] != points.shape[1]:
            return
        known = torch.cat(self._kept)
        self._kept = [known]
        if known.shape[0] < 10 * RELATIVES or known.shape[1] < FEWEST:
            return
        self._asked += asked.shape[0]
        spread = known.std(0)
        scale = torch.where(spread > 0, 1 / spread, 0.0)
        known, prints, count, who = known * scale, list(self._known), 0, set[int]()
        for some in (asked * scale).split(AT_ONCE):
            near = torch.cdist(some, known, compute_mode="donot_use_mm_for_euclid_dist").topk(
                RELATIVES + 1, largest=False
            )
            gaps = near.values[:, :-1] / near.values[:, 1:].clamp_min(1e-30)
            related = (gaps.min(1).values < GAP) & (near.values[:, 0] > EQUAL)
            count += int(related.sum())
            for row, many in zip(near.indices[related], gaps[related].argmin(1), strict=True):
                who.update(prints[k] for k in row[: int(many) + 1].tolist())
        self.s.add({"k": "near", "i": self.s.now + 1, "loader": loader, "n": asked.shape[0], "related": count,
                    "prints": sorted(who)})  # fmt: skip
