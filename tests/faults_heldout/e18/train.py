import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from schedule import warmup_cosine

with open(Path(__file__).with_name("config.toml"), "rb") as f:
    cfg = tomllib.load(f)


class RowTransformer(nn.Module):
    """Each of the eight pixel rows is one token."""

    def __init__(self, d=48, heads=4, layers=1):
        super().__init__()
        self.inp = nn.Linear(8, d)
        self.pos = nn.Parameter(torch.randn(1, 8, d) * 0.02)
        layer = nn.TransformerEncoderLayer(d, heads, 2 * d, dropout=0.1, batch_first=True, norm_first=True)
        self.enc = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 10))

    def forward(self, x):
        return self.head(self.enc(self.inp(x) + self.pos).mean(1))


class Trainer:
    def __init__(self, model, train, val, d, o):
        self.model, self.val, self.accumulate, self.epochs = model, val, d["accumulate"], o["epochs"]
        self.loader = DataLoader(train, batch_size=d["micro_batch"], shuffle=True, drop_last=True)
        self.opt = torch.optim.AdamW(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
        total = o["epochs"] * len(self.loader)
        self.sched = warmup_cosine(self.opt, o["warmup_steps"], total)
        self.updates = 0

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for i, (x, y) in enumerate(self.loader, 1):
            loss = F.cross_entropy(self.model(x), y)
            (loss / self.accumulate).backward()
            total += loss.item()
            if i % self.accumulate == 0 or i == len(self.loader):
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                self.sched.step()
                self.opt.zero_grad(set_to_none=True)
                self.updates += 1
        return total / len(self.loader)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        x, y = self.val
        return (self.model(x).argmax(1) == y).float().mean().item()

    def fit(self):
        for ep in range(self.epochs):
            loss = self.train_epoch()
            if ep % 3 == 1:
                print(f"epoch {ep + 1} updates {self.updates} lr {self.opt.param_groups[0]['lr']:.2e} loss {loss:.4f} val acc {self.validate():.4f}")


def main():
    torch.manual_seed(2)
    dg = load_digits()
    x, y = torch.tensor(dg.images, dtype=torch.float32) / 16, torch.tensor(dg.target)
    perm = torch.randperm(len(x))
    tr, va = perm[:cfg["data"]["train_size"]], perm[cfg["data"]["train_size"]:]
    Trainer(RowTransformer(), TensorDataset(x[tr], y[tr]), (x[va], y[va]), cfg["data"], cfg["optim"]).fit()


if __name__ == "__main__":
    main()
