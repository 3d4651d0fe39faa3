import tomllib

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from model import build

with open("run.toml", "rb") as f:
    conf = tomllib.load(f)

torch.manual_seed(conf["run"]["seed"])
images, target = load_digits(return_X_y=True)
xa, xb, ya, yb = train_test_split(images, target, test_size=0.25, stratify=target, random_state=conf["run"]["seed"])
mu, sd = xa.mean(), xa.std()
xa, xb = (torch.tensor((a - mu) / sd, dtype=torch.float32) for a in (xa, xb))
ya, yb = torch.tensor(ya), torch.tensor(yb)

net = build(conf["net"], 64, 10)
print(net)
opt = torch.optim.Adam(net.parameters(), lr=conf["run"]["lr"], weight_decay=1e-5)


def minibatches(size):
    while True:
        yield from torch.randperm(len(xa)).split(size)


stream = minibatches(conf["run"]["batch"])
for step in range(1, conf["run"]["steps"] + 1):
    rows = next(stream)
    loss = F.cross_entropy(net(xa[rows]), ya[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 150 == 0:
        net.eval()
        with torch.no_grad():
            scores = net(xb)
            print(f"{step:5d}  loss {loss.item():.3f}  held-out loss {F.cross_entropy(scores, yb).item():.3f} "
                  f"accuracy {(scores.argmax(1) == yb).float().mean().item():.3f}")
        net.train()
