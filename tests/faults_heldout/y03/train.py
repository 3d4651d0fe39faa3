"""Topic classifier for short support messages (pre-tokenised)."""
import os
import time

import numpy as np
import torch
from torch import nn

ROOT = os.path.dirname(os.path.abspath(__file__))


class Messages(torch.utils.data.Dataset):
    def __init__(self, name):
        z = np.load(os.path.join(ROOT, name))
        self.flat = torch.from_numpy(z["tokens"].astype(np.int64))
        self.start = z["start"]
        self.y = torch.from_numpy(z["topic"].astype(np.int64))

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.flat[self.start[i]:self.start[i + 1]], self.y[i]


def collate(items):
    toks, ys = zip(*items)
    lengths = torch.tensor([0] + [len(t) for t in toks[:-1]])
    return torch.cat(toks), lengths.cumsum(0), torch.stack(ys)


class TopicNet(nn.Module):
    def __init__(self, vocab, dim, topics):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.drop = nn.Dropout(0.2)
        self.ff = nn.Sequential(nn.Linear(dim, 48), nn.ReLU(), nn.Linear(48, topics))

    def forward(self, tokens, offsets):
        return self.ff(self.drop(self.bag(tokens, offsets)))


class Trainer:
    def __init__(self, model, train, valid, lr=3e-3, batch=64):
        self.model = model
        self.crit = nn.CrossEntropyLoss()
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)
        mk = lambda ds, sh: torch.utils.data.DataLoader(ds, batch, shuffle=sh, collate_fn=collate)
        self.train_dl, self.valid_dl = mk(train, True), mk(valid, False)

    def fit(self, epochs):
        for ep in range(1, epochs + 1):
            t0 = time.time()
            tl = self._train_epoch()
            vl, acc = self._validate()
            print("[%02d] train %.3f | valid %.3f | acc %.3f | %.1fs" % (ep, tl, vl, acc, time.time() - t0))

    def _train_epoch(self):
        self.model.train()
        losses = []
        for tok, off, y in self.train_dl:
            self.opt.zero_grad(set_to_none=True)
            loss = self.crit(self.model(tok, off), y)
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def _validate(self):
        self.model.eval()
        n = hit = tot = 0
        for tok, off, y in self.valid_dl:
            out = self.model(tok, off)
            tot += self.crit(out, y).item() * len(y)
            hit += (out.argmax(-1) == y).sum().item()
            n += len(y)
        return tot / n, hit / n


if __name__ == "__main__":
    torch.manual_seed(3)
    tr, va = Messages("train.npz"), Messages("valid.npz")
    net = TopicNet(vocab=1200, dim=32, topics=6)
    Trainer(net, tr, va).fit(epochs=9)
