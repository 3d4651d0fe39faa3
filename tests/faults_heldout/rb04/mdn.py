import torch
from torch import nn
from torch.distributions import Categorical, MixtureSameFamily, Normal


class MixtureDensityNet(nn.Module):
    """p(log travel time | trip) as a mixture of Gaussians."""

    def __init__(self, inputs: int, width: int, components: int):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.heads = nn.Linear(width, 3 * components)

    def forward(self, x) -> MixtureSameFamily:
        logits, loc, log_scale = self.heads(self.trunk(x)).chunk(3, dim=-1)
        scale = log_scale.clamp(-5.0, 3.0).exp()
        return MixtureSameFamily(Categorical(logits=logits), Normal(loc, scale), validate_args=False)
