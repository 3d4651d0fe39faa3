from dataclasses import dataclass

import torch


@dataclass
class Arm:
    """Planar arm with three joints."""

    lengths: tuple = (0.5, 0.4, 0.25)
    limits: tuple = ((0.2, 2.6), (-2.2, 2.2), (-0.6, 0.6))
    encoder_noise: float = 0.01

    def sample(self, n):
        low, high = torch.tensor(self.limits).T
        return low + (high - low) * torch.rand(n, len(self.lengths))

    def tip(self, joints):
        angle = joints.cumsum(-1)
        lengths = torch.tensor(self.lengths)
        return torch.stack([(lengths * angle.cos()).sum(-1), (lengths * angle.sin()).sum(-1), angle[..., -1]], -1)

    def dataset(self, n):
        """Pose of the tip (x, y, heading) -> joint angles as read by the encoders."""
        joints = self.sample(n)
        return self.tip(joints), joints + self.encoder_noise * torch.randn_like(joints)
