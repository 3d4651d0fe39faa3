"""Source-task training on the lab study; writes lab_trunk.pt."""
import torch
import torch.nn.functional as F
from torch import nn

from net import Trunk
from signals import windows

torch.manual_seed(0)
x, y = windows("source", 8000, seed=1)
trunk = Trunk()
model = nn.Sequential()
model.add_module("trunk", trunk)
model.add_module("cls", nn.Linear(trunk.out_dim, 40))
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
for ep in range(12):
    for idx in torch.randperm(len(x)).split(128):
        loss = F.cross_entropy(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(ep, loss.item())
torch.save({"epoch": 12, "state_dict": model.state_dict()}, "lab_trunk.pt")
