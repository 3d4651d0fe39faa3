import json
import time
from pathlib import Path

import torch

from graphs import FragmentStore
from layers import SolubilityNet


class Trainer:
    def __init__(self, folder):
        self.cfg = json.loads((folder / "settings.json").read_text())
        torch.manual_seed(self.cfg["seed"])
        self.store = FragmentStore(folder / self.cfg["library"])
        order = torch.randperm(len(self.store))
        cut = int(0.8 * len(order))
        self.fit_ids, self.val_ids = order[:cut], order[cut:]
        self.center = self.store.target[self.fit_ids].mean()
        self.scale = self.store.target[self.fit_ids].std()
        self.net = SolubilityNet(self.store.atoms.shape[1], **self.cfg["net"])
        self.optim = torch.optim.AdamW(self.net.parameters(), lr=self.cfg["lr"], weight_decay=self.cfg["weight_decay"])
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.optim, self.cfg["epochs"])

    def loss(self, ids):
        batch = self.store.collate(ids)
        return torch.nn.functional.mse_loss(self.net(batch), (batch.target - self.center) / self.scale)

    def epoch(self):
        self.net.train()
        chunks = self.fit_ids[torch.randperm(len(self.fit_ids))].split(self.cfg["batch"])
        total = 0.0
        for ids in chunks:
            loss = self.loss(ids)
            self.optim.zero_grad()
            loss.backward()
            self.optim.step()
            total += loss.item() * len(ids)
        self.sched.step()
        return total / len(self.fit_ids)

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        return self.loss(self.val_ids).item()

    def run(self):
        start = time.perf_counter()
        for n in range(1, self.cfg["epochs"] + 1):
            train = self.epoch()
            if n % self.cfg["report_every"] == 0:
                print(f"{n:4d}  mse {train:.4f}  val {self.validate():.4f}  ({time.perf_counter() - start:.1f}s)", flush=True)


if __name__ == "__main__":
    Trainer(Path(__file__).resolve().parent).run()
