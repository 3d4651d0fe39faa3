import csv
import pathlib

import torch
import torch.nn as nn

HERE = pathlib.Path(__file__).parent
CONTEXT, HORIZON = 48, 6
BATCH, EPOCHS, LR = 64, 8, 2e-3


class LoadForecaster(nn.Module):
    def __init__(self, n_feat=3, hidden=40):
        super().__init__()
        self.rnn = nn.GRU(n_feat, hidden, batch_first=True)
        self.proj = nn.Linear(hidden, HORIZON)

    def forward(self, seq):
        out, _ = self.rnn(seq)
        return self.proj(out[:, -1])


def windows(table, lo, hi):
    starts = torch.arange(lo, hi - CONTEXT - HORIZON)
    x = torch.stack([table[s:s + CONTEXT] for s in starts])
    y = torch.stack([table[s + CONTEXT:s + CONTEXT + HORIZON, 0] for s in starts])
    return x, y


def read_site(path):
    with open(path) as fh:
        recs = [(float(r["mw"]), int(r["hour"])) for r in csv.DictReader(fh)]
    mw = torch.tensor([m for m, _ in recs])
    ang = torch.tensor([h for _, h in recs]) * (2 * torch.pi / 24)
    return mw, torch.sin(ang), torch.cos(ang)


torch.manual_seed(77)
mw, s, c = read_site(HERE / "site_load.csv")
cut = int(0.8 * len(mw))
mean, std = mw[:cut].mean(), mw[:cut].std()
table = torch.stack([(mw - mean) / std, s, c], dim=1)
xtr, ytr = windows(table, 0, cut)
xva, yva = windows(table, cut, len(mw))

net = LoadForecaster()
optim = torch.optim.Adam(net.parameters(), lr=LR)

state = torch.load(HERE / "regional.pt")
net.load_state_dict(state["net"])
optim.load_state_dict(state["optim"])
print(f"continuing from regional model, update {state['updates']}")


def validate():
    net.eval()
    with torch.no_grad():
        err = net(xva) - yva
    return err.pow(2).mean().item(), err.abs().mean().item() * std.item()


print("before adaptation: mse %.4f, mae %.1f MW" % validate())
for epoch in range(EPOCHS):
    net.train()
    running = []
    for idx in torch.randperm(len(xtr)).split(BATCH):
        loss = nn.functional.mse_loss(net(xtr[idx]), ytr[idx])
        optim.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optim.step()
        running.append(loss.item())
    print("epoch %d train mse %.4f | val mse %.4f, mae %.1f MW" % (epoch, sum(running) / len(running), *validate()))
