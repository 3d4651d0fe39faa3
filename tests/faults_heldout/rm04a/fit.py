import argparse

import torch
import torch.nn.functional as F

from graphs import read
from mpnn import EnergyNet

p = argparse.ArgumentParser(description="fit lattice energies")
p.add_argument("--data", default="clusters.npz")
p.add_argument("--passes", type=int, default=18, help="passes over the training graphs")
p.add_argument("--batch", type=int, default=20)
p.add_argument("--lr", type=float, default=4e-4)
p.add_argument("--report", type=int, default=25, help="steps between printed losses")
a = p.parse_args()

torch.manual_seed(1)
gen = torch.Generator().manual_seed(17)
train, test = read(a.data, split=2000)
net = EnergyNet(kinds=5)
opt = torch.optim.Adam(net.parameters(), lr=a.lr)

step = 0
for _ in range(a.passes):
    net.train()
    for b in train.batches(a.batch, gen):
        loss = F.mse_loss(net(b.kinds, b.adj), b.target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        step += 1
        if step % a.report == 0:
            print(f"step {step:5d}  loss {loss.item():.4f}")

net.eval()
with torch.no_grad():
    rmse = F.mse_loss(net(test.kinds, test.adj), test.target).sqrt().item()
print(f"test rmse (in units of the target's spread): {rmse:.4f}")
torch.save(net.state_dict(), "energy.pt")
