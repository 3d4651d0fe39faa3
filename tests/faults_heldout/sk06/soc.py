# State-of-charge estimator: current + cell temperature -> SoC, 24 samples per discharge session.
# Every session begins with a fully charged cell.
import os
import numpy as np
import torch
import torch.nn as nn

SEED = int(os.environ.get("SEED", 21))
BATCH = 20
EPOCHS = 25
torch.manual_seed(SEED)

raw = np.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sessions.npz"))
feat = torch.from_numpy(np.stack([raw["current"], raw["temperature"]], -1).astype("float32"))
soc = torch.from_numpy(raw["soc"].astype("float32")) / 100.0
ntr = 560
mu, sd = feat[:ntr].mean((0, 1)), feat[:ntr].std((0, 1))
feat = (feat - mu) / sd
train_x, train_y = feat[:ntr], soc[:ntr]
val_x, val_y = feat[ntr:], soc[ntr:]


class SocNet(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(2, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        self.state = None

    def forward(self, x):
        out, h = self.gru(x, self.state)
        self.state = h.detach()
        return self.head(out).squeeze(-1)


net = SocNet()
optim = torch.optim.Adam(net.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(optim, EPOCHS, eta_min=1e-4)
huber = nn.SmoothL1Loss(beta=0.05)

for epoch in range(EPOCHS):
    net.train()
    losses = []
    for idx in torch.randperm(ntr).view(-1, BATCH):
        pred = net(train_x[idx])
        loss = huber(pred, train_y[idx])
        optim.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optim.step()
        losses.append(loss.item())
    sched.step()

    net.eval()
    with torch.no_grad():
        err = torch.cat([net(val_x[i:i + BATCH]) - val_y[i:i + BATCH] for i in range(0, len(val_x), BATCH)])
    if epoch % 5 == 4:
        print("epoch %d  train %.5f  val MAE %.2f %%SoC  (95%% quantile %.2f)" % (
            epoch + 1, np.mean(losses), 100 * err.abs().mean(), 100 * err.abs().flatten().quantile(0.95)))
