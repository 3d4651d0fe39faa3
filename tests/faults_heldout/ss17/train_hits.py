import configparser
import os
import sys

import torch
import torch.nn.functional as F

from hits import HitNet, make_loaders

base = os.path.dirname(os.path.abspath(__file__))


def losses(out, kind, pitch, onset):
    z, p, o = (v.float() for v in out)
    return {"kind": F.cross_entropy(z, kind), "pitch": F.smooth_l1_loss(p, pitch), "onset": F.smooth_l1_loss(o, onset)}


@torch.no_grad()
def evaluate(net, loader, stats):
    net.eval()
    right = n = 0
    perr = oerr = vl = 0.0
    for x, kind, pitch, onset in loader:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(x)
        vl += losses(out, kind, pitch, onset)["kind"].item() * len(x)
        right += (out[0].argmax(1) == kind).sum().item()
        perr += ((out[1].float() - pitch).abs().sum() * stats["pitch"][1]).item()
        oerr += ((out[2].float() - onset).abs().sum() * stats["onset"][1]).item()
        n += len(x)
    return vl / n, right / n, perr / n, oerr / n


def main():
    cfg = configparser.ConfigParser()
    cfg.read(sys.argv[1] if len(sys.argv) > 1 else os.path.join(base, "params.ini"))
    loop, share = cfg["loop"], {k: float(v) for k, v in cfg["loss"].items()}
    torch.manual_seed(loop.getint("seed"))
    train, test, stats = make_loaders(os.path.join(base, cfg["data"]["file"]), cfg["data"].getint("train_rows"),
                                      loop.getint("micro_batch"))
    net = HitNet(16, 4)
    k, epochs = loop.getint("accumulate"), loop.getint("epochs")
    updates = epochs * len(train) // k
    opt = torch.optim.AdamW(net.parameters(), lr=loop.getfloat("peak_lr"), weight_decay=0.02)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, loop.getfloat("peak_lr"), total_steps=updates, pct_start=0.2)
    done = 0
    opt.zero_grad()
    for epoch in range(epochs):
        net.train()
        sums = dict.fromkeys(share, 0.0)
        for i, (x, kind, pitch, onset) in enumerate(train):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = net(x)
            part = losses(out, kind, pitch, onset)
            (sum(share[n] * v for n, v in part.items()) / k).backward()
            for n, v in part.items():
                sums[n] += v.item()
            if (i + 1) % k == 0:
                torch.nn.utils.clip_grad_norm_(net.parameters(), loop.getfloat("clip_norm"))
                opt.step()
                opt.zero_grad()
                sched.step()
                done += 1
        vl, acc, perr, oerr = evaluate(net, test, stats)
        print(f"epoch {epoch + 1} ({done} updates) " + " ".join(f"{n} {v / len(train):.3f}" for n, v in sums.items())
              + f" | test kind {vl:.3f} accuracy {acc:.3f} pitch +-{perr:.2f} Hz onset +-{oerr:.2f} samples")


if __name__ == "__main__":
    main()
