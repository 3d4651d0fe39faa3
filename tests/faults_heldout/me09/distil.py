import argparse

import torch
import torch.nn.functional as F

from common import digits
from nets import big, small

ap = argparse.ArgumentParser()
ap.add_argument("--teacher", default="big.pt")
ap.add_argument("--epochs", type=int, default=42)
ap.add_argument("--lr", type=float, default=16e-3)
ap.add_argument("--temperature", type=float, default=3.0)
ap.add_argument("--hard", type=float, default=0.1, help="share of the label term")
ap.add_argument("--seed", type=int, default=5)
a = ap.parse_args()
torch.manual_seed(a.seed)

(x, y), (xt, yt) = digits()
teacher = big()
teacher.load_state_dict({k: v.float() if v.is_floating_point() else v
                         for k, v in torch.load(a.teacher, weights_only=True).items()})
teacher.eval().requires_grad_(False)
student = small()


def shifted(batch):
    """Moves every image by up to one pixel (zero level is -0.3)."""
    padded = F.pad(batch, (1, 1, 1, 1), value=-0.3)
    out = torch.empty_like(batch)
    for i, (dy, dx) in enumerate(torch.randint(0, 3, (len(batch), 2)).tolist()):
        out[i] = padded[i, :, dy:dy + 8, dx:dx + 8]
    return out


def objective(inp, labels):
    s = student(inp)
    with torch.no_grad():
        t = teacher(inp)
    T = a.temperature
    soft = F.cross_entropy(s / T, F.softmax(t / T, dim=1)) * T * T
    return (1 - a.hard) * soft + a.hard * F.cross_entropy(s, labels)


def test():
    student.eval()
    with torch.no_grad():
        z, zt = student(xt), teacher(xt)
    return ((z.argmax(1) == yt).float().mean().item(), F.cross_entropy(z, yt).item(),
            (z.argmax(1) == zt.argmax(1)).float().mean().item())


with torch.no_grad():
    print(f"teacher accuracy {(teacher(xt).argmax(1) == yt).float().mean().item():.4f}")
opt = torch.optim.Adam(student.parameters(), lr=a.lr)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, a.epochs)
for epoch in range(1, a.epochs + 1):
    student.train()
    losses = []
    for idx in torch.randperm(len(x)).split(64):
        inp = x[idx]
        if torch.rand(()) < 0.5:
            inp = shifted(inp)
        loss = objective(inp, y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
    sched.step()
    if epoch % 7 == 0:
        acc, ce, agree = test()
        print(f"{epoch:3d}  objective {sum(losses) / len(losses):.3f}  test acc {acc:.4f}  ce {ce:.4f}  agrees with teacher {agree:.4f}")
