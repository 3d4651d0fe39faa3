import json
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CFG = SimpleNamespace(**json.load(open("audio_cfg.json")))


class ClipNet(nn.Module):
    def __init__(self, bands, frames, hidden, classes):
        super().__init__()
        self.net = nn.Sequential(
            nn.Flatten(),
            nn.Linear(bands * frames, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(0.2),
            nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
        )
        self.classifier = nn.Linear(hidden, classes)

    def forward(self, x):
        return self.classifier(self.net(x))


def load():
    z = np.load(CFG.file)
    x, y = torch.from_numpy(z["mel"]).float(), torch.from_numpy(z["cls"]).long()
    g = torch.Generator().manual_seed(CFG.seed)
    p = torch.randperm(len(x), generator=g)
    tr, va = p[:500], p[500:]
    mu, sd = x[tr].mean((0, 2), keepdim=True), x[tr].std((0, 2), keepdim=True)
    x = (x - mu) / sd
    return TensorDataset(x[tr], y[tr]), TensorDataset(x[va], y[va]), x.shape[1:]


def evaluate(model, ds):
    model.eval()
    x, y = ds.tensors
    with torch.no_grad():
        out = model(x)
    return nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(CFG.seed)
    train_ds, val_ds, shape = load()
    loader = DataLoader(train_ds, batch_size=CFG.batch_size, shuffle=True, drop_last=True)
    model = ClipNet(*shape, CFG.hidden, 3)
    optim = torch.optim.Adam(model.parameters(), lr=CFG.lr, weight_decay=1e-4)
    for epoch in range(CFG.epochs):
        model.train()
        losses = []
        for x, y in loader:
            optim.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optim.step()
            losses.append(loss.item())
        vl, va = evaluate(model, val_ds)
        print(f"epoch {epoch + 1}/{CFG.epochs} train {np.mean(losses):.3f} val {vl:.3f} acc {va:.3f}")


main()
