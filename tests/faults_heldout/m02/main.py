import logging

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from store.data import build
from store.model import SalesNet
from store.optim import build_optimizer

logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
log = logging.getLogger("sales")

torch.manual_seed(5)
train_ds, val_ds = build()
train_dl = DataLoader(train_ds, batch_size=128, shuffle=True)
val_dl = DataLoader(val_ds, batch_size=500)

model = SalesNet(60, 90)
optimizer = build_optimizer(model, lr=4e-3, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=12 * len(train_dl))

for epoch in range(12):
    model.train()
    running = 0.0
    for s, p, c, y in train_dl:
        loss = F.mse_loss(model(s, p, c), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item() * len(y)
    model.eval()
    with torch.no_grad():
        se = sum(F.mse_loss(model(s, p, c), y, reduction="sum").item() for s, p, c, y in val_dl)
    log.info("epoch %d train mse %.4f val mse %.4f", epoch, running / len(train_ds), se / len(val_ds))
