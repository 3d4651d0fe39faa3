# Autoencoder for pump-station telemetry. Learns to reproduce normal operation;
# a high reconstruction error on new data raises a maintenance alarm.
import json
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

ROOT = Path(__file__).parent

HP = {
    "latent": 6,
    "width": 64,
    "epochs": 40,
    "batch": 64,
    "lr": 1e-3,
    "noise": 0.05,
    "seed": 99,
}


class TelemetryAE(nn.Module):
    def __init__(self, n_channels, width, latent):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(n_channels, width),
            nn.ReLU(),
            nn.Linear(width, width // 2),
            nn.ReLU(),
            nn.Linear(width // 2, latent),
        )
        self.decoder = nn.Sequential(
            nn.Linear(latent, width // 2),
            nn.ReLU(),
            nn.Linear(width // 2, width),
            nn.ReLU(),
            nn.Linear(width, n_channels),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Trainer:
    def __init__(self, model, hp):
        self.model = model
        self.hp = hp
        self.opt = torch.optim.Adam(model.parameters(), lr=hp["lr"])
        self.loss_fn = nn.MSELoss()
        self.history = []

    def fit(self, x_train, x_val):
        hp = self.hp
        for epoch in range(hp["epochs"]):
            self.model.train()
            order = torch.randperm(len(x_train))
            total = 0.0
            for start in range(0, len(order), hp["batch"]):
                clean = x_train[order[start:start + hp["batch"]]]
                noisy = clean + hp["noise"] * torch.randn_like(clean)
                recon = self.model(noisy)
                loss = self.loss_fn(recon, clean)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total += loss.item() * len(clean)
            record = {"epoch": epoch, "train": total / len(x_train), "val": self.reconstruction(x_val).mean().item()}
            self.history.append(record)
            if epoch % 4 == 3:
                print("epoch {epoch:3d}  recon train {train:.4f}  recon val {val:.4f}".format(**record))

    @torch.no_grad()
    def reconstruction(self, x):
        self.model.eval()
        return ((self.model(x) - x) ** 2).mean(dim=1)


def load_telemetry():
    z = np.load(ROOT / "pumps.npz")
    scaler = StandardScaler().fit(z["train"])
    as_tensor = lambda a: torch.from_numpy(scaler.transform(a).astype(np.float32))
    return as_tensor(z["train"]), as_tensor(z["val"]), as_tensor(z["test"]), z["test_is_fault"]


def main():
    torch.manual_seed(HP["seed"])
    x_train, x_val, x_test, is_fault = load_telemetry()
    print("channels", x_train.shape[1], "train", len(x_train), "val", len(x_val), "test", len(x_test))

    model = TelemetryAE(x_train.shape[1], HP["width"], HP["latent"])
    trainer = Trainer(model, HP)
    tic = time.perf_counter()
    trainer.fit(x_train, x_val)
    print(f"training took {time.perf_counter() - tic:.1f}s")

    err = trainer.reconstruction(x_test).numpy()
    threshold = np.quantile(trainer.reconstruction(x_val).numpy(), 0.99)
    explained = 1 - trainer.reconstruction(x_val).mean().item() / x_val.var().item()
    print(json.dumps({
        "explained_variance": round(explained, 4),
        "auroc": round(float(roc_auc_score(is_fault, err)), 4),
        "alarm_rate_faults": round(float((err[is_fault == 1] > threshold).mean()), 4),
        "alarm_rate_normal": round(float((err[is_fault == 0] > threshold).mean()), 4),
    }))


if __name__ == "__main__":
    main()
