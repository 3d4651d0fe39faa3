"""One-shot recognition of hand-drawn signs with prototypical networks.

Alphabets for training and for validation share no sign. In each episode five signs are drawn and get the
numbers 0..4 for the time of that episode only.
"""
import numpy as np
import torch
import torch.nn.functional as F
import yaml
from torch import nn


class Glyphs:
    def __init__(self, path):
        z = np.load(path)
        bits = np.unpackbits(z["bits"], axis=-1).astype(np.float32)
        self.x = torch.from_numpy(bits)[:, :, None] * 2 - 1        # sign, drawing, 1, H, W
        self.parts = {k: torch.from_numpy(z[k].astype(np.int64)) for k in ("train", "valid")}

    def episode(self, part, way, shot, query):
        signs = self.parts[part]
        signs = signs[torch.randperm(len(signs))[:way]]
        draw = torch.stack([self.x[s][torch.randperm(self.x.size(1))[: shot + query]] for s in signs])
        target = torch.arange(way).repeat_interleave(query)
        return draw[:, :shot], draw[:, shot:].flatten(0, 1), target


class Embed(nn.Module):
    def __init__(self, width=24, out=32):
        super().__init__()
        layers, c = [], 1
        for w in (width, width, out):
            layers += [nn.Conv2d(c, w, 3, padding=1), nn.GroupNorm(4, w), nn.ReLU(), nn.MaxPool2d(2)]
            c = w
        self.net = nn.Sequential(*layers, nn.Flatten())

    def forward(self, x):
        return self.net(x)


def episode_loss(net, support, query, target):
    way, shot = support.shape[:2]
    proto = net(support.flatten(0, 1)).view(way, shot, -1).mean(1)
    z = net(query)
    logits = -torch.cdist(z, proto).pow(2) / z.size(1) ** 0.5
    return F.cross_entropy(logits, target), (logits.argmax(1) == target).float().mean().item()


def main():
    c = yaml.safe_load(open("episodes.yaml"))
    torch.manual_seed(c["seed"])
    data, net = Glyphs(c["archive"]), Embed()
    opt = torch.optim.Adam(net.parameters(), lr=c["lr"])
    sched = torch.optim.lr_scheduler.StepLR(opt, c["halve_every"], 0.5)
    task = c["way"], c["shot"], c["query"]
    window = []
    for step in range(1, c["train_episodes"] + 1):
        loss, acc = episode_loss(net, *data.episode("train", *task))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        window.append((loss.item(), acc))
        if step % 20 == 0:
            print(f"episode {step:4d}  loss {loss.item():.3f}  acc {acc:.2f}")
        if step % c["report_every"] == 0:
            net.eval()
            with torch.no_grad():
                res = [episode_loss(net, *data.episode("valid", *task)) for _ in range(c["valid_episodes"])]
            net.train()
            res = [(float(l), a) for l, a in res]
            (tl, ta), (vl, va) = np.mean(window, 0), np.mean(res, 0)
            print(f"--- after {step}: train {tl:.3f} / {ta:.3f}   new signs {vl:.3f} / {va:.3f}")
            window = []


if __name__ == "__main__":
    main()
