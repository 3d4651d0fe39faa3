"""Two-dimensional map of handwritten digits with a small autoencoder.

The 2-d code is what we plot in the annotation tool, so the width of the
bottleneck is given by the use case. Writes embedding.npz for the front end.
"""
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

HERE = Path(__file__).parent
torch.manual_seed(11)

EPOCHS = 180
BATCH = 64
LR = 2e-3

digits = load_digits()
images = (digits.data / 16.0).astype(np.float32)
x_tr, x_va, y_tr, y_va = train_test_split(
    images, digits.target, test_size=0.2, stratify=digits.target, random_state=11
)
x_tr, x_va = torch.from_numpy(x_tr), torch.from_numpy(x_va)

encoder = nn.Sequential(
    nn.Linear(64, 96), nn.GELU(),
    nn.Linear(96, 48), nn.GELU(),
    nn.Linear(48, 2),
)
decoder = nn.Sequential(
    nn.Linear(2, 48), nn.GELU(),
    nn.Linear(48, 96), nn.GELU(),
    nn.Linear(96, 64), nn.Sigmoid(),
)
params = list(encoder.parameters()) + list(decoder.parameters())
opt = torch.optim.Adam(params, lr=LR)
steps_per_epoch = (len(x_tr) + BATCH - 1) // BATCH
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=EPOCHS * steps_per_epoch)

mean_image = x_tr.mean(0)
base_mse = F.mse_loss(mean_image.expand_as(x_va), x_va).item()
print(f"mean-image baseline mse {base_mse:.4f}  train {len(x_tr)}  val {len(x_va)}")

t0 = time.time()
for epoch in range(EPOCHS):
    encoder.train()
    decoder.train()
    total = 0.0
    for idx in torch.randperm(len(x_tr)).split(BATCH):
        batch = x_tr[idx]
        loss = F.mse_loss(decoder(encoder(batch)), batch)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(idx)

    if epoch % 20 == 19:
        encoder.eval()
        decoder.eval()
        with torch.no_grad():
            val_mse = F.mse_loss(decoder(encoder(x_va)), x_va).item()
        print(
            f"epoch {epoch + 1:3d}  train mse {total / len(x_tr):.4f}  val mse {val_mse:.4f}"
            f"  explained {1 - val_mse / base_mse:.3f}"
        )

with torch.no_grad():
    z_tr, z_va = encoder(x_tr).numpy(), encoder(x_va).numpy()
knn = KNeighborsClassifier(15).fit(z_tr, y_tr)
print(f"15-nn accuracy on the 2-d map: {knn.score(z_va, y_va):.3f}  ({time.time() - t0:.1f}s)")
np.savez(HERE / "embedding.npz", z=z_va, label=y_va)
