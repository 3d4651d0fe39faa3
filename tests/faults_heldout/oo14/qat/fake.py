import torch
import torch.nn as nn
import torch.nn.functional as F


class RoundSTE(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


def quant_weight(w, bits):
    top = 2 ** (bits - 1) - 1
    scale = w.detach().abs().amax(dim=tuple(range(1, w.dim())), keepdim=True).clamp_min(1e-8) / top
    return RoundSTE.apply(w / scale) * scale


class ActQuant(nn.Module):
    """Unsigned activation quantiser; the range follows the data, then is held."""

    def __init__(self, bits, momentum=0.05):
        super().__init__()
        self.bits, self.momentum = bits, momentum
        self.enabled = False
        self.observe = True
        self.register_buffer("top", torch.tensor(0.0))

    def forward(self, x):
        if self.training and self.observe:
            with torch.no_grad():
                peak = torch.quantile(x.detach().flatten()[::7], 0.999)
                self.top.copy_(peak if self.top == 0 else self.top.lerp(peak, self.momentum))
        if not self.enabled:
            return x
        n = 2 ** self.bits - 1
        step = self.top / n
        return RoundSTE.apply(torch.clamp(x, min=0.0, max=self.top.item()) / step) * step


class QConv(nn.Conv2d):
    bits, enabled = 4, False

    def forward(self, x):
        w = quant_weight(self.weight, self.bits) if self.enabled else self.weight
        return F.conv2d(x, w, self.bias, self.stride, self.padding)


class QLinear(nn.Linear):
    bits, enabled = 4, False

    def forward(self, x):
        return F.linear(x, quant_weight(self.weight, self.bits) if self.enabled else self.weight, self.bias)


def set_quant(model, on, observe=True):
    for m in model.modules():
        if isinstance(m, (QConv, QLinear)):
            m.enabled = on
        elif isinstance(m, ActQuant):
            m.enabled, m.observe = on, observe
