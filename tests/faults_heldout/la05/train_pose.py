import argparse
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from pose import ArmFrames, HeatmapNet


@dataclass
class Options:
    data: str = "arm_frames.npz"
    epochs: int = 9
    batch_size: int = 16
    lr: float = 3e-3
    amp_dtype: str = "float16"
    seed: int = 2


def parse():
    parser = argparse.ArgumentParser()
    for name, field in Options.__dataclass_fields__.items():
        parser.add_argument("--" + name.replace("_", "-"), type=field.type, default=field.default)
    return Options(**vars(parser.parse_args()))


def decode(maps):
    k, size = maps.shape[1], maps.shape[-1]
    flat = maps.flatten(2).argmax(-1)
    return torch.stack([flat % size, flat // size], -1).float()


def run(o):
    torch.manual_seed(o.seed)
    order = np.random.default_rng(o.seed).permutation(420)
    train = ArmFrames(o.data, order[:340])
    val = ArmFrames(o.data, order[340:])
    net = HeatmapNet(n_joints=4)
    opt = torch.optim.Adam(net.parameters(), lr=o.lr)
    loader = DataLoader(train, batch_size=o.batch_size, shuffle=True, drop_last=True)
    amp = torch.autocast("cpu", dtype=getattr(torch, o.amp_dtype), enabled=o.amp_dtype != "float32")

    for epoch in range(o.epochs):
        net.train()
        losses = []
        for x, target, _ in loader:
            with amp:
                maps = net(x)
            loss = F.mse_loss(maps.float(), target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())

        net.eval()
        with torch.no_grad():
            errs, vl = [], []
            for x, target, joints in DataLoader(val, batch_size=40):
                with amp:
                    maps = net(x)
                vl.append(F.mse_loss(maps.float(), target).item())
                errs.append((decode(maps.float()) - joints).norm(dim=-1))
            err = torch.cat(errs)
        print(f"epoch {epoch:2d}  train {np.mean(losses):.5f}  val {np.mean(vl):.5f}  "
              f"mean joint error {err.mean():.2f} px  within 3 px {100 * (err < 3).float().mean():.0f}%", flush=True)


if __name__ == "__main__":
    run(parse())
