import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from simulator import ParameterNet, SuspensionSimulator, bench

torch.manual_seed(12)
NOISE = 0.15
EPOCHS = 14

rig = torch.Generator().manual_seed(99)
train_x, _ = bench(4000, NOISE, rig)
val_x, (val_k, val_c) = bench(500, NOISE, rig)

net = ParameterNet()
simulate = SuspensionSimulator()
loader = DataLoader(TensorDataset(train_x), batch_size=64, shuffle=True)
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=5e-3, total_steps=EPOCHS * len(loader))

print(f"variance of the traces {val_x.var():.4f}, of the sensor noise {NOISE ** 2:.4f}")
for epoch in range(EPOCHS):
    net.train()
    total = 0.0
    for (trace,) in loader:
        optimizer.zero_grad()
        loss = F.mse_loss(simulate(*net(trace)), trace)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        total += loss.item() * len(trace)

    net.eval()
    with torch.no_grad():
        k, c, x0, v0 = net(val_x)
        val = F.mse_loss(simulate(k, c, x0, v0), val_x).item()
        k_err = ((k - val_k).abs() / val_k).median().item()
        c_err = (c - val_c).abs().median().item()
    print(f"epoch {epoch:2d}  train {total / len(train_x):.4f}  val {val:.4f}  stiffness err {100 * k_err:.1f} %  damping err {c_err:.2f}")
