import torch
from torch import nn


class LinearChainCRF(nn.Module):
    """Masks are True on real tokens; every sequence has at least one token."""

    def __init__(self, n_tags):
        super().__init__()
        self.start = nn.Parameter(torch.zeros(n_tags))
        self.end = nn.Parameter(torch.zeros(n_tags))
        self.trans = nn.Parameter(0.1 * torch.randn(n_tags, n_tags))     # [from, to]

    def path_score(self, emit, tags, mask):
        m = mask.float()
        score = self.start[tags[:, 0]] + (emit.gather(2, tags.unsqueeze(2)).squeeze(2) * m).sum(1)
        score = score + (self.trans[tags[:, :-1], tags[:, 1:]] * m[:, 1:]).sum(1)
        last = tags.gather(1, mask.sum(1, keepdim=True) - 1).squeeze(1)
        return score + self.end[last]

    def log_partition(self, emit, mask):
        alpha = self.start + emit[:, 0]
        for t in range(1, emit.size(1)):
            step = torch.logsumexp(alpha.unsqueeze(2) + self.trans, dim=1) + emit[:, t]
            alpha = torch.where(mask[:, t, None], step, alpha)
        return torch.logsumexp(alpha + self.end, dim=1)

    def nll(self, emit, tags, mask):
        return (self.log_partition(emit, mask) - self.path_score(emit, tags, mask)).mean()

    @torch.no_grad()
    def viterbi(self, emit, mask):
        best = self.start + emit[:, 0]
        back = []
        keep = torch.arange(best.size(1)).expand_as(best)
        for t in range(1, emit.size(1)):
            score, ptr = (best.unsqueeze(2) + self.trans).max(dim=1)
            live = mask[:, t, None]
            best = torch.where(live, score + emit[:, t], best)
            back.append(torch.where(live, ptr, keep))
        tag = (best + self.end).argmax(1)
        path = [tag]
        for ptr in reversed(back):
            tag = ptr.gather(1, tag.unsqueeze(1)).squeeze(1)
            path.append(tag)
        return torch.stack(path[::-1], dim=1)
