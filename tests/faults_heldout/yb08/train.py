import json
import math
import sys
import time
from pathlib import Path

import torch
import torch.nn.functional as F

from canon import BasketStream, CanonNet

here = Path(__file__).parent
cfg = json.loads((here / (sys.argv[1] if len(sys.argv) > 1 else "config.json")).read_text())
torch.manual_seed(cfg["seed"])

train = BasketStream(cfg["vocab"], cfg["length"], seed=cfg["seed"] + 1)
test_x, test_y = BasketStream(cfg["vocab"], cfg["length"], seed=9000).batch(400)
model = CanonNet(cfg["vocab"], cfg["length"], **cfg["model"])
decay, no_decay = [], []
for p in model.parameters():
    (decay if p.dim() > 1 else no_decay).append(p)
optimizer = torch.optim.AdamW(
    [{"params": decay, "weight_decay": cfg["weight_decay"]}, {"params": no_decay, "weight_decay": 0.0}],
    lr=cfg["lr"],
    betas=(0.9, 0.98),
)


def lr_factor(step):
    progress = step / cfg["steps"]
    return 0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * progress))


scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lr_factor)


@torch.no_grad()
def test():
    model.eval()
    logits = model(test_x)
    model.train()
    pred = logits.argmax(-1)
    loss = F.cross_entropy(logits.flatten(0, 1), test_y.flatten()).item()
    return loss, (pred == test_y).float().mean().item(), (pred == test_y).all(1).float().mean().item()


start, recent = time.time(), []
for step in range(1, cfg["steps"] + 1):
    x, y = train.batch(cfg["batch_size"])
    loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    recent.append(loss.item())
    if step % cfg["eval_every"] == 0:
        tl, slot, full = test()
        print(
            f"{step:4d} | loss {sum(recent) / len(recent):.3f} | test {tl:.3f} slots {slot:.3f} baskets {full:.3f} "
            f"| lr {scheduler.get_last_lr()[0]:.2e} | {time.time() - start:.0f}s"
        )
        recent.clear()
