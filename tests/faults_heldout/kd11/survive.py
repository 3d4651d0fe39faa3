import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from coxnet.trainer import Trainer

SEED = 19
COLS = ["age", "stage", "marker", "hb", "smoker", "bmi", "crp", "arm"]


class RiskNet(nn.Module):
    def __init__(self, n_in, h=32, p=0.15):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_in, h), nn.SELU(), nn.Dropout(p),
                                 nn.Linear(h, h), nn.SELU(), nn.Dropout(p), nn.Linear(h, 1, bias=False))

    def forward(self, x):
        return self.net(x).squeeze(1)


def load():
    tab = np.genfromtxt("cohort.csv", delimiter=",", names=True)
    x = np.stack([np.log(tab[c]) if c in ("marker", "crp") else tab[c] for c in COLS], 1)
    x, t, e = (torch.tensor(a, dtype=torch.float32) for a in (x, tab["months"], tab["event"]))
    i = torch.randperm(len(x))
    parts = i[:1700], i[1700:2100], i[2100:]
    m, s = x[parts[0]].mean(0), x[parts[0]].std(0)
    x = (x - m) / s
    return [(x[p], t[p], e[p]) for p in parts]


if __name__ == "__main__":
    torch.manual_seed(SEED)
    train, val, test = load()
    print("patients", [len(p[0]) for p in (train, val, test)], "events %.2f" % train[2].mean())
    model = RiskNet(len(COLS))
    opt = torch.optim.AdamW(model.parameters(), lr=4e-4, weight_decay=1e-2)
    loader = DataLoader(TensorDataset(*train), batch_size=170, shuffle=True)
    trainer = Trainer(model, opt)
    # the likelihood depends on the size of the risk set, so val and train differ by a constant
    trainer.fit(loader, val, max_epochs=90)
    print("test c-index %.4f, train c-index %.4f" % (trainer.evaluate(test)[1], trainer.evaluate(train)[1]))
