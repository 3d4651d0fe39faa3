import numpy as np
import torch
from torch.nn.functional import mse_loss

from vq import VQAutoencoder

torch.manual_seed(13)
beats = torch.from_numpy(np.load("beats.npz")["x"].astype("float32"))[:, None]
beats = beats[torch.randperm(len(beats))]
held, train = beats[:300], beats[300:]
mean, std = train.mean(), train.std()
held, train = (held - mean) / std, (train - mean) / std

# reference: as many numbers kept as there are code positions
u, s, vt = torch.linalg.svd(train[:, 0] - train[:, 0].mean(0), full_matrices=False)
c = held[:, 0] - train[:, 0].mean(0)
print("linear code of size 4: mse %.4f, of size 8: %.4f" % tuple(mse_loss(c @ vt[:k].T @ vt[:k], c).item() for k in (4, 8)))

net = VQAutoencoder()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
EPOCHS, BETA = 40, 0.25
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
for epoch in range(1, EPOCHS + 1):
    net.train()
    sums = np.zeros(3)
    for idx in torch.randperm(len(train)).split(65):
        x = train[idx]
        y, commit, perp = net(x)
        rec = mse_loss(y, x)
        opt.zero_grad()
        (rec + BETA * commit).backward()
        opt.step()
        sums += rec.item(), commit.item(), perp.item()
    sched.step()
    if epoch % 5 == 0:
        net.eval()
        with torch.no_grad():
            y, commit, perp = net(held)
        tr = sums / (len(train) / 65)
        print("%3d rec %.4f commit %.4f perplexity %.1f | held-out rec %.4f perplexity %.1f"
              % (epoch, *tr, mse_loss(y, held), perp))
