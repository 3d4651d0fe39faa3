import json
import math
import sys

import torch
from torch import nn
import torch.nn.functional as F

from pit import CALLS, GRAINS, load


class SnowReader(nn.Module):
    """Layers from the surface down; every layer sees its neighbour below and all others."""

    def __init__(self, width, heads, deepest):
        super().__init__()
        self.grain = nn.Embedding(len(GRAINS), width)
        self.layer = nn.Linear(4, width)
        self.below = nn.Linear(2 * width, width)
        self.depth = nn.Parameter(torch.randn(deepest, width) * 0.02)
        self.attn = nn.MultiheadAttention(width, heads, batch_first=True)
        self.mlp = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.norm = nn.LayerNorm(width)
        self.vote = nn.Linear(width, len(CALLS))

    def forward(self, p):
        h = self.grain(p.grain) + self.layer(p.layer) + self.depth
        h = h * p.live[..., None]
        nxt = torch.cat([h[:, 1:], torch.zeros_like(h[:, :1])], 1)
        h = h + F.gelu(self.below(torch.cat([h, nxt], -1)))
        q = self.norm(h)
        h = h + self.attn(q, q, q, key_padding_mask=~p.live, need_weights=False)[0]
        h = h + self.mlp(h)
        # a pit is as weak as its worst layer: smooth maximum of the votes
        v = self.vote(h).masked_fill(~p.live[..., None], float("-inf"))
        return torch.logsumexp(v, 1) - p.live.sum(1, keepdim=True).float().log()


class Shadow:
    def __init__(self, net, decay):
        self.decay = decay
        self.mean = {k: v.detach().clone() for k, v in net.state_dict().items()}

    def follow(self, net):
        for k, v in net.state_dict().items():
            self.mean[k].lerp_(v.detach(), 1 - self.decay)


def recalls(logits, call):
    pred = logits.argmax(1)
    return [(pred[call == c] == c).float().mean().item() for c in range(len(CALLS))]


def main(cfg_path):
    cfg = json.load(open(cfg_path))
    torch.manual_seed(cfg["seed"])
    torch.set_num_threads(1)
    fit = load(cfg["fit"], cfg["deepest"])
    held = load(cfg["held"], cfg["deepest"])
    prior = torch.bincount(fit.call, minlength=len(CALLS)).float() / len(fit.call)
    print("stability calls in the field books:", dict(zip(CALLS, torch.bincount(fit.call).tolist())))

    # logit adjustment (Menon et al. 2021), only while fitting
    adjust = cfg["prior_tau"] * prior.log()

    net = SnowReader(cfg["width"], cfg["heads"], cfg["deepest"])
    judge = SnowReader(cfg["width"], cfg["heads"], cfg["deepest"]).eval()
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg["decay"], betas=(0.9, 0.98))
    shadow = Shadow(net, cfg["shadow"])
    per = math.ceil(len(fit.call) / cfg["batch"])
    total = per * cfg["epochs"]
    step = 0
    for epoch in range(1, cfg["epochs"] + 1):
        net.train()
        running = 0.0
        for idx in torch.randperm(len(fit.call)).split(cfg["batch"]):
            lr = cfg["lr"] * min((step + 1) / (2 * per), 0.5 + 0.5 * math.cos(math.pi * step / total))
            for group in opt.param_groups:
                group["lr"] = lr
            b = fit.take(idx)
            loss = F.cross_entropy(net(b) + adjust, b.call)
            opt.zero_grad()
            loss.backward()
            opt.step()
            shadow.follow(net)
            running += loss.item() * len(idx)
            step += 1
        if epoch % 3 == 0:
            judge.load_state_dict(shadow.mean)
            with torch.no_grad():
                out = judge(held)
            r = recalls(out, held.call)
            print(f"epoch {epoch:2d} loss {running / len(fit.call):.4f} | held acc {(out.argmax(1) == held.call).float().mean().item():.4f} "
                  + " ".join(f"{c} {v:.3f}" for c, v in zip(CALLS, r)))
    print(f"mean recall over stability calls: {sum(r) / len(r):.4f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "snowpits.json")
