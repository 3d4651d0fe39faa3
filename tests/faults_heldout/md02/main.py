import tomllib

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from net import DigitNet

with open("run.toml", "rb") as fh:
    cfg = tomllib.load(fh)

torch.manual_seed(cfg["seed"])
images, labels = load_digits(return_X_y=True)
images = (images / 16.0 - 0.305) / 0.376
xtr, xte, ytr, yte = train_test_split(images, labels, test_size=cfg["data"]["test_size"],
                                      stratify=labels, random_state=cfg["seed"])
to_img = lambda a: torch.tensor(a, dtype=torch.float32).view(-1, 1, 8, 8)
xtr, xte, ytr, yte = to_img(xtr), to_img(xte), torch.tensor(ytr), torch.tensor(yte)

net = DigitNet(**cfg["model"])
o = cfg["optim"]
decay = [p for p in net.parameters() if p.ndim > 1]
plain = [p for p in net.parameters() if p.ndim <= 1]
opt = torch.optim.SGD([{"params": decay, "weight_decay": o["weight_decay"]}, {"params": plain}],
                      lr=o["lr"], momentum=o["momentum"], nesterov=True)
B = cfg["data"]["batch"]
steps_per_epoch = len(xtr) // B
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=o["epochs"] * steps_per_epoch)


@torch.no_grad()
def evaluate():
    net.eval()
    z = net(xte)
    return F.cross_entropy(z, yte).item(), (z.argmax(1) == yte).float().mean().item()


def jitter(x):
    # +-1 pixel translation, per image
    p = F.pad(x, (1, 1, 1, 1), value=-0.305 / 0.376)
    dx, dy = torch.randint(0, 3, (2, len(x)))
    rows = dy[:, None] + torch.arange(8)
    cols = dx[:, None] + torch.arange(8)
    n = torch.arange(len(x))[:, None, None]
    return p[n, 0, rows[:, :, None], cols[:, None, :]].unsqueeze(1)


for epoch in range(o["epochs"]):
    net.train()
    order = torch.randperm(len(xtr))
    running = 0.0
    for s in range(steps_per_epoch):
        ids = order[s * B:(s + 1) * B]
        loss = F.cross_entropy(net(jitter(xtr[ids])), ytr[ids], label_smoothing=o["label_smoothing"])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        running += loss.item()
    if epoch % 3 == 0 or epoch == o["epochs"] - 1:
        l, acc = evaluate()
        print(f"[{epoch:02d}] loss {running / steps_per_epoch:.4f} | test loss {l:.4f} acc {acc:.4f}")
