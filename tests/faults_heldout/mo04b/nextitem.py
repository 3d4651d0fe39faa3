# Next-item recommendation from short shop sessions
import json
from pathlib import Path

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

here = Path(__file__).parent
cfg = json.loads((here / "shop.json").read_text())
DTYPE = getattr(torch, cfg["param_dtype"])


class SessionModel(nn.Module):
    def __init__(self, items, dim, drop):
        super().__init__()
        self.item = nn.Embedding(items, dim)
        nn.init.normal_(self.item.weight, std=0.1)
        self.mix = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Dropout(drop), nn.Linear(dim, dim))
        self.bias = nn.Parameter(torch.zeros(items))

    def forward(self, hist):
        e = self.item(hist)
        user = self.mix(torch.cat([e.mean(1), e[:, -1]], -1))
        return user @ self.item.weight.T + self.bias


class Trainer:
    def __init__(self, sessions):
        torch.manual_seed(cfg["seed"])
        order = torch.randperm(len(sessions))
        n = int(0.85 * len(sessions))
        s = torch.from_numpy(sessions.astype(np.int64))
        self.tr, self.va = s[order[:n]], s[order[n:]]
        self.model = SessionModel(int(s.max()) + 1, cfg["dim"], cfg["dropout"]).to(DTYPE)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"], betas=tuple(cfg["betas"]), eps=cfg["eps"])

    def step(self, rows):
        logits = self.model(rows[:, :-1])
        loss = F.cross_entropy(logits.float(), rows[:, -1])
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        logits = self.model(self.va[:, :-1]).float()
        top = logits.topk(10, -1).indices
        hit = (top == self.va[:, -1:]).any(-1).float().mean().item()
        self.model.train()
        return F.cross_entropy(logits, self.va[:, -1]).item(), hit

    def run(self):
        for epoch in range(cfg["epochs"]):
            losses = [self.step(self.tr[b]) for b in torch.randperm(len(self.tr)).split(cfg["batch"])]
            vl, hit = self.validate()
            print(f"[{epoch + 1}/{cfg['epochs']}] train={np.mean(losses):.4f} valid={vl:.4f} hit@10={hit:.4f}", flush=True)


if __name__ == "__main__":
    Trainer(np.load(here / "sessions.npz")["sessions"]).run()
