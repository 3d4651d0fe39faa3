"""Fraud-style tabular classifier: rare positives, weighted BCE, gradient accumulation."""
import tomllib
from pathlib import Path

import torch
from sklearn.datasets import make_classification
from sklearn.metrics import average_precision_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FraudTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["train"]["seed"])
        self._build_data()
        self.model = nn.Sequential(
            nn.Linear(self.n_features, 64), nn.LayerNorm(64), nn.SiLU(), nn.Dropout(0.1),
            nn.Linear(64, 32), nn.SiLU(), nn.Linear(32, 1),
        )
        ratio = (self.y_train == 0).sum() / (self.y_train == 1).sum()
        self.criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(float(ratio)))
        t = cfg["train"]
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=t["lr"], weight_decay=t["weight_decay"])

    def _build_data(self):
        d = self.cfg["data"]
        X, y = make_classification(
            n_samples=d["samples"], n_features=20, n_informative=8, n_redundant=4, n_clusters_per_class=2,
            weights=[1 - d["positive_rate"]], flip_y=0.005, class_sep=1.2, random_state=3,
        )
        xt, xv, self.y_train, self.y_val = train_test_split(X, y, test_size=d["val_share"], stratify=y, random_state=0)
        scaler = StandardScaler().fit(xt)
        as_tensor = lambda a: torch.tensor(a, dtype=torch.float32)
        self.n_features = xt.shape[1]
        train = TensorDataset(as_tensor(scaler.transform(xt)), as_tensor(self.y_train))
        self.loader = DataLoader(train, batch_size=self.cfg["train"]["micro_batch"], shuffle=True, drop_last=True)
        self.x_val = as_tensor(scaler.transform(xv))

    def train_epoch(self):
        self.model.train()
        k = self.cfg["train"]["accumulate"]
        total = 0.0
        usable = len(self.loader) - len(self.loader) % k
        self.optimizer.zero_grad()
        for i, (x, y) in enumerate(self.loader):
            if i >= usable:
                break
            loss = self.criterion(self.model(x).squeeze(1), y)
            (loss / k).backward()
            total += loss.item()
            if (i + 1) % k == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return total / usable

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        score = torch.sigmoid(self.model(self.x_val).squeeze(1)).numpy()
        return roc_auc_score(self.y_val, score), average_precision_score(self.y_val, score)

    def fit(self):
        for epoch in range(self.cfg["train"]["epochs"]):
            loss = self.train_epoch()
            auc, ap = self.validate()
            print(f"epoch {epoch + 1:2d}/{self.cfg['train']['epochs']} loss={loss:.4f} auc={auc:.4f} ap={ap:.4f}")


if __name__ == "__main__":
    FraudTrainer(tomllib.loads((Path(__file__).parent / "config.toml").read_text())).fit()
