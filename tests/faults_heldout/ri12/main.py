import argparse
import time

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from loader import ClipFolder
from model import SpectrumNet

parser = argparse.ArgumentParser()
parser.add_argument("--train", default="data/train.npz")
parser.add_argument("--val", default="data/val.npz")
parser.add_argument("--epochs", type=int, default=5)
parser.add_argument("--batch-size", type=int, default=16)
args = parser.parse_args()

torch.manual_seed(31)
train = DataLoader(ClipFolder(args.train), batch_size=args.batch_size, shuffle=True)
val = DataLoader(ClipFolder(args.val), batch_size=64)
net = SpectrumNet(33, 4)
opt = torch.optim.Adam(net.parameters(), lr=3e-3)

for epoch in range(args.epochs):
    t0 = time.time()
    net.train()
    for x, y in train:
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    t1 = time.time()
    net.eval()
    with torch.no_grad():
        out, ys = zip(*[(net(x), y) for x, y in val])
    out, ys = torch.cat(out), torch.cat(ys)
    print(f"epoch {epoch} loss {loss.item():.4f} val {F.cross_entropy(out, ys):.4f} "
          f"acc {(out.argmax(1) == ys).float().mean():.3f} ({t1 - t0:.1f}s)")
