# Adapt the rig-A bearing classifier to rig B (few labelled windows available).
import json
import pathlib
import sys

import numpy as np
import torch
from torch import nn

root = pathlib.Path(__file__).parent
hp = json.loads((root / "hparams.json").read_text())
if len(sys.argv) > 1:
    hp["seed"] = int(sys.argv[1])
torch.manual_seed(hp["seed"])


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv1d(1, 16, 9, padding=4), nn.BatchNorm1d(16), nn.ReLU(), nn.MaxPool1d(2))
        self.mid = nn.Sequential(nn.Conv1d(16, 24, 9, padding=4), nn.BatchNorm1d(24), nn.ReLU(), nn.MaxPool1d(2))
        self.top = nn.Sequential(nn.Conv1d(24, 32, 15, padding=7), nn.BatchNorm1d(32), nn.ReLU())

    def forward(self, x):
        f = self.top(self.mid(self.stem(x)))
        return torch.cat([f.mean(-1), f.amax(-1)], 1)


class Classifier(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.encoder = Encoder()
        self.fc = nn.Linear(64, n)

    def forward(self, x):
        return self.fc(self.encoder(x))


def windows(split):
    z = np.load(root / "rig_b.npz")
    x = z[f"x_{split}"].astype(np.float32)
    x = (x - x.mean(1, keepdims=True)) / x.std(1, keepdims=True)
    return torch.from_numpy(x)[:, None], torch.from_numpy(z[f"y_{split}"].astype(np.int64))


model = Classifier(4)
state = torch.load(root / "rig_a.pt", map_location="cpu")["state_dict"]
state = {k: v for k, v in state.items() if not k.endswith(("fc.weight", "fc.bias"))}
model.load_state_dict(state, strict=False)

xtr, ytr = windows("train")
xte, yte = windows("test")
opt = torch.optim.AdamW([
    {"params": model.encoder.parameters(), "lr": hp["encoder_lr"]},
    {"params": model.fc.parameters(), "lr": hp["head_lr"]},
], weight_decay=hp["weight_decay"])
criterion = nn.CrossEntropyLoss()

for epoch in range(hp["epochs"]):
    model.train()
    seen = 0.0
    for b in torch.randperm(len(xtr)).split(hp["batch_size"]):
        # random circular shift, windows have no preferred phase
        xb = torch.roll(xtr[b], int(torch.randint(0, 256, ())), dims=-1)
        loss = criterion(model(xb), ytr[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += loss.item() * len(b)
    if epoch % 3 == 2:
        model.eval()
        with torch.no_grad():
            z = model(xte)
        print(f"epoch {epoch + 1:2d}: train loss {seen / len(xtr):.3f}  test loss {criterion(z, yte):.3f}  "
              f"test acc {(z.argmax(1) == yte).float().mean():.3f}")
