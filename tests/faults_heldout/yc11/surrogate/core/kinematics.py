import math

import torch
from torch.utils.data import TensorDataset


def forward_kinematics(q, links):
    """Planar arm: joint angles (N, J) -> end effector position (N, 2)."""
    angle = q.cumsum(1)
    links = torch.tensor(links)
    return torch.stack([(links * angle.cos()).sum(1), (links * angle.sin()).sum(1)], 1)


def make_datasets(spec, generator):
    j = len(spec.links)
    q = (torch.rand(spec.samples, j, generator=generator) - 0.5) * math.pi
    p = forward_kinematics(q, spec.links)
    p = p + spec.noise * torch.randn(p.shape, generator=generator)
    cut = int(0.8 * spec.samples)
    q = q / (math.pi / math.sqrt(12))
    mean, std = p[:cut].mean(0), p[:cut].std(0)
    y = (p - mean) / std
    return TensorDataset(q[:cut], y[:cut]), TensorDataset(q[cut:], y[cut:]), std
