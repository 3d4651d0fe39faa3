import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

DTYPE = torch.bfloat16
LR = 0.005
BATCH, EPOCHS = 32, 60


class CallNet(nn.Module):
    def __init__(self, bins=40, classes=6):
        super().__init__()
        self.fc1 = nn.Linear(bins, 64)
        self.fc2 = nn.Linear(64, 64)
        self.fc3 = nn.Linear(64, classes)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


def load():
    z = np.load("spectra.npz")
    x, y = z["x"].astype(np.float32), z["y"]
    x = (x - x[:2100].mean(0)) / x[:2100].std(0)
    x, y = torch.tensor(x), torch.tensor(y)
    return x[:2100], y[:2100], x[2100:], y[2100:]


torch.manual_seed(77)
xtr, ytr, xte, yte = load()
net = CallNet().to(DTYPE)
print("parameters:", sum(p.numel() for p in net.parameters()), "dtype:", DTYPE)
opt = torch.optim.SGD(net.parameters(), lr=LR)

for epoch in range(EPOCHS):
    net.train()
    perm = torch.randperm(len(xtr))
    ep_loss = 0.0
    for i in range(0, len(perm), BATCH):
        b = perm[i:i + BATCH]
        logits = net(xtr[b].to(DTYPE))
        loss = F.cross_entropy(logits.float(), ytr[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        ep_loss += loss.item() * len(b)
    net.eval()
    with torch.no_grad():
        out = net(xte.to(DTYPE)).float()
    if epoch % 6 == 0 or epoch == EPOCHS - 1:
        print("epoch %d train %.4f test %.4f acc %.3f" % (
            epoch, ep_loss / len(xtr), F.cross_entropy(out, yte).item(), (out.argmax(1) == yte).float().mean().item()))
