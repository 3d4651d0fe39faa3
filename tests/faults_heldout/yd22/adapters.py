import torch
import torch.nn as nn
import torch.nn.utils.parametrize as parametrize


class RankUpdate(nn.Module):
    def __init__(self, shape, rank, alpha):
        super().__init__()
        self.up = nn.Parameter(torch.zeros(shape[0], rank))
        self.down = nn.Parameter(torch.randn(rank, shape[1]) / shape[1] ** 0.5)
        self.scale = alpha / rank

    def forward(self, w):
        return w + (self.up @ self.down) * self.scale


def adapt(model, rank, alpha):
    """Freeze everything, then give every Linear a trainable low-rank update. Returns the trainable parameters."""
    for p in model.parameters():
        p.requires_grad_(False)
    for m in list(model.modules()):
        if isinstance(m, nn.Linear):
            parametrize.register_parametrization(m, "weight", RankUpdate(m.weight.shape, rank, alpha))
            m.bias.requires_grad_(True)
    return [p for p in model.parameters() if p.requires_grad]
