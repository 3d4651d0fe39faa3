import torch
from torch import nn


class LinearChainCRF(nn.Module):
    def __init__(self, n_tags):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(n_tags))
        self.end = nn.Parameter(torch.zeros(n_tags))
        self.trans = nn.Parameter(torch.zeros(n_tags, n_tags))

    def forward(self, emit, tags, mask):
        """mean negative log-likelihood of the gold paths; emit (B, T, C), mask (B, T) bool"""
        return (self._log_z(emit, mask) - self._gold(emit, tags, mask)).mean()

    def _gold(self, emit, tags, mask):
        m = mask.float()
        e = emit.gather(2, tags[..., None]).squeeze(2)
        t = self.trans[tags[:, :-1], tags[:, 1:]]
        last = tags.gather(1, mask.sum(1, keepdim=True) - 1).squeeze(1)
        return self.start[tags[:, 0]] + (e * m).sum(1) + (t * m[:, 1:]).sum(1) + self.end[last]

    def _log_z(self, emit, mask):
        alpha = self.start + emit[:, 0]
        for i in range(1, emit.shape[1]):
            nxt = torch.logsumexp(alpha[:, :, None] + self.trans, 1) + emit[:, i]
            alpha = torch.where(mask[:, i, None], nxt, alpha)
        return torch.logsumexp(alpha + self.end, 1)

    @torch.no_grad()
    def decode(self, emit, mask):
        score = self.start + emit[:, 0]
        back = []
        for i in range(1, emit.shape[1]):
            best, arg = (score[:, :, None] + self.trans).max(1)
            back.append(arg)
            score = torch.where(mask[:, i, None], best + emit[:, i], score)
        lengths = mask.sum(1).tolist()
        final = (score + self.end).argmax(1).tolist()
        paths = []
        for b, n in enumerate(lengths):
            path = [final[b]]
            for step in reversed(back[: n - 1]):
                path.append(step[b, path[-1]].item())
            paths.append(path[::-1])
        return paths
