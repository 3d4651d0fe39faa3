from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from model import StockReader


@dataclass
class Config:
    epochs: int = 7
    batch_size: int = 64
    lr: float = 2e-3
    n_train: int = 3000
    seed: int = 2


def main(c=Config()):
    torch.manual_seed(c.seed)
    z = np.load(Path(__file__).with_name("lookups.npz"))
    cols = [torch.from_numpy(z[k]).long() for k in ("items", "bins", "query", "answer")]
    train_set = TensorDataset(*(t[: c.n_train] for t in cols))
    test_set = TensorDataset(*(t[c.n_train:] for t in cols))
    train = DataLoader(train_set, batch_size=c.batch_size, shuffle=True, drop_last=True)
    test = DataLoader(test_set, batch_size=100)
    model = StockReader(int(cols[0].max()) + 1, int(cols[1].max()) + 1)
    opt = torch.optim.AdamW(model.parameters(), lr=c.lr, weight_decay=0.01)
    steps = c.epochs * len(train)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=c.lr, total_steps=steps, pct_start=0.1)
    for epoch in range(1, c.epochs + 1):
        model.train()
        acc_loss = 0.0
        for items, bins, query, answer in train:
            loss = F.cross_entropy(model(items, bins, query), answer)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            acc_loss += loss.item()
        model.eval()
        with torch.no_grad():
            out = [(model(i, b, q), a) for i, b, q, a in test]
        logits, answers = (torch.cat(t) for t in zip(*out))
        print(f"{epoch:2d} train={acc_loss / len(train):.4f} test={F.cross_entropy(logits, answers).item():.4f} "
              f"hit={(logits.argmax(1) == answers).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
