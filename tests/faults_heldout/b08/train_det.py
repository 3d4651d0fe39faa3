import argparse
import logging

import torch

from det.head import Detector, focal
from det.scenes import make

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
log = logging.getLogger("det")


@torch.no_grad()
def evaluate(model, data):
    """Top-scoring cell per scene: does it hold an object, and is the class right?  Box error on true cells."""
    model.eval()
    x, cls, box, pos = data
    score, reg = model(x)
    best = score.flatten(1).argmax(1)
    hit = cls.flatten(1).gather(1, best[:, None]).mean().item()
    err = ((reg - box).abs() * pos).sum() / (4 * pos.sum())
    return hit, err.item()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=10)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--lr", type=float, default=2e-3)
    a = p.parse_args()
    torch.manual_seed(0)
    train, val = make(640, 1), make(200, 2)
    model = Detector()
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-4)
    for ep in range(a.epochs):
        model.train()
        tc = tb = 0.0
        for idx in torch.randperm(640).split(a.batch):
            x, cls, box, pos = (t[idx] for t in train)
            score, reg = model(x)
            n = pos.sum().clamp(min=1)
            l_cls = focal(score, cls) / n
            l_box = ((reg - box).abs() * pos).sum() / (4 * n)
            opt.zero_grad()
            (l_cls + l_box).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            tc += l_cls.item() * len(idx); tb += l_box.item() * len(idx)
        hit, err = evaluate(model, val)
        log.info("epoch %d cls %.4f box %.4f | val top-1 hit %.3f box err %.3f", ep, tc / 640, tb / 640, hit, err)


if __name__ == "__main__":
    main()
