import json

import numpy as np
import torch

from seg.losses import build
from seg.net import TinyUNet


def load(path):
    z = np.load(path)
    img = torch.from_numpy(z["image"]).float().unsqueeze(1)
    mask = np.unpackbits(z["mask"]).reshape(img.shape)
    img = (img - img.mean((2, 3), keepdim=True)) / img.std((2, 3), keepdim=True)
    return img, torch.from_numpy(mask).float()


def dice(net, x, m):
    net.eval()
    with torch.no_grad():
        p = (net(x) > 0).float()
    return (2 * (p * m).sum() / (p.sum() + m.sum() + 1e-6)).item()


def main():
    with open("settings.json") as f:
        cfg = json.load(f)
    torch.manual_seed(cfg["seed"])
    x, m = load(cfg["data"])
    n = cfg["train_images"]
    net = TinyUNet()
    criterion = build(cfg["loss"])
    opt = torch.optim.SGD(net.parameters(), **cfg["optimizer"])
    for epoch in range(cfg["epochs"]):
        net.train()
        seen = []
        for idx in torch.randperm(n).split(cfg["batch_size"]):
            loss = criterion(net(x[idx]), m[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            seen.append(loss.item())
        print("epoch %d  loss %.5g  dice(train) %.3f  dice(val) %.3f" % (epoch + 1, np.mean(seen), dice(net, x[:80], m[:80]), dice(net, x[n:], m[n:])))


if __name__ == "__main__":
    main()
