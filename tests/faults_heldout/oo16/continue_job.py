"""Start a building forecast job, or carry an interrupted one on from its snapshot."""
import argparse
import itertools
import json
import os

import torch

from trainer import BuildingNet, JointLoss, Lion, Trainer, build_sets


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--job", default="job.json")
    p.add_argument("--resume", default=None, help="snapshot to carry on from")
    p.add_argument("--stop-after", type=int, default=None)
    p.add_argument("--save", default=None)
    a = p.parse_args()
    cfg = json.load(open(a.job))
    torch.manual_seed(cfg["seed"])
    train, val, unit = build_sets(cfg["data"], cfg["history"], cfg["horizon"], cfg["split"])
    model, criterion = BuildingNet(horizon=cfg["horizon"]), JointLoss()
    named = itertools.chain(model.named_parameters(), criterion.named_parameters(prefix="loss"))
    tr = Trainer(model, criterion, Lion(named, lr=cfg["lr"], wd=cfg["weight_decay"], fast=("loss.",)), cfg)
    if a.resume:
        tr.load_state_dict(torch.load(a.resume, weights_only=True))
        print(f"carrying on from {os.path.basename(a.resume)} at epoch {tr.epoch}, lr {tr.lr_at(tr.epoch):.2e}")
        print("state on arrival: load rmse %.3f occupancy acc %.4f" % tr.evaluate(val, unit))
    last = a.stop_after or cfg["epochs"]
    while tr.epoch < last:
        joint, mse, bce = tr.run_epoch(train)
        rmse, acc = tr.evaluate(val, unit)
        lv = [round(v, 2) for v in criterion.log_var.tolist()]
        print(f"epoch {tr.epoch:2d} lr {tr.opt.lr:.1e} joint {joint:+.4f} mse {mse:.4f} bce {bce:.4f} "
              f"log-var {lv} | val load rmse {rmse:.3f} occupancy acc {acc:.4f}")
    if a.save:
        torch.save(tr.state_dict(), a.save)


if __name__ == "__main__":
    main()
