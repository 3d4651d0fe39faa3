import os
import sys

import torch
import yaml

from distil.data import transfer_set
from distil.student import distil_loss, student


def main():
    base = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(base, sys.argv[1])) as fh:
        c = yaml.safe_load(fh)
    torch.manual_seed(c["seed"])
    loader, (xt, yt) = transfer_set(os.path.join(base, "transfer.npz"), c["batch"])
    net = student(c["hidden"])
    opt = torch.optim.AdamW(net.parameters(), lr=c["lr"], weight_decay=c["weight_decay"])
    total = c["epochs"] * len(loader)
    amp = c["amp"]
    scaler = torch.amp.GradScaler("cpu", init_scale=float(amp["init_scale"]), growth_factor=amp["growth_factor"],
                                  backoff_factor=amp["backoff_factor"], growth_interval=amp["growth_interval"])
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 40) * max(0.02, 1 - s / total))
    for epoch in range(1, c["epochs"] + 1):
        net.train()
        seen = 0.0
        for x, y, t in loader:
            opt.zero_grad()
            with torch.autocast("cpu", dtype=torch.float16):
                logits = net(x)
            loss = distil_loss(logits.float(), y, t, c["tau"], c["alpha"])
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            torch.nn.utils.clip_grad_norm_(net.parameters(), c["clip"])
            scaler.step(opt)
            scaler.update()
            sched.step()
            seen += loss.item()
        net.eval()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.float16):
            out = net(xt).float()
        acc = (out.argmax(1) == yt).float().mean().item()
        ce = torch.nn.functional.cross_entropy(out, yt).item()
        print(f"epoch {epoch:2d} | distil {seen / len(loader):.4f} | test ce {ce:.4f} acc {acc:.4f}")


if __name__ == "__main__":
    main()
