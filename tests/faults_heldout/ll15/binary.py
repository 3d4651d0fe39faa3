import torch
import torch.nn as nn


class SignThrough(torch.autograd.Function):
    """sign() forward; backward passes the gradient where the latent weight is inside [-1, 1]."""

    @staticmethod
    def forward(ctx, w):
        ctx.save_for_backward(w)
        return torch.where(w >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        return g * (w.abs() <= 1).to(g.dtype)


class BinaryLinear(nn.Module):
    """Linear layer whose weights are +-1 times one scale per output."""

    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(o, i).uniform_(-0.3, 0.3))
        self.scale = nn.Parameter(torch.full((o, 1), i ** -0.5))
        self.bias = nn.Parameter(torch.zeros(o))

    def forward(self, x):
        return nn.functional.linear(x, SignThrough.apply(self.weight) * self.scale, self.bias)

    @torch.no_grad()
    def clip(self):
        self.weight.clamp_(-1, 1)


class BinaryStudent(nn.Module):
    def __init__(self, width=160):
        super().__init__()
        self.first = BinaryLinear(64, width)
        self.norm1 = nn.BatchNorm1d(width)
        self.second = BinaryLinear(width, width)
        self.norm2 = nn.BatchNorm1d(width)
        self.out = nn.Linear(width, 10)

    def forward(self, x):
        h = torch.relu(self.norm1(self.first(x.flatten(1))))
        h = torch.relu(self.norm2(self.second(h)))
        return self.out(h)

    def clip(self):
        self.first.clip()
        self.second.clip()

    def size_in_bits(self):
        binary = self.first.weight.numel() + self.second.weight.numel()
        rest = sum(p.numel() for p in self.parameters()) - binary
        return binary + 32 * rest
