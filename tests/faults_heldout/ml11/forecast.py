"""River level six hours ahead with an echo state network."""
import json

import torch

from esn.reservoir import EchoStateNetwork, Reservoir
from esn.series import prepare

with open("settings.json") as fh:
    cfg = json.load(fh)

u, y = prepare(cfg["series"])
cut, washout, gap = cfg["series"]["train"], cfg["series"]["washout"], cfg["series"]["horizon"]
net = EchoStateNetwork(Reservoir(inputs=u.shape[1], **cfg["reservoir"]), u.shape[1], 1)
count = lambda flag: sum(p.numel() for p in net.parameters() if p.requires_grad == flag)
print(f"{count(True)} weights of the read-out, {count(False)} in the reservoir")

features = net.features(u)
train_x, train_y = features[washout:cut - gap], y[washout:cut - gap]
held_x, held_y = features[cut:], y[cut:]
persistence = (u[cut:, :1] - held_y).pow(2).mean().item()

opt = torch.optim.LBFGS([p for p in net.parameters() if p.requires_grad], lr=cfg["readout"]["lr"],
                        max_iter=cfg["readout"]["inner"], history_size=20, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    error = torch.nn.functional.mse_loss(net.readout(train_x), train_y)
    loss = error + cfg["readout"]["ridge"] * net.readout.weight.pow(2).sum()
    loss.backward()
    return loss


for k in range(1, cfg["readout"]["rounds"] + 1):
    net.train()
    loss = opt.step(closure).item()
    net.eval()
    with torch.no_grad():
        mse = torch.nn.functional.mse_loss(net.readout(held_x), held_y).item()
    print(f"round {k:2d}  objective {loss:.5f}  held-out mse {mse:.5f}  skill over persistence {1 - mse / persistence:.3f}")
