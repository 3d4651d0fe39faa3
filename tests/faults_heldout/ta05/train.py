"""Variable-shadowing checker: for each identifier token in a line of code,
tell whether the same identifier occurs anywhere else in that line."""
import random

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from attention import LineTagger

NAMES = list("abcdefghijklmnopqrstuvwxyz") + ["foo", "bar", "tmp", "idx", "buf", "ctx"]
LINE_LEN = 24


class LineDataset(Dataset):
    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.rows = [[rng.randrange(len(NAMES)) for _ in range(LINE_LEN)] for _ in range(n)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        ids = self.rows[i]
        tags = [int(ids.count(t) > 1) for t in ids]
        return torch.tensor(ids), torch.tensor(tags)


def evaluate(model, loader):
    model.eval()
    hit = count = 0
    with torch.no_grad():
        for ids, tags in loader:
            hit += (model(ids).argmax(-1) == tags).sum().item()
            count += tags.numel()
    model.train()
    return hit / count


def main():
    torch.manual_seed(17)
    train = DataLoader(LineDataset(6000, 1), batch_size=64, shuffle=True, drop_last=True)
    valid = DataLoader(LineDataset(600, 2), batch_size=200)
    model = LineTagger(len(NAMES), LINE_LEN)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
    total_steps = 7 * len(train)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=3e-3, total_steps=total_steps, pct_start=0.15)
    for epoch in range(7):
        total = 0.0
        for ids, tags in train:
            loss = F.cross_entropy(model(ids).transpose(1, 2), tags)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item()
        print(f"epoch {epoch}: loss={total / len(train):.4f} val_acc={evaluate(model, valid):.4f}")


if __name__ == "__main__":
    main()
