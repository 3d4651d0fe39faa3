import torch
from torch.utils.data import DataLoader, TensorDataset

from loadfc.data import Standard, read_feeder
from loadfc.losses import PinballLoss
from loadfc.model import QuantileNet

QUANTILES = (0.1, 0.5, 0.9)

torch.manual_seed(13)
x, y = read_feeder("feeder.csv")
cut = int(0.85 * len(x))
sx, sy = Standard(x[:cut]), Standard(y[:cut])
train = DataLoader(TensorDataset(sx(x[:cut]), sy(y[:cut])), batch_size=64, shuffle=True)
x_test, y_test = sx(x[cut:]), y[cut:]

model = QuantileNet(x.shape[1], len(QUANTILES))
loss_fn = PinballLoss(QUANTILES)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=25)

for epoch in range(25):
    model.train()
    running = 0.0
    for xb, yb in train:
        opt.zero_grad()
        loss = loss_fn(model(xb), yb)
        loss.backward()
        opt.step()
        running += loss.item()
    sched.step()
    if epoch % 3 == 0:
        model.eval()
        with torch.no_grad():
            lo, mid, hi = sy.back(model(x_test)).unbind(-1)
        mae = (mid - y_test).abs().mean()
        cover = ((lo <= y_test) & (y_test <= hi)).float().mean()
        print(f"epoch {epoch:2d} pinball {running / len(train):.4f}  test mae {mae:.1f} kW  "
              f"80% band: width {(hi - lo).mean():.1f} kW, covers {cover:.2f}")
