import numpy as np
import torch
import torch.nn.functional as F

from heads import EssayModel, ordinal_loss

torch.manual_seed(88)
MICRO, ACCUM, EPOCHS, W_TIME = 8, 4, 20, 0.3
z = np.load("essays.npz")
x, y = torch.tensor(z["x"].astype(np.float32)), torch.tensor(z["grade"].astype(np.int64))
logt = torch.tensor(np.log(z["seconds"]))
x[:, 3] = x[:, 3].clamp(min=1e-3).log()
perm = torch.randperm(len(y))
va, tr = perm[:600], perm[600:]
x = (x - x[tr].mean(0)) / x[tr].std(0)
logt = (logt - logt[tr].mean()) / logt[tr].std()

net = EssayModel(x.shape[1], 5)
opt = torch.optim.AdamW(net.parameters(), lr=8e-3, weight_decay=0.02)
groups = len(tr) // (MICRO * ACCUM)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS * groups)


def objective(b):
    g, d = net(x[b])
    return ordinal_loss(g, y[b]), F.smooth_l1_loss(d, logt[b])


for epoch in range(1, EPOCHS + 1):
    net.train()
    order = tr[torch.randperm(len(tr))][:groups * MICRO * ACCUM].view(groups, ACCUM, MICRO)
    tot = torch.zeros(2)
    for group in order:
        opt.zero_grad()
        for micro in group:
            lo, lt = objective(micro)
            ((lo + W_TIME * lt) / ACCUM).backward()
            tot += torch.stack([lo, lt]).detach()
        opt.step()
        sched.step()
    if epoch % 3 == 0:
        net.eval()
        with torch.no_grad():
            g, d = net(x[va])
            lo, lt = ordinal_loss(g, y[va]), F.smooth_l1_loss(d, logt[va])
        pred = (g > 0).sum(1)
        tot /= groups * ACCUM
        print(f"epoch {epoch} train grade {tot[0]:.4f} time {tot[1]:.4f} | val grade {lo:.4f} time {lt:.4f} "
              f"exact {(pred == y[va]).float().mean():.3f} MAE {(pred - y[va]).abs().float().mean():.3f}")
