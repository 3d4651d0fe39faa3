"""Device nodes that a script needs: the harmless ones and those of graphics processors."""

# ruff: noqa: PTH207
# Bare system calls: pathlib would add cost and lazy iterators here.
from __future__ import annotations

import glob

BASIC = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
GPU_PATTERNS = ("/dev/nvidia[0-9]*", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools",
                "/dev/nvidia-modeset", "/dev/nvidia-caps", "/dev/dri", "/dev/kfd")  # fmt: skip


def gpu_nodes() -> list[str]:
    """Every node that CUDA or ROCm opens, as far as this machine has them."""
    return [node for pattern in GPU_PATTERNS for node in sorted(glob.glob(pattern))]


def has_gpu() -> bool:
    """Whether a graphics processor that torch can compute on is visible here."""
    return bool(glob.glob("/dev/nvidia[0-9]*") or glob.glob("/dev/kfd"))
