import torch
import torch.nn.functional as F
from torch import nn

from audio import BANDS, NAMES, dataset


class SeparableBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.depth = nn.Conv1d(cin, cin, 5, stride, 2, groups=cin, bias=False)
        self.point = nn.Conv1d(cin, cout, 1, bias=False)
        self.norm = nn.BatchNorm1d(cout)

    def forward(self, x):
        return F.relu(self.norm(self.point(self.depth(x))))


class Listener(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(SeparableBlock(BANDS, 48, 1), SeparableBlock(48, 64, 2), SeparableBlock(64, 64, 1))
        self.head = nn.Sequential(nn.Dropout(0.3), nn.Linear(128, len(NAMES)))

    def forward(self, x):
        h = self.blocks(x)
        return self.head(torch.cat([h.mean(2), h.amax(2)], 1))


def mask_bands(x):
    """Hides a random strip of up to four bands, another one per clip."""
    start = torch.randint(0, BANDS - 4, (len(x), 1))
    width = torch.randint(0, 5, (len(x), 1))
    band = torch.arange(BANDS)[None]
    hide = (band >= start) & (band < start + width)
    return x.masked_fill(hide[:, :, None], 0.0)


def evaluate(net, x, y):
    net.eval()
    with torch.no_grad():
        z = net(x)
    table = torch.zeros(len(NAMES), len(NAMES), dtype=torch.long)
    table.index_put_((y, z.argmax(1)), torch.ones_like(y), accumulate=True)
    return F.cross_entropy(z, y).item(), table


torch.manual_seed(3)
(x, y), (xv, yv), (xt, yt) = dataset(1500, 1), dataset(400, 2), dataset(600, 3)
m, s = x.mean((0, 2), keepdim=True), x.std((0, 2), keepdim=True)
x, xv, xt = (x - m) / s, (xv - m) / s, (xt - m) / s
net = Listener()
EPOCHS, BATCH = 16, 50
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-3)
sched = torch.optim.lr_scheduler.SequentialLR(opt, [
    torch.optim.lr_scheduler.LinearLR(opt, 0.1, total_iters=60),
    torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(x) // BATCH - 60)], milestones=[60])
for epoch in range(EPOCHS):
    net.train()
    tot = 0.0
    for idx in torch.randperm(len(x)).split(BATCH):
        opt.zero_grad()
        loss = F.cross_entropy(net(mask_bands(x[idx])), y[idx])
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item() * len(idx)
    v, table = evaluate(net, xv, yv)
    print(f"{epoch + 1:2d} train {tot / len(x):.4f} val {v:.4f} acc {table.diag().sum().item() / len(yv):.4f}")
t, table = evaluate(net, xt, yt)
print(f"test loss {t:.4f} accuracy {table.diag().sum().item() / len(yt):.4f}")
for name, row in zip(NAMES, table.tolist()):
    print(f"{name:>8}", *(f"{c:4d}" for c in row))
