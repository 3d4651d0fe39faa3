"""Seconds per sample that a DataLoader itself costs, and with a little real work in ``__getitem__``.

`MIN_PER_SAMPLE_S` of dataloader_bottleneck lies between the two.

    python benchmarks/thresholds/loader_cost.py     # needs torch; a few seconds on one core
"""

from __future__ import annotations

import time
from statistics import median

import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

SAMPLES = 1024


class Parsed(Dataset[tuple[torch.Tensor, int]]):
    """Each item is parsed from text again, as a careless data set does."""

    line = ",".join(str(k / 7) for k in range(2000))

    def __len__(self) -> int:
        return SAMPLES

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        return torch.tensor([float(v) for v in self.line.split(",")]), index % 10


def per_sample(data: Dataset[object], size: int) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for _ in DataLoader(data, batch_size=size, shuffle=True):
            pass
        times.append((time.perf_counter() - start) / SAMPLES)
    return median(times)


def main() -> None:
    torch.set_num_threads(1)
    tensors = TensorDataset(torch.randn(SAMPLES, 64), torch.randint(10, (SAMPLES,)))
    for name, data in (("TensorDataset", tensors), ("text parsed per item", Parsed())):
        for size in (8, 64):
            print(f"{name:22} batch {size:3}: {1e6 * per_sample(data, size):8.1f} us per sample")  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
