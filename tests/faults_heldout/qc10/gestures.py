import numpy as np
import torch
from torch import nn

SEED, EPOCHS, LR, BS = 13, 14, 3e-3, 48
torch.manual_seed(SEED)

z = np.load("gestures.npz")
x = torch.from_numpy(z["x"].astype("float32"))      # recordings, 30 samples, 5 channels
y = torch.from_numpy(z["y"].astype("int64"))
perm = torch.randperm(len(y))
n_test = len(y) // 5
test, train = perm[:n_test], perm[n_test:]
m, s = x[train].mean((0, 1)), x[train].std((0, 1))
x = (x - m) / s


class GestureGRU(nn.Module):
    def __init__(self, channels=5, hidden=40, classes=6):
        super().__init__()
        self.gru = nn.GRU(channels, hidden, num_layers=1)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        out, _ = self.gru(x)
        return self.fc(self.drop(out[:, -1]))


model = GestureGRU()
loss_fn = nn.CrossEntropyLoss()
opt = torch.optim.Adam(model.parameters(), lr=LR)
print("parameters:", sum(p.numel() for p in model.parameters()))

for ep in range(EPOCHS):
    model.train()
    tr_loss = 0
    for idx in train[torch.randperm(len(train))].split(BS):
        opt.zero_grad()
        loss = loss_fn(model(x[idx]), y[idx])
        loss.backward()
        opt.step()
        tr_loss += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        logits = torch.cat([model(x[i]) for i in test.split(BS)])
        acc = (logits.argmax(1) == y[test]).float().mean()
        te_loss = loss_fn(logits, y[test])
    print(f"ep {ep + 1}: train {tr_loss / len(train):.3f} test {te_loss:.3f} acc {acc:.3f}")
