import json
from dataclasses import dataclass
from pathlib import Path

import torch
from torch.nn.functional import mse_loss

from nets import StatefulGRU
from stream import open_streams

HERE = Path(__file__).resolve().parent


@dataclass
class Config:
    chunk: int = 20
    width: int = 24
    epochs: int = 12
    lr: float = 5e-3


def sweep(net, stream, opt=None):
    net.reset()
    net.train(opt is not None)
    se = cnt = 0.0
    for x, y in stream:
        with torch.set_grad_enabled(opt is not None):
            loss = mse_loss(net(x), y)
        if opt is not None:
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        se += loss.item() * y.numel()
        cnt += y.numel()
    return se / cnt


def main(cfg):
    torch.manual_seed(7)
    train, test = open_streams(HERE / "plant.npz", cfg.chunk)
    net = StatefulGRU(train.x.shape[-1], cfg.width)
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg.lr, epochs=cfg.epochs, steps_per_epoch=len(train))
    opt.register_step_post_hook(lambda *_: sched.step() if sched.last_epoch < sched.total_steps - 1 else None)
    print("target variance", round(test.y.var().item(), 4))
    for e in range(cfg.epochs):
        tr = sweep(net, train, opt)
        te = sweep(net, test)
        print(json.dumps({"epoch": e, "train_mse": round(tr, 4), "test_mse": round(te, 4)}))


main(Config())
