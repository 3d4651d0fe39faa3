import random
import tomllib
from pathlib import Path

import torch
from torch import nn

from model import DateNormalizer
from vocab import BOS, PAD, Chars

HERE = Path(__file__).resolve().parent
cfg = tomllib.loads((HERE / "config.toml").read_text())
T, M = cfg["train"], cfg["model"]


def load():
    rows = [l.split("\t") for l in (HERE / cfg["data"]["pairs"]).read_text().splitlines()]
    src, tgt = Chars([r[0] for r in rows]), Chars([r[1] for r in rows])
    ls, lt = max(len(r[0]) for r in rows) + 1, max(len(r[1]) for r in rows) + 2
    x = torch.tensor([src.encode(r[0], ls) for r in rows])
    y = torch.tensor([tgt.encode(r[1], lt, bos=True) for r in rows])
    perm = torch.tensor(random.Random(1).sample(range(len(rows)), len(rows)))
    k = cfg["data"]["holdout"]
    return src, tgt, (x[perm[k:]], y[perm[k:]]), (x[perm[:k]], y[perm[:k]])


def noam(step):
    step += 1
    return M["dim"] ** -0.5 * min(step ** -0.5, step * T["warmup_steps"] ** -1.5)


def token_loss(net, x, y):
    out = net(x, y[:, :-1])
    return nn.functional.cross_entropy(out.flatten(0, 1), y[:, 1:].flatten(), ignore_index=PAD)


@torch.no_grad()
def exact(net, x, y):
    net.eval()
    ids = torch.full((len(x), 1), BOS)
    for _ in range(y.size(1) - 1):
        ids = torch.cat([ids, net(x, ids)[:, -1].argmax(-1, keepdim=True)], 1)
    return (ids == y).all(1).float().mean().item()


def main():
    torch.manual_seed(T["seed"])
    src, tgt, (xt, yt), (xv, yv) = load()
    net = DateNormalizer(len(src), len(tgt), M["dim"], M["heads"], M["layers"])
    opt = torch.optim.Adam(net.parameters(), lr=T["peak_factor"], betas=(0.9, 0.98), eps=1e-9)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, noam)
    for epoch in range(T["epochs"]):
        net.train()
        total, nb = 0.0, 0
        for idx in torch.randperm(len(xt)).split(T["batch"]):
            loss = token_loss(net, xt[idx], yt[idx])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), T["clip"])
            opt.step()
            sched.step()
            total, nb = total + loss.item(), nb + 1
        net.eval()
        with torch.no_grad():
            vl = token_loss(net, xv, yv).item()
        print(f"epoch {epoch:2d} | train {total / nb:.4f} | val {vl:.4f} | lr {sched.get_last_lr()[0]:.2e}")
    print(f"exact match on held-out dates: {exact(net, xv, yv):.3f}")


if __name__ == "__main__":
    main()
