# Greedy blocks on handwritten digits: each block learns from its own readout.
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(2)
X, y = load_digits(return_X_y=True)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.3, random_state=2, stratify=y)
Xtr = torch.tensor(Xtr / 16.0, dtype=torch.float32).reshape(-1, 1, 8, 8)
Xte = torch.tensor(Xte / 16.0, dtype=torch.float32).reshape(-1, 1, 8, 8)
ytr, yte = torch.tensor(ytr), torch.tensor(yte)


class Block(nn.Module):
    def __init__(self, cin, cout, pool, grid):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)
        self.norm = nn.BatchNorm2d(cout)
        self.pool = nn.MaxPool2d(2) if pool else nn.Identity()
        self.grid = grid
        self.readout = nn.Linear(cout * grid * grid, 10)

    def forward(self, x):
        h = self.pool(F.relu(self.norm(self.conv(x))))
        return h, self.readout(F.adaptive_avg_pool2d(h, self.grid).flatten(1))


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(1, 24, False, 4), Block(24, 32, True, 2), Block(32, 48, False, 2)])

    def forward(self, x):
        outs = []
        for block in self.blocks:
            x, logits = block(x.detach())
            outs.append(logits)
        return outs


net = Stack()
opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.StepLR(opt, 6, 0.3)

for epoch in range(16):
    net.train()
    perm = torch.randperm(len(ytr))
    sums = torch.zeros(len(net.blocks))
    for i in range(0, len(perm), 50):
        b = perm[i:i + 50]
        losses = [F.cross_entropy(o, ytr[b]) for o in net(Xtr[b])]
        opt.zero_grad()
        sum(losses).backward()
        opt.step()
        sums += torch.tensor([l.item() for l in losses]) * len(b)
    sched.step()
    net.eval()
    with torch.no_grad():
        accs = [(o.argmax(1) == yte).float().mean().item() for o in net(Xte)]
    print(f"{epoch + 1:2d} loss per block", " ".join(f"{v:.3f}" for v in sums / len(ytr)),
          "| test acc per block", " ".join(f"{a:.3f}" for a in accs))
