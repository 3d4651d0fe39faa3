import torch
from torch import nn


class LinearChainCRF(nn.Module):
    """Emissions (B, T, K), mask (B, T) with True on real tokens (always a prefix)."""

    def __init__(self, n_tags):
        super().__init__()
        self.trans = nn.Parameter(torch.zeros(n_tags, n_tags))   # trans[i, j]: from i to j
        self.start = nn.Parameter(torch.zeros(n_tags))
        self.stop = nn.Parameter(torch.zeros(n_tags))

    def _gold(self, emit, tags, mask):
        m = mask.float()
        e = emit.gather(2, tags.unsqueeze(2)).squeeze(2)
        score = self.start[tags[:, 0]] + (e * m).sum(1)
        score = score + (self.trans[tags[:, :-1], tags[:, 1:]] * m[:, 1:]).sum(1)
        last = tags.gather(1, (mask.sum(1) - 1).unsqueeze(1)).squeeze(1)
        return score + self.stop[last]

    def _partition(self, emit, mask):
        alpha = self.start + emit[:, 0]
        for t in range(1, emit.shape[1]):
            nxt = torch.logsumexp(alpha.unsqueeze(2) + self.trans, dim=1) + emit[:, t]
            alpha = torch.where(mask[:, t:t + 1], nxt, alpha)
        return torch.logsumexp(alpha + self.stop, dim=1)

    def nll(self, emit, tags, mask):
        return (self._partition(emit, mask) - self._gold(emit, tags, mask)).mean()

    @torch.no_grad()
    def decode(self, emit, mask):
        lengths = mask.sum(1).tolist()
        out = []
        for b, n in enumerate(lengths):
            score, back = self.start + emit[b, 0], []
            for t in range(1, n):
                best, arg = (score.unsqueeze(1) + self.trans).max(0)
                score = best + emit[b, t]
                back.append(arg)
            tag = int((score + self.stop).argmax())
            path = [tag]
            for arg in reversed(back):
                tag = int(arg[tag])
                path.append(tag)
            out.append(path[::-1])
        return out
