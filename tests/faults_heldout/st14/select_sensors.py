import torch
import torch.nn as nn
import torch.nn.functional as F

from panel import N_SENSORS, nose

SEED = 9
EPOCHS = 48
KEEP_COST = 1.5
BUDGET = 6


class Gate(nn.Module):
    def __init__(self, n, temperature=0.6):
        super().__init__()
        self.logit = nn.Parameter(0.5 + 0.01 * torch.randn(n))
        self.t = temperature

    def forward(self, x):
        if not self.training:
            chosen = torch.zeros_like(self.logit)
            chosen[self.logit.topk(BUDGET).indices] = 1.0
            return x * chosen
        u = torch.rand_like(x).clamp(1e-6, 1 - 1e-6)
        soft = torch.sigmoid((self.logit + u.log() - (1 - u).log()) / self.t)
        hard = (soft > 0.5).float()
        return x * (hard - soft + soft).detach()

    def expected(self):
        return torch.sigmoid(self.logit).sum()


class Nose(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = Gate(N_SENSORS)
        self.net = nn.Sequential(nn.Linear(N_SENSORS, 48), nn.ReLU(), nn.Linear(48, 4))

    def forward(self, x):
        return self.net(self.gate(x))


def main():
    torch.manual_seed(SEED)
    x, y = nose(2000, 1)
    xv, yv = nose(600, 2)
    mu, sd = x.mean(0), x.std(0)
    x, xv = (x - mu) / sd, (xv - mu) / sd
    net = Nose()
    opt = torch.optim.Adam([
        {"params": net.gate.parameters(), "lr": 2e-2},
        {"params": net.net.parameters(), "lr": 3e-3},
    ])
    for epoch in range(1, EPOCHS + 1):
        net.train()
        ce_sum = 0.0
        for i in torch.randperm(len(x)).split(50):
            ce = F.cross_entropy(net(x[i]), y[i])
            cost = KEEP_COST * (net.gate.expected() - BUDGET).abs() / N_SENSORS
            opt.zero_grad()
            (ce + cost).backward()
            opt.step()
            ce_sum += ce.item() * len(i)
        if epoch % 4 == 0:
            net.eval()
            with torch.no_grad():
                z = net(xv)
                acc = (z.argmax(1) == yv).float().mean().item()
                open_ = net.gate.expected().item()
            print(f"{epoch:3d}  ce {ce_sum / len(x):.4f}  open {open_:5.2f}  "
                  f"val ce {F.cross_entropy(z, yv).item():.4f}  val acc {acc:.4f}")
    print("panel:", sorted(net.gate.logit.topk(BUDGET).indices.tolist()))


main()
