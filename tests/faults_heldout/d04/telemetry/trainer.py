import torch
import torch.nn.functional as F

from .stream import chunks


class StreamTrainer:
    """Truncated BPTT over parallel telemetry streams."""

    def __init__(self, model, lr=1e-2, span=40, clip=1.0):
        self.model, self.span, self.clip = model, span, clip
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)

    def _advance(self, x, y, state):
        pred, state = self.model(x, state)
        loss = F.mse_loss(pred, y)
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.opt.step()
        return loss.item(), state.detach()

    def epoch(self, x, y):
        self.model.train()
        losses = []
        for cx, cy in chunks(x, y, self.span):
            state = None
            value, state = self._advance(cx, cy, state)
            losses.append(value)
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self, x, y):
        self.model.eval()
        pred, _ = self.model(x)
        return F.mse_loss(pred, y).item()
