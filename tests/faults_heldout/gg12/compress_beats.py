# 64 samples per heart beat -> 8 tokens of 5 bits
import pathlib

import numpy as np
import torch
from sklearn.cluster import KMeans
from torch import nn

from lion import Lion
from quantizer import EMACodebook

torch.manual_seed(0)
torch.set_num_threads(1)
beats = torch.from_numpy(np.load(pathlib.Path(__file__).parent / "beats.npy").astype(np.float32))
beats = beats[torch.randperm(len(beats))]
train, val = beats[:1280], beats[1280:]
m, s = train.mean(), train.std()
train, val = (train - m) / s, (val - m) / s


class VQ(nn.Module):
    def __init__(self, tokens=8, dim=8, codes=32):
        super().__init__()
        self.tokens, self.dim = tokens, dim
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 128), nn.GELU(), nn.Linear(128, tokens * dim))
        self.book = EMACodebook(codes, dim)
        self.dec = nn.Sequential(nn.Linear(tokens * dim, 128), nn.GELU(), nn.Linear(128, 128), nn.GELU(), nn.Linear(128, 64))

    def forward(self, x):
        z = self.enc(x).view(-1, self.dim)
        q, idx, commit = self.book(z)
        return self.dec(q.view(len(x), -1)), idx, commit


model = VQ()
opt = Lion(model.parameters(), lr=5e-4, weight_decay=0.1)
epochs, bs = 60, 64
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs, 2e-5)

km = KMeans(64, n_init=2, random_state=0).fit(train.numpy())
km_err = ((val.numpy() - km.cluster_centers_[km.predict(val.numpy())]) ** 2).mean()
print(f"val variance {val.var():.4f}; 64-prototype k-means mse {km_err:.4f}")

for ep in range(epochs):
    model.train()
    tot = 0.0
    for b in torch.randperm(len(train)).split(bs):
        x = train[b]
        rec, _, commit = model(x)
        loss = (rec - x).square().mean() + 0.25 * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(b)
    sched.step()
    if (ep + 1) % 4 == 0:
        model.eval()
        with torch.no_grad():
            rec, idx, _ = model(val)
        print(f"epoch {ep + 1:2d}  loss {tot / len(train):.4f}  val mse {(rec - val).square().mean():.4f}  perplexity {model.book.perplexity(idx):.1f}/32")
