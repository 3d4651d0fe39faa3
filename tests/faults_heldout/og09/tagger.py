from pathlib import Path

import numpy as np
import torch
import yaml
from torch import nn

from attention import Block


class LogTagger(nn.Module):
    """Tags every event of a machine log; the header event says which machine wrote it."""

    def __init__(self, c, length):
        super().__init__()
        self.tok = nn.Embedding(c["vocab"], c["dim"])
        self.pos = nn.Parameter(torch.randn(length, c["dim"]) * 0.02)
        self.blocks = nn.ModuleList([Block(c["dim"], c["heads"]) for _ in range(c["layers"])])
        self.norm = nn.LayerNorm(c["dim"])
        self.cls = nn.Linear(c["dim"], c["tags"])

    def forward(self, ids):
        h = self.tok(ids) + self.pos
        for blk in self.blocks:
            h = blk(h)
        return self.cls(self.norm(h))


def batches(x, y, size):
    for idx in torch.randperm(len(x)).split(size):
        yield x[idx], y[idx]


def main():
    c = yaml.safe_load(Path("config.yaml").read_text())
    torch.manual_seed(c["seed"])
    z = np.load("events.npz")
    x, y = torch.from_numpy(z["events"]).long(), torch.from_numpy(z["tags"]).long()
    k = int(0.8 * len(x))
    model = LogTagger(c, x.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=c["lr"])
    steps = c["epochs"] * -(-k // c["batch"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, c["lr"], total_steps=steps, pct_start=0.15)
    ce = nn.CrossEntropyLoss()
    for epoch in range(1, c["epochs"] + 1):
        model.train()
        losses = []
        for bx, by in batches(x[:k], y[:k], c["batch"]):
            loss = ce(model(bx).transpose(1, 2), by)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        model.eval()
        with torch.no_grad():
            out = model(x[k:])
            dev = ce(out.transpose(1, 2), y[k:]).item()
            acc = (out.argmax(-1) == y[k:]).float().mean().item()
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}, dev loss {dev:.4f}, dev acc {acc:.3f}")


if __name__ == "__main__":
    main()
