import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F

parser = argparse.ArgumentParser(description="sparsely gated mixture of experts for a piecewise response surface")
parser.add_argument("--experts", type=int, default=6)
parser.add_argument("--top-k", type=int, default=2)
parser.add_argument("--width", type=int, default=48)
parser.add_argument("--balance", type=float, default=0.02)
parser.add_argument("--epochs", type=int, default=40)
parser.add_argument("--lr", type=float, default=3e-3)
args = parser.parse_args()

torch.manual_seed(7)


def surface(x):
    zone = (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
    w = torch.tensor([[1.5, -1.0, 0.5, 0.0], [-1.0, 2.0, 0.0, 0.7], [0.3, 0.3, -2.0, 1.0], [2.0, 1.0, 1.0, -1.0]])[zone]
    base = (w * x[:, 2:6]).sum(1)
    wave = torch.sin(torch.tensor([1.0, 2.0, 3.0, 1.5])[zone] * x[:, 6])
    return base + wave + torch.tensor([0.0, 2.0, -2.0, 1.0])[zone]


X = torch.rand(6000, 8) * 4 - 2
Y = surface(X) + 0.1 * torch.randn(6000)
Y = (Y - Y[:5000].mean()) / Y[:5000].std()
Xtr, Ytr, Xte, Yte = X[:5000], Y[:5000], X[5000:], Y[5000:]


class MoE(nn.Module):
    def __init__(self, d, experts, k, width):
        super().__init__()
        self.k = k
        self.gate = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, experts))
        self.w1 = nn.Parameter(torch.randn(experts, d, width) * (2 / d) ** 0.5)
        self.b1 = nn.Parameter(torch.zeros(experts, width))
        self.w2 = nn.Parameter(torch.randn(experts, width, 1) * (1 / width) ** 0.5)
        self.b2 = nn.Parameter(torch.zeros(experts, 1))

    def forward(self, x):
        logits = self.gate(x)
        if self.training:
            logits = logits + 0.3 * torch.randn_like(logits)
        top, idx = logits.topk(self.k, dim=1)
        weight = torch.zeros_like(logits).scatter(1, idx, top.softmax(1))
        h = F.relu(torch.einsum("bd,edw->bew", x, self.w1) + self.b1)
        out = (torch.einsum("bew,ewo->beo", h, self.w2) + self.b2).squeeze(-1)
        load = (weight > 0).float().mean(0)
        importance = logits.softmax(1).mean(0)
        balance = len(load) * (load / self.k * importance).sum()
        return (weight * out).sum(1), balance, load


model = MoE(8, args.experts, args.top_k, args.width)
opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=args.lr * 3, total_steps=args.epochs * 50)

for epoch in range(args.epochs):
    model.train()
    mse_sum = aux_sum = 0.0
    for idx in torch.randperm(5000).split(100):
        pred, aux, _ = model(Xtr[idx])
        mse = F.mse_loss(pred, Ytr[idx])
        opt.zero_grad()
        (mse + args.balance * aux).backward()
        opt.step()
        sched.step()
        mse_sum += mse.item()
        aux_sum += aux.item()
    if (epoch + 1) % 5 == 0:
        model.eval()
        with torch.no_grad():
            pred, _, load = model(Xte)
            r2 = 1 - F.mse_loss(pred, Yte).item() / Yte.var().item()
        print(f"epoch {epoch + 1:3d} train mse {mse_sum / 50:.4f} balance {aux_sum / 50:.3f} test R2 {r2:.3f} "
              f"load {' '.join(f'{v:.2f}' for v in load.tolist())}")
