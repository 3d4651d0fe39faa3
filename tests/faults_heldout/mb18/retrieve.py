import json
import logging

import torch
import torch.nn.functional as F
from torch import nn

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("retrieve")


class Tower(nn.Module):
    """Weighted bag of words: a gate says how much each word matters."""

    def __init__(self, n_words, dim):
        super().__init__()
        self.word = nn.Embedding(n_words, dim, padding_idx=0)
        self.gate = nn.Embedding(n_words, 1, padding_idx=0)
        nn.init.normal_(self.word.weight, std=0.3)
        nn.init.zeros_(self.gate.weight)
        self.mix = nn.Linear(dim, dim)

    def forward(self, ids):
        w = self.gate(ids).masked_fill((ids == 0).unsqueeze(-1), float("-inf")).softmax(1)
        h = (w * self.word(ids)).sum(1)
        return F.normalize(self.mix(h), dim=-1)


class Retriever(nn.Module):
    def __init__(self, n_query_words, n_doc_words, dim=24):
        super().__init__()
        self.query, self.doc = Tower(n_query_words, dim), Tower(n_doc_words, dim)
        self.log_scale = nn.Parameter(torch.tensor(2.3))

    def forward(self, q, d):
        return self.query(q) @ self.doc(d).T * self.log_scale.clamp(max=4.0).exp()


def index_of(texts):
    return {w: i + 1 for i, w in enumerate(sorted({w for t in texts for w in t.split()}))}


def to_ids(texts, index):
    rows = [[index[w] for w in t.split() if w in index] for t in texts]
    width = max(map(len, rows))
    return torch.tensor([r + [0] * (width - len(r)) for r in rows])


def contrast(scores):
    labels = torch.arange(len(scores))
    return 0.5 * (F.cross_entropy(scores, labels) + F.cross_entropy(scores.T, labels))


@torch.no_grad()
def evaluate(model, q, d):
    model.eval()
    scores = model(q, d)
    own = scores.diagonal().unsqueeze(1)
    rank = (scores > own).sum(1) + 1
    loss = torch.stack([contrast(model(a, b)) for a, b in zip(q.split(100), d.split(100))]).mean()
    return loss.item(), (rank == 1).float().mean().item(), (1 / rank).mean().item()


def main(epochs=25, batch=100, lr=1e-2):
    torch.manual_seed(77)
    pairs = [json.loads(line) for line in open("pairs.jsonl")]
    train, val, test = pairs[:2400], pairs[2400:2700], pairs[2700:]
    qi, di = index_of(p["q"] for p in train), index_of(p["d"] for p in train)
    q, d = to_ids([p["q"] for p in train], qi), to_ids([p["d"] for p in train], di)
    held = {name: (to_ids([p["q"] for p in part], qi), to_ids([p["d"] for p in part], di))
            for name, part in (("val", val), ("test", test))}
    model = Retriever(len(qi) + 1, len(di) + 1)
    opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.1)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * (len(q) // batch))

    for epoch in range(1, epochs + 1):
        model.train()
        losses = []
        for idx in torch.randperm(len(q)).split(batch):
            loss = contrast(model(q[idx], d[idx]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        if epoch % 5 == 0:
            log.info("epoch %d loss %.3f | val loss %.3f recall@1 %.3f mrr %.3f", epoch, sum(losses) / len(losses),
                     *evaluate(model, *held["val"]))
    log.info("test loss %.3f recall@1 %.3f mrr %.3f, among %d", *evaluate(model, *held["test"]), len(test))


if __name__ == "__main__":
    main()
