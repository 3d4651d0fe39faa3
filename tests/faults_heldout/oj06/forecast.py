"""Six-hour load forecast for the dairy plant, starting from the one-hour household model."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

WINDOW, AHEAD = 24, 6


class SiteForecaster(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.rnn = nn.GRU(4, hidden, batch_first=True)
        self.weekday = nn.Embedding(7, 4)
        self.head = nn.Linear(hidden + 4, AHEAD)

    def forward(self, x, day):
        h = self.rnn(x)[0][:, -1]
        return self.head(torch.cat([h, self.weekday(day)], 1))


def adopt(model, path):
    saved = torch.load(path)
    kept = {k: v for k, v in saved.items() if k.startswith("rnn.")}
    result = model.load_state_dict(kept, strict=False)
    print("taken over:", ", ".join(kept))
    print("fresh:", ", ".join(result.missing_keys))
    return [p for n, p in model.named_parameters() if n in kept], [p for n, p in model.named_parameters() if n not in kept]


def windows(path, n_train):
    z = np.load(path)
    kw, temp = z["load_kw"].astype(np.float32), z["temp_c"].astype(np.float32)
    m, s = kw[:n_train].mean(), kw[:n_train].std()
    hour = np.arange(len(kw)) % 24
    f = np.stack([(kw - m) / s, (temp - temp[:n_train].mean()) / temp[:n_train].std(),
                  np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24)], 1).astype(np.float32)
    at = np.arange(len(kw) - WINDOW - AHEAD)
    x = torch.tensor(np.stack([f[i:i + WINDOW] for i in at]))
    y = torch.tensor(np.stack([f[i + WINDOW:i + WINDOW + AHEAD, 0] for i in at]))
    d = torch.tensor(z["weekday"][at + WINDOW].astype(np.int64))
    last = torch.tensor(at + WINDOW + AHEAD)
    tr, te = last <= n_train, torch.tensor(at) >= n_train
    return TensorDataset(x[tr], d[tr], y[tr]), (x[te], d[te], y[te]), s


torch.manual_seed(3)
train, (tx, td, ty), scale = windows("dairy_plant.npz", 1150)
loader = DataLoader(train, batch_size=32, shuffle=True)
model = SiteForecaster()
old, new = adopt(model, "households_1h.pt")
opt = torch.optim.AdamW([{"params": old, "lr": 1.5e-3}, {"params": new, "lr": 4e-3}], weight_decay=1e-2)
EPOCHS = 18
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
for epoch in range(EPOCHS):
    model.train()
    run = 0.0
    for x, d, y in loader:
        loss = nn.functional.smooth_l1_loss(model(x, d), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        run += loss.item() * len(x)
    sched.step()
    model.eval()
    with torch.no_grad():
        out = model(tx, td)
        val = nn.functional.smooth_l1_loss(out, ty).item()
        mae = (out - ty).abs().mean().item() * scale
    print(f"epoch {epoch + 1:2d}  train {run / len(train):.4f}  later weeks {val:.4f}  mae {mae:.2f} kW")
