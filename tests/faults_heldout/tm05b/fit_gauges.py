"""Surrogate for four girder gauges of a road bridge: truck crossing -> stress change per gauge."""
import logging
import warnings

import lightning as L
import numpy as np
import pandas as pd
import torch
from sklearn.metrics import mean_absolute_error, r2_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)

SEED = 5
INPUTS = ["axle_front_kN", "axle_rear_kN", "wheelbase_m", "pos_m", "lane_offset_m", "speed_kmh", "deck_temp_C"]
GAUGES = ["G1", "G2", "G3", "G4"]


class GaugeModel(L.LightningModule):
    def __init__(self, n_in, n_out, lr, epochs):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, 64), nn.GELU(),
            nn.Linear(64, 64), nn.GELU(),
            nn.Linear(64, n_out),
        )
        self.lr, self.epochs = lr, epochs
        self.train_losses = []

    def forward(self, x):
        return self.net(x)

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.mse_loss(self(x), y)
        self.train_losses.append(loss.item())
        return loss

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("val_loss", nn.functional.mse_loss(self(x), y))

    def on_validation_epoch_end(self):
        if self.train_losses and self.current_epoch % 5 == 4:
            print(f"epoch {self.current_epoch + 1:3d}  train mse {np.mean(self.train_losses):.5g}  "
                  f"val mse {self.trainer.callback_metrics['val_loss']:.5g}")
        self.train_losses.clear()

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=self.lr)
        return [opt], [torch.optim.lr_scheduler.CosineAnnealingLR(opt, self.epochs)]


def main():
    L.seed_everything(SEED, verbose=False)
    table = pd.read_csv("crossings.csv")
    train, test = train_test_split(table, test_size=0.25, random_state=SEED)
    scaler = StandardScaler().fit(train[INPUTS])

    def dataset(part):
        x = scaler.transform(part[INPUTS]).astype(np.float32)
        y = part[GAUGES].to_numpy(np.float32)
        return TensorDataset(torch.from_numpy(x), torch.from_numpy(y))

    train_ds, test_ds = dataset(train), dataset(test)
    epochs = 50
    model = GaugeModel(len(INPUTS), len(GAUGES), lr=5e-3, epochs=epochs)
    trainer = L.Trainer(max_epochs=epochs, accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(model, DataLoader(train_ds, 50, shuffle=True), DataLoader(test_ds, 350))

    model.eval()
    with torch.no_grad():
        pred = model(test_ds.tensors[0]).numpy()
    obs = test_ds.tensors[1].numpy()
    for j, name in enumerate(GAUGES):
        print(f"{name}: R2 {r2_score(obs[:, j], pred[:, j]):.3f}  MAE {mean_absolute_error(obs[:, j], pred[:, j]):.4g}")


if __name__ == "__main__":
    main()
