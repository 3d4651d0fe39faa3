import torch
import yaml
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from bearing import STATES, dataset


class RigNet(nn.Module):
    def __init__(self, c):
        super().__init__()
        layers, prev = [], 1
        for k in c:
            layers += [nn.Conv1d(prev, k, 9, padding=4, bias=False), nn.BatchNorm1d(k), nn.ReLU(), nn.MaxPool1d(2)]
            prev = k
        self.features = nn.Sequential(*layers)
        self.hidden = nn.Linear(prev, 32)
        self.out = nn.Linear(32, len(STATES))

    def forward(self, x):
        z = self.features(x).mean(-1)
        return self.out(torch.relu(self.hidden(z)))


def build_optimizer(model, lr, weight_decay):
    decay = [p for p in model.parameters() if p.ndim == 2]
    no_decay = [p for p in model.parameters() if p.ndim == 1]
    groups = [{"params": decay, "weight_decay": weight_decay}, {"params": no_decay, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr)


def evaluate(model, loader):
    model.eval()
    loss = hit = n = 0
    with torch.no_grad():
        for x, y in loader:
            out = model(x)
            loss += nn.functional.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            n += len(y)
    return loss / n, hit / n


def main():
    cfg = yaml.safe_load(open("rig.yaml"))
    torch.manual_seed(cfg["seed"])
    xtr, ytr = map(torch.from_numpy, dataset(cfg["train"], 10))
    xva, yva = map(torch.from_numpy, dataset(cfg["valid"], 20))
    mu, sd = xtr.mean(), xtr.std()
    train = DataLoader(TensorDataset((xtr - mu) / sd, ytr), cfg["batch"], shuffle=True)
    valid = DataLoader(TensorDataset((xva - mu) / sd, yva), 250)

    model = RigNet(cfg["channels"])
    opt = build_optimizer(model, cfg["lr"], cfg["weight_decay"])
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg["lr"], epochs=cfg["epochs"], steps_per_epoch=len(train))
    for epoch in range(cfg["epochs"]):
        model.train()
        tot = 0.0
        for x, y in train:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item()
        vl, va = evaluate(model, valid)
        print(f"epoch {epoch + 1:2d}/{cfg['epochs']} train loss {tot / len(train):.4f} valid loss {vl:.4f} acc {va:.3f}")


if __name__ == "__main__":
    main()
