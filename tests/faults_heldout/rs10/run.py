import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from sess.data import collate, load_sessions
from sess.model import SessionScorer


@torch.no_grad()
def validate(model, loader):
    model.eval()
    se, n = 0.0, 0
    for b in loader:
        p = model(b)
        se += F.mse_loss(p, b["score"], reduction="sum").item()
        n += len(p)
    return se / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--file", default="sessions.jsonl")
    p.add_argument("--vocab", type=int, default=61)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--seed", type=int, default=4)
    a = p.parse_args()

    torch.manual_seed(a.seed)
    train, val = load_sessions(a.file, a.seed)
    train_dl = DataLoader(train, a.batch_size, shuffle=True, collate_fn=collate)
    val_dl = DataLoader(val, a.batch_size, collate_fn=collate)
    model = SessionScorer(a.vocab)
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * len(train_dl))
    ys = torch.tensor([s["score"] for s in val])
    print("validation variance %.4f" % ys.var().item())
    for ep in range(a.epochs):
        model.train()
        run = 0.0
        for b in train_dl:
            loss = F.mse_loss(model(b), b["score"])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            run += loss.item() * len(b["score"])
        if ep % 2 == 1:
            print(f"epoch {ep + 1:2d}  train mse {run / len(train):.4f}  val mse {validate(model, val_dl):.4f}")


if __name__ == "__main__":
    main()
