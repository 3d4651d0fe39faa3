"""Cox model with a neural risk score for time to relapse."""
import configparser

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Cohort(Dataset):
    def __init__(self, table):
        self.x = torch.tensor(table[:, :-2])
        self.time = torch.tensor(table[:, -2])
        self.event = torch.tensor(table[:, -1])

    def __len__(self):
        return len(self.time)

    def __getitem__(self, i):
        return self.x[i], self.time[i], self.event[i]


def cox_loss(risk, time, event):
    order = time.argsort(descending=True)
    risk, event = risk[order], event[order]
    return -((risk - risk.logcumsumexp(0)) * event).sum() / event.sum().clamp(min=1)


def concordance(risk, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    better = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (better[earlier].sum() / earlier.sum()).item()


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        tab = np.loadtxt(cfg["data"]["table"], delimiter=",", skiprows=1, dtype=np.float32)
        n = int(len(tab) * cfg.getfloat("data", "train_share"))
        mu, sd = tab[:n, :-2].mean(0), tab[:n, :-2].std(0)
        tab[:, :-2] = (tab[:, :-2] - mu) / sd
        size = cfg.getint("fit", "batch")
        self.loaders = {
            part: DataLoader(Cohort(rows), batch_size=size, shuffle=True)
            for part, rows in (("train", tab[:n]), ("valid", tab[n:]))
        }
        self.net = nn.Sequential(nn.Linear(tab.shape[1] - 2, 32), nn.SiLU(), nn.Dropout(0.1), nn.Linear(32, 1))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.getfloat("fit", "lr"), weight_decay=1e-2)

    def epoch(self):
        self.net.train()
        out = []
        for x, t, e in self.loaders["train"]:
            loss = cox_loss(self.net(x).squeeze(1), t, e)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            out.append(loss.item())
        return sum(out) / len(out)

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        loader = self.loaders["valid"]
        risk = torch.cat([self.net(x).squeeze(1) for x, _, _ in loader])
        time = torch.cat([t for _, t, _ in loader])
        event = torch.cat([e for _, _, e in loader])
        return concordance(risk, time, event)

    def fit(self):
        for k in range(self.cfg.getint("fit", "epochs")):
            loss = self.epoch()
            if k % 3 == 2:
                print(f"epoch {k + 1:2d}  partial likelihood {loss:.4f}  c-index {self.validate():.3f}")


if __name__ == "__main__":
    cfg = configparser.ConfigParser()
    cfg.read("relapse.ini")
    torch.manual_seed(cfg.getint("fit", "seed"))
    Trainer(cfg).fit()
