import json

import torch
from torch import nn

from graph import load_graph
from net import NoiseMap

with open("settings.json") as fh:
    settings = json.load(fh)
torch.manual_seed(settings["seed"])

x, y, edges, held_out = load_graph("streets.csv", "links.csv")
known = ~held_out
x = (x - x[known].mean(0)) / x[known].std(0)
centre, spread = y[known].mean(), y[known].std()
target = (y - centre) / spread

model = NoiseMap(x.shape[1], **settings["model"])
optimizer = torch.optim.AdamW(model.parameters(), lr=settings["lr"], weight_decay=settings["weight_decay"])
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, settings["steps"])

for step in range(1, settings["steps"] + 1):
    model.train()
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x, edges)[known], target[known])
    loss.backward()
    optimizer.step()
    scheduler.step()
    if step % 25 == 0:
        model.eval()
        with torch.no_grad():
            error = (model(x, edges) - target)[held_out]
        rmse = error.square().mean().sqrt() * spread
        r2 = 1 - error.square().sum() / (target[held_out] - target[held_out].mean()).square().sum()
        print(f"step {step:3d}: loss {loss.item():.4f}, held-out rmse {rmse:.2f} dB, R2 {r2:.3f}")
