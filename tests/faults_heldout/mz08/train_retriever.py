import torch
import torch.nn as nn
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from torch.utils.data import DataLoader, TensorDataset

from corpus import WORDS, build


class Tower(nn.Module):
    def __init__(self, n_words, dim=48, out=32):
        super().__init__()
        self.words = nn.EmbeddingBag(n_words + 1, dim, mode="mean", padding_idx=0)
        self.proj = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, out))

    def forward(self, ids):
        return self.proj(self.words(ids))


class CosineScorer(nn.Module):
    """score(query, document) for every pair, scaled cosine."""

    def __init__(self, scale=14.0):
        super().__init__()
        self.scale = scale

    def forward(self, query, document):
        return self.scale * F.normalize(query, dim=-1) @ F.normalize(document, dim=-1).T


class Retriever(nn.Module):
    def __init__(self, n_words):
        super().__init__()
        self.query, self.document = Tower(n_words), Tower(n_words)
        self.scorer = CosineScorer()

    def forward(self, q, d):
        return self.scorer(self.query(q), self.document(d))


def in_batch_loss(scores, doc_ids):
    # another ticket in the batch may belong to the same article: that is no negative
    same = doc_ids.unsqueeze(0) == doc_ids.unsqueeze(1)
    same.fill_diagonal_(False)
    return F.cross_entropy(scores.masked_fill(same, -1e4), torch.arange(len(scores), device=scores.device))


@torch.no_grad()
def evaluate(model, docs, loader):
    model.eval()
    d = model.document(docs)
    rr = hit = n = 0
    for q, target in loader:
        s = model.scorer(model.query(q), d)
        rank = (s > s.gather(1, target.unsqueeze(1))).sum(1) + 1
        rr += (1.0 / rank).sum().item()
        hit += (rank <= 5).sum().item()
        n += len(q)
    return rr / n, hit / n


def main(seed=21, epochs=12):
    set_seed(seed)
    acc = Accelerator(cpu=True)
    docs, train_rows, test_rows = build(8000, 1000, seed=4)
    docs = torch.tensor(docs)
    pack = lambda rows: TensorDataset(torch.tensor([r[0] for r in rows]), torch.tensor([r[1] for r in rows]))
    train_loader = DataLoader(pack(train_rows), batch_size=64, shuffle=True, drop_last=True)
    test_loader = DataLoader(pack(test_rows), batch_size=250)

    model = Retriever(len(WORDS))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    model, optimizer, train_loader, test_loader = acc.prepare(model, optimizer, train_loader, test_loader)
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for q, target in train_loader:
            optimizer.zero_grad()
            loss = in_batch_loss(model(q, docs[target]), target)
            acc.backward(loss)
            optimizer.step()
            total += loss.item()
        mrr, r5 = evaluate(model, docs, test_loader)
        acc.print(f"epoch {epoch:2d}  loss {total / len(train_loader):.3f}  MRR {mrr:.3f}  recall@5 {r5:.3f}")


if __name__ == "__main__":
    main()
