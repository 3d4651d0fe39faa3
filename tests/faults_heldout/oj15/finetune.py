import argparse

import numpy as np
import torch
import torch.nn.functional as F

from loom import from_textures

ap = argparse.ArgumentParser(description="recognise weaves from a few labelled tiles")
ap.add_argument("--tiles", default="weave.npz")
ap.add_argument("--start", default="textures_e10.pt")
ap.add_argument("--labelled", type=int, default=100)
ap.add_argument("--epochs", type=int, default=25)
ap.add_argument("--lr", type=float, default=5e-3)
ap.add_argument("--encoder-lr", type=float, default=2e-4)
ap.add_argument("--seed", type=int, default=5)
args = ap.parse_args()
torch.manual_seed(args.seed)

z = np.load(args.tiles)
x = (torch.tensor(z["tiles"], dtype=torch.float32)[:, None] - 128) / 40
y = torch.tensor(z["weave"], dtype=torch.long)
order = torch.randperm(len(y))
tr, te = order[:args.labelled], order[args.labelled:]

model = from_textures(args.start, int(y.max()) + 1)
opt = torch.optim.Adam([{"params": model.encoder.parameters(), "lr": args.encoder_lr},
                        {"params": model.head.parameters(), "lr": args.lr}])
for epoch in range(1, args.epochs + 1):
    model.train()
    total = 0.0
    for i in tr[torch.randperm(len(tr))].split(20):
        loss = F.cross_entropy(model(x[i]), y[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(i)
    model.eval()
    with torch.no_grad():
        out = model(x[te])
    print(f"epoch {epoch:2d}  train {total / len(tr):.4f}  test {F.cross_entropy(out, y[te]).item():.4f}  "
          f"acc {(out.argmax(1) == y[te]).float().mean().item():.3f}")
