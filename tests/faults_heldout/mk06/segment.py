import configparser
import sys

import torch

from cellseg.images import loaders
from cellseg.meters import OverlapMeter
from cellseg.objective import bce_dice
from cellseg.unet import UNet


def run_pass(model, loader, opt=None, sched=None):
    meter = OverlapMeter()
    total = n = 0
    model.train(opt is not None)
    with torch.set_grad_enabled(opt is not None):
        for x, m in loader:
            logits = model(x)
            loss = bce_dice(logits, m)
            if opt is not None:
                opt.zero_grad()
                loss.backward()
                opt.step()
                sched.step()
            meter.update(logits.detach(), m)
            total += loss.item() * len(x)
            n += len(x)
    return total / n, meter


def main(path):
    cfg = configparser.ConfigParser()
    cfg.read(path)
    t = cfg["train"]
    torch.manual_seed(t.getint("seed"))
    train, val = loaders(cfg["data"]["path"], cfg["data"].getint("n_val"), cfg["data"].getint("batch_size"))
    model = UNet(cfg["model"].getint("base"))
    opt = torch.optim.AdamW(model.parameters(), lr=t.getfloat("lr"), weight_decay=t.getfloat("weight_decay"))
    epochs = t.getint("epochs")
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, t.getfloat("lr"), total_steps=epochs * len(train))
    for epoch in range(epochs):
        train_loss, tm = run_pass(model, train, opt, sched)
        val_loss, vm = run_pass(model, val)
        print(f"{epoch + 1:3d}  loss {train_loss:.4f} / {val_loss:.4f}  val IoU {vm.iou:.3f}  val Dice {vm.dice:.3f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "settings.ini")
