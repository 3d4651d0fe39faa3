# land-cover segmentation of 24x24 radar chips: 0 field, 1 water, 2 built-up
import os
import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from metrics import Confusion
from unet import MiniUNet

CLASSES = 3
HERE = os.path.dirname(os.path.abspath(__file__))
torch.manual_seed(30)

z = np.load(os.path.join(HERE, "chips.npz"))
chips = torch.from_numpy(z["chips"].astype("float32")).unsqueeze(1)
masks = torch.from_numpy(z["masks"].astype("int64"))
n_train = 160
mean, std = chips[:n_train].mean(), chips[:n_train].std()
chips = (chips - mean) / std
train = DataLoader(TensorDataset(chips[:n_train], masks[:n_train]), batch_size=16, shuffle=True)
valid = DataLoader(TensorDataset(chips[n_train:], masks[n_train:]), batch_size=16)

net = MiniUNet(CLASSES)
opt = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=16)

for epoch in range(16):
    net.train()
    run = 0.0
    for x, m in train:
        opt.zero_grad()
        loss = F.cross_entropy(net(x), m)
        loss.backward()
        opt.step()
        run += loss.item()
    sched.step()

    net.eval()
    vloss = 0.0
    confusion = Confusion(CLASSES)
    with torch.no_grad():
        for chip, truth in valid:
            out = net(chip)
            vloss += F.cross_entropy(out, truth).item()
            confusion.add(out.argmax(1), m)
    print(f"epoch {epoch + 1:2d}  train loss {run / len(train):.4f}  valid loss {vloss / len(valid):.4f}  valid mIoU {confusion.mean_iou():.4f}")
