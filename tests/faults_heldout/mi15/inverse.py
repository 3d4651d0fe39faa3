import argparse
import math

import torch
from torch import nn

from arm import draw, forward


class MixtureNet(nn.Module):
    def __init__(self, k, width):
        super().__init__()
        self.k = k
        self.trunk = nn.Sequential(nn.Linear(2, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.head = nn.Linear(width, k * 5)
        # spread the component centres over the joint range
        with torch.no_grad():
            self.head.bias.zero_()
            self.head.bias.view(k, 5)[:, 1:3].normal_(0, 1.5)

    def forward(self, tip):
        o = self.head(self.trunk(tip)).view(-1, self.k, 5)
        return o[..., 0].log_softmax(-1), o[..., 1:3], o[..., 3:5].clamp(-5, 3)


def nll(params, q):
    logw, mu, logs = params
    z = (q[:, None] - mu) * (-logs).exp()
    comp = (-0.5 * z ** 2 - logs - 0.5 * math.log(2 * math.pi)).sum(-1)
    return -torch.logsumexp(logw + comp, -1).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--components", type=int, default=4)
    ap.add_argument("--width", type=int, default=64)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--clip", type=float, default=5.0)
    a = ap.parse_args()
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(77)
    tip, q = draw(8000, gen)
    vtip, vq = draw(1500, gen)
    mu, sd = tip.mean(0), tip.std(0)
    tip, vin = (tip - mu) / sd, (vtip - mu) / sd

    net = MixtureNet(a.components, a.width)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs * -(-len(tip) // a.batch))
    for ep in range(1, a.epochs + 1):
        net.train()
        tot = 0.0
        for rows in torch.randperm(len(tip)).split(a.batch):
            loss = nll(net(tip[rows]), q[rows])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), a.clip)
            opt.step()
            sched.step()
            tot += loss.item() * len(rows)
        if ep % 4 == 0:
            net.eval()
            with torch.no_grad():
                p = net(vin)
                best = p[1][torch.arange(len(vq)), (p[0] - p[2].sum(-1)).argmax(1)]
                reach = (forward(best) - vtip).norm(dim=1).median().item()
            print(f"{ep:3d} nll {tot / len(tip):.3f}  new poses {nll(p, vq).item():.3f}  median tip error {reach:.3f} m")


if __name__ == "__main__":
    main()
