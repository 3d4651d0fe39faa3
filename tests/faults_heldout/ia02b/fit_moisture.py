# grain moisture from NIR spectra
import csv
import numpy as np
import torch

torch.manual_seed(21)

spectra = np.load("spectra.npy").astype(np.float32)          # one scan per row, 60 channels
with open("lab.csv") as fh:
    rows = list(csv.DictReader(fh))
moisture = np.array([float(r["moisture_pct"]) for r in rows], dtype=np.float32)
assert len(moisture) == len(spectra)

# SNV correction of every scan
spectra = (spectra - spectra.mean(1, keepdims=True)) / spectra.std(1, keepdims=True)

order = np.random.default_rng(4).permutation(len(spectra))
cut = int(0.8 * len(order))
tr, te = order[:cut], order[cut:]
mu, sd = spectra[tr].mean(0), spectra[tr].std(0) + 1e-6
ym, ys = moisture[tr].mean(), moisture[tr].std()

X = torch.from_numpy((spectra - mu) / sd)
Y = torch.from_numpy((moisture - ym) / ys)
Xtr, Ytr, Xte, Yte = X[tr], Y[tr], X[te], Y[te]
print("scans", len(X), "channels", X.shape[1], "moisture %.2f +- %.2f" % (ym, ys))

net = torch.nn.Sequential(
    torch.nn.Linear(X.shape[1], 48), torch.nn.SiLU(), torch.nn.Dropout(0.1),
    torch.nn.Linear(48, 24), torch.nn.SiLU(),
    torch.nn.Linear(24, 1),
)
opt = torch.optim.Adam(net.parameters(), lr=1.5e-3, weight_decay=1e-4)
EPOCHS, BS = 40, 32
sched = torch.optim.lr_scheduler.OneCycleLR(opt, 4e-3, total_steps=EPOCHS * ((len(Xtr) + BS - 1) // BS))

for ep in range(EPOCHS):
    net.train()
    tot = 0.0
    for idx in torch.randperm(len(Xtr)).split(BS):
        loss = (net(Xtr[idx]).squeeze(1) - Ytr[idx]).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item() * len(idx)
    if ep % 4 == 3:
        net.eval()
        with torch.no_grad():
            err = net(Xte).squeeze(1) - Yte
        r2 = 1 - err.square().sum() / (Yte - Yte.mean()).square().sum()
        print("epoch %d  train mse %.4f  test mse %.4f  R2 %.3f  RMSEP %.2f %%"
              % (ep + 1, tot / len(Xtr), err.square().mean(), r2, err.square().mean().sqrt() * ys))
