from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader, TensorDataset

from churn.net import TabNet
from churn.tables import read_table


@dataclass
class Settings:
    epochs: int = 8
    batch_size: int = 64
    lr: float = 2e-3
    weight_decay: float = 1e-3
    seed: int = 3


class Experiment:
    def __init__(self, s: Settings):
        torch.manual_seed(s.seed)
        self.s = s
        base = Path(__file__).parent / "tables"
        self.train = TensorDataset(*read_table(base / "train.csv"))
        self.valid = read_table(base / "valid.csv")
        self.net = TabNet()
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=s.lr, weight_decay=s.weight_decay)

    def fit_epoch(self):
        self.net.train()
        tot = 0.0
        for num, cat, y in DataLoader(self.train, self.s.batch_size, shuffle=True):
            loss = F.binary_cross_entropy_with_logits(self.net(num, cat), y)
            self.opt.zero_grad(set_to_none=True)
            loss.backward()
            self.opt.step()
            tot += loss.item() * len(y)
        return tot / len(self.train)

    @torch.inference_mode()
    def validate(self):
        self.net.eval()
        num, cat, y = self.valid
        z = self.net(num, cat)
        return F.binary_cross_entropy_with_logits(z, y).item(), roc_auc_score(y.numpy(), z.numpy())

    def run(self):
        for e in range(self.s.epochs):
            tr = self.fit_epoch()
            vl, auc = self.validate()
            print(f"epoch={e} train_bce={tr:.4f} valid_bce={vl:.4f} valid_auc={auc:.4f}", flush=True)


if __name__ == "__main__":
    Experiment(Settings()).run()
