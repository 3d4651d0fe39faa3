import tomllib
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split


class KnockNet(nn.Module):
    def __init__(self, ch, k, n_out):
        super().__init__()
        self.c1 = nn.Conv1d(1, ch, k, stride=2, padding=k // 2)
        self.c2 = nn.Conv1d(ch, ch * 2, k, stride=2, padding=k // 2)
        self.c3 = nn.Conv1d(ch * 2, ch * 2, 3, padding=1)
        self.out = nn.Linear(ch * 2, n_out)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        x = F.relu(self.c3(x))
        return self.out(x.mean(-1))


def load_clips(opts):
    z = np.load(opts["file"])
    wav = z["wav"].astype(np.float32) / 127.0
    s, n = opts["frame_start"], opts["frame_length"]
    wav = wav[:, s:s + n]
    wav = wav - wav.mean(1, keepdims=True)
    wav = wav / (wav.std(1, keepdims=True) + 1e-4)
    return torch.from_numpy(wav)[:, None], torch.from_numpy(z["kind"].astype(np.int64)), [str(v) for v in z["names"]]


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    hit = tot = 0
    ce = 0.0
    for x, y in loader:
        o = model(x)
        ce += F.cross_entropy(o, y, reduction="sum").item()
        hit += (o.argmax(1) == y).sum().item()
        tot += len(y)
    return ce / tot, hit / tot


def main():
    cfg = tomllib.loads(Path("settings.toml").read_text())
    torch.manual_seed(cfg["fit"]["seed"])
    x, y, names = load_clips(cfg["clips"])
    data = TensorDataset(x, y)
    n_val = len(data) // 4
    train, val = random_split(data, [len(data) - n_val, n_val])
    tl = DataLoader(train, batch_size=cfg["fit"]["batch"], shuffle=True)
    vl = DataLoader(val, batch_size=128)
    model = KnockNet(cfg["model"]["channels"], cfg["model"]["kernel"], len(names))
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["fit"]["lr"])
    for ep in range(cfg["fit"]["epochs"]):
        model.train()
        run = 0.0
        for xb, yb in tl:
            loss = F.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item()
        vl_loss, vl_acc = evaluate(model, vl)
        print(f"epoch {ep:2d}  train_ce {run / len(tl):.4f}  val_ce {vl_loss:.4f}  val_acc {vl_acc:.3f}")


if __name__ == "__main__":
    main()
