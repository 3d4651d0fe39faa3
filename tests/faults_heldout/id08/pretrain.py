import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

from encoder import Encoder, Projector, info_nce
from views import view

torch.manual_seed(15)
raw = np.load("windows.npz")
acc = torch.from_numpy(raw["acc"].astype(np.float32)) / 40.0
label = raw["activity"]
n_train = 1200
center = acc[:n_train].mean((0, 2), keepdim=True)
spread = acc[:n_train].std((0, 2), keepdim=True)
acc = (acc - center) / spread


def embed(enc, x):
    enc.eval()
    with torch.no_grad():
        return enc(x).numpy()


def probe(enc):
    """Linear read-out trained on 100 labelled windows."""
    h = embed(enc, acc)
    m, s = h[:n_train].mean(0), h[:n_train].std(0) + 1e-6
    h = (h - m) / s
    clf = LogisticRegression(max_iter=500).fit(h[:100], label[:100])
    return clf.score(h[n_train:], label[n_train:])


def held_out_loss(enc, proj):
    enc.eval()
    proj.eval()
    x = acc[n_train:n_train + 150]
    with torch.no_grad():
        return info_nce(proj(enc(view(x))), proj(enc(view(x))), 0.2).item()


enc, proj = Encoder(), Projector()
print("probe before pre-training %.3f" % probe(enc))
params = list(enc.parameters()) + list(proj.parameters())
opt = torch.optim.AdamW(params, lr=2e-3, weight_decay=1e-4)
epochs, bs = 30, 150
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * (n_train // bs))
for epoch in range(epochs):
    enc.train()
    proj.train()
    losses = []
    for idx in torch.randperm(n_train).split(bs):
        x = acc[idx]
        loss = info_nce(proj(enc(view(x))), proj(enc(view(x))), 0.2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        losses.append(loss.item())
    if epoch % 3 == 2:
        print("epoch %2d  nt-xent %.3f  held out %.3f  probe %.3f" % (epoch + 1, np.mean(losses), held_out_loss(enc, proj), probe(enc)))
