"""Small model for the handset: taught by the large one on clouds nobody has labelled."""
import json
import math
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from distill.nets import PointNet
from distill.soft import jitter, soft_target_loss

HERE = Path(__file__).resolve().parent


def get_teacher(spec, classes):
    net = PointNet(spec["point_width"], spec["cloud_width"], classes)
    state = torch.load(HERE / spec["weights"], map_location="cpu")
    net.load_state_dict({k: v.float() for k, v in state.items()})
    return net.eval().requires_grad_(False)


def main():
    cfg = json.loads((HERE / "student.json").read_text())
    torch.manual_seed(cfg["seed"])
    with np.load(HERE / cfg["clouds"]) as z:
        xy = torch.from_numpy(z["points"].astype("float32")) / 32 - 2
        shape = torch.from_numpy(z["shape"].astype("int64"))
    unlabelled, test, target = xy[shape == 255], xy[shape < 255], shape[shape < 255]

    teacher = get_teacher(cfg["teacher"], cfg["classes"])
    student = PointNet(**cfg["student"], classes=cfg["classes"])
    size = [sum(p.numel() for p in m.parameters()) for m in (teacher, student)]
    big = teacher(test)
    print(f"teacher {size[0]} weights, test accuracy {(big.argmax(1) == target).float().mean():.3f}; student {size[1]} weights")

    opt = torch.optim.SGD(student.parameters(), **cfg["sgd"])
    per_epoch = math.ceil(len(unlabelled) / cfg["batch"])
    total, warm = cfg["epochs"] * per_epoch, cfg["warmup_updates"]
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: (s + 1) / warm if s < warm else 0.5 * (1 + math.cos(math.pi * (s - warm) / (total - warm))))

    for epoch in range(1, cfg["epochs"] + 1):
        student.train()
        run = 0.0
        for idx in torch.randperm(len(unlabelled)).split(cfg["batch"]):
            x = jitter(unlabelled[idx])
            with torch.no_grad():
                goal = teacher(x)
            loss = soft_target_loss(student(x), goal, cfg["temperature"])
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), cfg["clip"])
            opt.step()
            sched.step()
            run += loss.item() * len(idx)
        if epoch % 4 == 0:
            student.eval()
            with torch.no_grad():
                z = student(test)
                kl = soft_target_loss(z, big, cfg["temperature"])
            print(f"epoch {epoch:2d} soft loss {run / len(unlabelled):.4f} test soft {kl:.4f} "
                  f"test nll {F.cross_entropy(z, target):.4f} accuracy {(z.argmax(1) == target).float().mean():.3f} "
                  f"same answer as teacher {(z.argmax(1) == big.argmax(1)).float().mean():.3f}")


if __name__ == "__main__":
    main()
