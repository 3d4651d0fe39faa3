import math

import torch

LINKS = (0.4, 0.35, 0.25)


def forward_kinematics(q):
    """q: base yaw and three pitch joints -> x, y, z of the tool."""
    reach = torch.zeros(len(q))
    height = torch.full((len(q),), 0.1)
    pitch = torch.zeros(len(q))
    for i, length in enumerate(LINKS):
        pitch = pitch + q[:, i + 1]
        reach = reach + length * torch.cos(pitch)
        height = height + length * torch.sin(pitch)
    return torch.stack([reach * torch.cos(q[:, 0]), reach * torch.sin(q[:, 0]), height], dim=1)


def sample_poses(n, noise, generator):
    low = torch.tensor([-math.pi * 0.8, -0.3, -1.6, -1.6])
    high = torch.tensor([math.pi * 0.8, 1.6, 1.6, 1.6])
    unit = torch.rand(n, 4, generator=generator)
    q = low + (high - low) * unit
    xyz = forward_kinematics(q)
    xyz = xyz + noise * torch.randn(xyz.shape, generator=generator)
    return unit * 2 - 1, xyz
