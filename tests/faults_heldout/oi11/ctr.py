import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from tracking import RunLog


class FieldNet(nn.Module):
    def __init__(self, cards, n_num, k=16):
        super().__init__()
        self.wide = nn.ModuleList(nn.Embedding(c, 1) for c in cards)
        self.emb = nn.ModuleList(nn.Embedding(c, k) for c in cards)
        for e in self.emb:
            nn.init.normal_(e.weight, std=0.1)
        self.mlp = nn.Sequential(nn.Linear(k * len(cards) + n_num, 96), nn.ReLU(), nn.Dropout(0.2),
                                 nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, cat, num):
        cols = cat.unbind(1)
        e = [emb(c) for emb, c in zip(self.emb, cols)]
        stack = torch.stack(e, 1)
        fm = 0.5 * (stack.sum(1).pow(2) - stack.pow(2).sum(1)).sum(1)
        lin = sum(w(c) for w, c in zip(self.wide, cols)).squeeze(1)
        return lin + fm + self.mlp(torch.cat(e + [num], 1)).squeeze(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=2)
    ap.add_argument("--batch-size", type=int, default=128)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--log-every", type=int, default=1)
    a = ap.parse_args()
    torch.manual_seed(9)
    d = np.load("clicks.npz")
    cat = torch.from_numpy(d["cat"].astype(np.int64))
    num = torch.from_numpy(d["num"].astype(np.float32))
    y = torch.from_numpy(d["y"].astype(np.float32))
    order = torch.randperm(len(y))
    tr, va = order[2000:], order[:2000]
    model = FieldNet((cat.max(0).values + 1).tolist(), num.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-2)
    log = RunLog()
    step, began = 0, time.perf_counter()
    for epoch in range(a.epochs):
        model.train()
        for idx in tr[torch.randperm(len(tr))].split(a.batch_size):
            loss = F.binary_cross_entropy_with_logits(model(cat[idx], num[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
            if step % a.log_every == 0:
                log.point(step, model, loss=loss.item(), lr=opt.param_groups[0]["lr"])
        model.eval()
        with torch.no_grad():
            v = F.binary_cross_entropy_with_logits(model(cat[va], num[va]), y[va]).item()
        print(f"epoch {epoch} loss {loss.item():.4f} valid logloss {v:.4f} ({time.perf_counter() - began:.1f} s)")


if __name__ == "__main__":
    main()
