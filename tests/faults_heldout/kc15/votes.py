# Predict the distribution of the 1..5 star votes of a photo from its descriptor.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(16)


def load():
    z = np.load("photos.npz")
    x = torch.tensor(z["descriptor"].astype(np.float32))
    v = torch.tensor(z["votes"].astype(np.float32))
    return x, v / v.sum(1, keepdim=True)


class VoteNet(nn.Module):
    def __init__(self, d, stars=5):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.stars = nn.Linear(64, stars)

    def forward(self, x):
        return F.softmax(self.stars(self.trunk(x)), dim=-1)


def report(model, x, target):
    model.eval()
    with torch.no_grad():
        p = model(x)
    grid = torch.arange(1.0, 6.0)
    emd = (p.cumsum(1) - target.cumsum(1)).abs().sum(1).mean().item()
    mae = ((p * grid).sum(1) - (target * grid).sum(1)).abs().mean().item()
    return emd, mae


x, target = load()
n = 1900
x = (x - x[:n].mean(0)) / x[:n].std(0)
model = VoteNet(x.shape[1])
optimizer = torch.optim.Adam(model.parameters(), lr=1.5e-3, weight_decay=1e-4)
objective = nn.KLDivLoss(reduction="batchmean")

prior = target[:n].mean(0).expand(len(x) - n, -1)
print("prior emd %.4f" % (prior.cumsum(1) - target[n:].cumsum(1)).abs().sum(1).mean())
for epoch in range(1, 26):
    model.train()
    running = 0.0
    for b in torch.randperm(n).split(64):
        loss = objective(model(x[b]), target[b])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item() * len(b)
    emd, mae = report(model, x[n:], target[n:])
    print(f"epoch {epoch:02d}: loss {running / n:.4f}  test emd {emd:.4f}  mean-star error {mae:.4f}")
