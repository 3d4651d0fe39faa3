"""Total flow estimation from meter pulses: a plain recurrent net reads 80 samples of (reading, valve) and
predicts the volume that passed while the valve was open.  Starts from the shared cell weights in start.pt."""
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(40)
here = Path(__file__).parent
HIDDEN, T = 32, 80
EPOCHS, BATCH = 14, 32


def simulate(n, gen):
    reading = torch.rand(n, T, generator=gen)
    valve = (torch.rand(n, T, generator=gen) < 0.1 + 0.3 * torch.rand(n, 1, generator=gen)).float()
    x = torch.stack([reading, valve], dim=-1)
    y = (reading * valve).sum(1)
    return x, y


gen = torch.Generator().manual_seed(41)
train_x, train_y = simulate(2048, gen)
val_x, val_y = simulate(512, gen)
mu, sd = train_y.mean(), train_y.std()
train_y, val_y = (train_y - mu) / sd, (val_y - mu) / sd


class FlowNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.RNN(2, HIDDEN, nonlinearity="relu", batch_first=True)
        self.readout = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        _, h = self.cell(x)
        return self.readout(h[0]).squeeze(-1)


net = FlowNet()
net.cell.load_state_dict(torch.load(here / "start.pt", weights_only=True))
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * len(train_x) // BATCH, eta_min=2e-5)
print("parameters:", sum(p.numel() for p in net.parameters()))

for epoch in range(1, EPOCHS + 1):
    net.train()
    perm = torch.randperm(len(train_x))
    acc = 0.0
    for k in range(0, len(perm), BATCH):
        rows = perm[k:k + BATCH]
        loss = nn.functional.mse_loss(net(train_x[rows]), train_y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        acc += loss.item() * len(rows)
    net.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(net(val_x), val_y).item()
    print(f"{epoch:3d}  train mse {acc / len(perm):.5g}  val mse {val:.5g}")
