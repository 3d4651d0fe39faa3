import tomllib
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

import features
from model import Centres, EscapementNet

ROOT = Path(__file__).parent


class Bench:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["run"]["seed"])
        z = np.load(ROOT / cfg["run"]["recordings"])
        nominal = 3.6e9 / cfg["watch"]["vph"]
        self.names = [str(s) for s in z["conditions"]]
        self.x = features.build(z["bench_ticks"], cfg["features"]["fit"], nominal)
        self.y = torch.from_numpy(z["bench_condition"].astype(np.int64))
        self.qx = features.build(z["customer_ticks"], cfg["features"]["judge"], nominal)
        self.qy = torch.from_numpy(z["customer_condition"].astype(np.int64))
        m = cfg["model"]
        self.net = EscapementNet(m["channels"], m["embed"], len(self.names), m["dilations"])
        self.centres = Centres(len(self.names), m["embed"])
        o = cfg["optim"]
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
        self.opt_centres = torch.optim.SGD(self.centres.parameters(), lr=o["centre_lr"])
        self.sched = torch.optim.lr_scheduler.OneCycleLR(
            self.opt, o["lr"], epochs=o["epochs"], steps_per_epoch=-(-len(self.x) // o["batch"]))

    def crops(self, x):
        # start the recording at another beat; keep the tick/tock phase
        k = 2 * int(torch.randint(0, x.shape[-1] // 2, (1,)))
        return torch.roll(x, k, dims=-1)

    def epoch(self):
        o = self.cfg["optim"]
        self.net.train()
        sums = np.zeros(3)
        for idx in torch.randperm(len(self.x)).split(o["batch"]):
            e, logits = self.net(self.crops(self.x[idx]))
            ce = F.cross_entropy(logits, self.y[idx])
            pull = self.centres(e, self.y[idx])
            self.opt.zero_grad()
            self.opt_centres.zero_grad()
            (ce + o["pull"] * pull).backward()
            for p in self.centres.parameters():
                p.grad /= o["pull"]
            self.opt.step()
            self.opt_centres.step()
            self.sched.step()
            hit = (logits.argmax(1) == self.y[idx]).sum().item()
            sums += [ce.item() * len(idx), pull.item() * len(idx), hit]
        return sums / len(self.x)

    @torch.inference_mode()
    def judge(self):
        self.net.eval()
        _, logits = self.net(self.qx)
        return F.cross_entropy(logits, self.qy).item(), logits.argmax(1)


def main():
    cfg = tomllib.loads((ROOT / "timegrapher.toml").read_text())
    b = Bench(cfg)
    n = cfg["optim"]["epochs"]
    for ep in range(1, n + 1):
        ce, pull, acc = b.epoch()
        if ep % 4 == 0 or ep == n:
            vce, pred = b.judge()
            vacc = (pred == b.qy).float().mean().item()
            print(f"[{ep:02d}/{n}] ce={ce:.4f} pull={pull:.3f} acc={acc:.3f} || customer ce={vce:.4f} acc={vacc:.3f}")
    _, pred = b.judge()
    table = torch.zeros(len(b.names), len(b.names), dtype=torch.long)
    table.index_put_((b.qy, pred), torch.ones_like(pred), accumulate=True)
    for name, row in zip(b.names, table.tolist()):
        print(f"{name:>14s} {row}")
    print(f"customer accuracy {(pred == b.qy).float().mean().item():.4f}")


if __name__ == "__main__":
    main()
