import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class GestureGRU(nn.Module):
    def __init__(self, hidden=24, classes=4):
        super().__init__()
        self.gru = nn.GRU(2, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        _, h = self.gru(x)
        return self.fc(h[-1])


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.crit = nn.CrossEntropyLoss()

    def step(self, x, y):
        self.model.train()
        loss = self.crit(self.model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.zero_grad()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def test(self, loader):
        self.model.eval()
        out, y = map(torch.cat, zip(*[(self.model(a), b) for a, b in loader]))
        return self.crit(out, y).item(), (out.argmax(1) == y).float().mean().item()


torch.manual_seed(9)
z = np.load("imu.npz")
data = TensorDataset(torch.from_numpy(z["x"].astype(np.float32)), torch.from_numpy(z["y"].astype(np.int64)))
fit, held = random_split(data, [640, 160])
fit, held = DataLoader(fit, 32, shuffle=True), DataLoader(held, 160)
trainer = Trainer(GestureGRU(), lr=5e-3)
for epoch in range(8):
    losses = [trainer.step(x, y) for x, y in fit]
    vl, va = trainer.test(held)
    print(f"epoch {epoch}: loss {np.mean(losses):.4f} | held-out {vl:.4f} acc {va:.3f}")
