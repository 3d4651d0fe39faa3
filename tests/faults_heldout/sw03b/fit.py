"""Learn a forward model of a 4-dof arm from logged poses."""
import sys
import tomllib
from pathlib import Path

import torch

from arm import sample_poses
from models import build_mlp

HERE = Path(__file__).parent


class ForwardModelTrainer:
    def __init__(self, cfg, seed):
        self.cfg = cfg
        torch.manual_seed(seed)
        gen = torch.Generator().manual_seed(cfg["data"]["seed"])
        self.xt, yt = sample_poses(cfg["data"]["train"], cfg["data"]["noise"], gen)
        self.xv, yv = sample_poses(cfg["data"]["val"], cfg["data"]["noise"], gen)
        self.mean, self.std = yt.mean(0), yt.std(0)
        self.yt, self.yv = (yt - self.mean) / self.std, (yv - self.mean) / self.std
        m = cfg["model"]
        self.net = build_mlp(4, 3, m["width"], m["depth"], m["activation"])
        o = cfg["optim"]
        self.opt = torch.optim.Adam(self.net.parameters(), lr=o["lr"])
        steps = o["epochs"] * (len(self.xt) // o["batch"])
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, max_lr=o["lr"], total_steps=steps)

    def epoch(self):
        batch = self.cfg["optim"]["batch"]
        order = torch.randperm(len(self.xt))
        losses = []
        for i in range(len(self.xt) // batch):
            idx = order[i * batch:(i + 1) * batch]
            loss = torch.nn.functional.mse_loss(self.net(self.xt[idx]), self.yt[idx])
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            self.sched.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def validate(self):
        err = self.net(self.xv) - self.yv
        mm = 1000 * (err * self.std).norm(dim=1).mean()
        return err.pow(2).mean().item(), mm.item()

    def run(self):
        for e in range(self.cfg["optim"]["epochs"]):
            train = self.epoch()
            if e % 4 == 3:
                val, mm = self.validate()
                print(f"epoch {e + 1}: train {train:.5f} val {val:.5f} position error {mm:.1f} mm")


if __name__ == "__main__":
    config = tomllib.loads((HERE / "config.toml").read_text())
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else config["seed"]
    ForwardModelTrainer(config, seed).run()
