"""Trains on the source scanner and writes source.pt."""
import torch
from domains import load
from nets import DigitNet

torch.manual_seed(0)
(x, y), _, (xv, yv) = load()
net = DigitNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(15):
    for idx in torch.randperm(len(y)).split(32):
        loss = torch.nn.functional.cross_entropy(net(x[idx]), y[idx])
        opt.zero_grad(); loss.backward(); opt.step()
with torch.no_grad():
    print((net(xv).argmax(1) == yv).float().mean().item())
torch.save({"model": net.state_dict()}, "source.pt")
