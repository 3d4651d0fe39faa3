import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Forecaster(nn.Module):
    """Residual MLP mapping a context window to the next `horizon` values."""

    def __init__(self, context, horizon, width=64, depth=3):
        super().__init__()
        self.inp = nn.Linear(context, width)
        self.blocks = nn.Sequential(*[Block(width) for _ in range(depth)])
        self.out = nn.Linear(width, horizon)

    def forward(self, x):
        return self.out(self.blocks(self.inp(x)))


def orthogonal_weights(model, gain=0.8):
    for module in model.modules():
        if isinstance(module, nn.Linear):
            w = torch.empty_like(module.weight)
            nn.init.orthogonal_(w, gain)
            module.weight = nn.Parameter(w)
            nn.init.zeros_(module.bias)
    return model
