import torch
from torch import nn


class LinearChainCRF(nn.Module):
    """Negative log-likelihood of tag paths; `lengths` marks where each padded night ends."""

    def __init__(self, n_tags):
        super().__init__()
        self.n_tags = n_tags
        self.start = nn.Parameter(torch.zeros(n_tags))
        self.transitions = nn.Parameter(torch.zeros(n_tags, n_tags))   # [from, to]

    def forward(self, emissions, tags, lengths):
        mask = torch.arange(emissions.shape[1])[None] < lengths[:, None]
        nll = self._log_partition(emissions, mask) - self._path_score(emissions, tags, mask)
        return nll.sum() / mask.sum()

    def _path_score(self, emissions, tags, mask):
        emit = emissions.gather(2, tags.unsqueeze(2)).squeeze(2)
        move = self.transitions[tags[:, :-1], tags[:, 1:]]
        return self.start[tags[:, 0]] + (emit * mask).sum(1) + (move * mask[:, 1:]).sum(1)

    def _log_partition(self, emissions, mask):
        alpha = self.start + emissions[:, 0]
        for t in range(1, emissions.shape[1]):
            step = torch.logsumexp(alpha.unsqueeze(2) + self.transitions, dim=1) + emissions[:, t]
            alpha = torch.where(mask[:, t, None], step, alpha)
        return torch.logsumexp(alpha, dim=1)

    @torch.no_grad()
    def decode(self, emissions, lengths):
        paths = []
        for e, n in zip(emissions, lengths.tolist()):
            score, back = self.start + e[0], []
            for t in range(1, n):
                best, arg = (score.unsqueeze(1) + self.transitions).max(0)
                score = best + e[t]
                back.append(arg)
            path = [int(score.argmax())]
            for arg in reversed(back):
                path.append(int(arg[path[-1]]))
            paths.append(torch.tensor(path[::-1]))
        return paths
