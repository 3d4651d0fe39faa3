"""Adapt the scanner model to photos taken with a phone."""
import argparse
import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from net import ScanNet

ap = argparse.ArgumentParser()
ap.add_argument("--base", default="scans_base.pt")
ap.add_argument("--rate", type=float, default=5e-5)
ap.add_argument("--head-rate", type=float, default=2e-4)
ap.add_argument("--epochs", type=int, default=40)
args = ap.parse_args()

torch.manual_seed(5)
ck = torch.load(args.base, weights_only=True)
net = ScanNet()
net.load_state_dict(ck["model"])

z = np.load("phone.npz")
x = (torch.tensor(z["images"].astype("float32"))[:, None] - ck["mean"]) / ck["std"]
y = torch.tensor(z["labels"].astype("int64"))
train = DataLoader(TensorDataset(x[:600], y[:600]), batch_size=16, shuffle=True)
test_x, test_y = x[600:], y[600:]


@torch.inference_mode()
def check():
    net.eval()
    out = net(test_x)
    return F.cross_entropy(out, test_y).item(), (out.argmax(1) == test_y).float().mean().item()


print("before: loss %.3f accuracy %.3f" % check())
opt = torch.optim.AdamW([{"params": net.features.parameters(), "lr": args.rate},
                         {"params": net.classifier.parameters(), "lr": args.head_rate}], weight_decay=0.01)
for epoch in range(args.epochs):
    net.train()
    tot = 0.0
    for xb, yb in train:
        loss = F.cross_entropy(net(xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(yb)
    if epoch % 4 == 3:
        print("epoch %d train %.3f test %.3f accuracy %.3f" % (epoch + 1, tot / 600, *check()))
