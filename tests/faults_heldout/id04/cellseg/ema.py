import copy
import torch


class Ema:
    """Shadow copy of the weights; the decay ramps up so that the first steps do not linger."""

    def __init__(self, model, decay=0.95):
        self.model = copy.deepcopy(model).eval()
        for p in self.model.parameters():
            p.requires_grad_(False)
        self.decay = decay
        self.n = 0

    @torch.no_grad()
    def update(self, source):
        self.n += 1
        d = min(self.decay, (1 + self.n) / (10 + self.n))
        for s, p in zip(self.model.parameters(), source.parameters()):
            s.mul_(d).add_(p, alpha=1 - d)
        for s, b in zip(self.model.buffers(), source.buffers()):
            s.copy_(b)
