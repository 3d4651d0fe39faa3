import torch
import torch.nn.functional as F
from torch import nn


class TransE(nn.Module):
    """Translation model trained with 1-vs-all cross-entropy over both ends of a triple."""

    def __init__(self, n_ent, n_rel, dim, norm, sharpness):
        super().__init__()
        self.ent = nn.Embedding(n_ent, dim)
        self.rel = nn.Embedding(n_rel, dim)
        self.norm, self.sharpness = norm, sharpness
        nn.init.uniform_(self.ent.weight, -2.0 / dim, 2.0 / dim)
        nn.init.uniform_(self.rel.weight, -2.0 / dim, 2.0 / dim)

    def all_scores(self, triples):
        h, r, t = triples.unbind(1)
        e, rel = self.ent.weight, self.rel(r)
        tails = -torch.cdist(self.ent(h) + rel, e, p=self.norm) * self.sharpness
        heads = -torch.cdist(self.ent(t) - rel, e, p=self.norm) * self.sharpness
        return tails, heads

    def loss(self, triples):
        tails, heads = self.all_scores(triples)
        return 0.5 * (F.cross_entropy(tails, triples[:, 2]) + F.cross_entropy(heads, triples[:, 0]))

    @torch.no_grad()
    def ranks(self, triples, known):
        h, r, t = triples.unbind(1)
        tails, heads = self.all_scores(triples)
        out = []
        for s, gold, mask in ((tails, t, known[h, r]), (heads, h, known[:, r, t].T)):
            own = s.gather(1, gold[:, None])
            s = s.masked_fill(mask, float("-inf"))
            out.append((s > own).sum(1) + 1)
        return torch.cat(out).float()
