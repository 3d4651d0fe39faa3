import lightning as L
import torch
from torch import nn


class NIRRegressor(L.LightningModule):
    """Calibration network for near-infrared spectra of ground wheat."""

    def __init__(self, n_bands=72, hidden=64, embed=32, lr=1e-3, weight_decay=1e-4):
        super().__init__()
        self.save_hyperparameters()
        self.encoder = nn.Sequential(
            nn.Linear(n_bands, hidden), nn.LayerNorm(hidden), nn.GELU(),
            nn.Linear(hidden, embed), nn.GELU(),
        )
        self.head = nn.Linear(embed, 1)
        self.curve = []

    def forward(self, x):
        return self.head(self.encoder(x)).squeeze(-1)

    def training_step(self, batch, _):
        x, y = batch
        loss = nn.functional.mse_loss(self(x), y)
        self.log("train_mse", loss, on_step=False, on_epoch=True)
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        self.log("val_mse", nn.functional.mse_loss(self(x), y), on_epoch=True)

    def on_train_epoch_end(self):
        m = self.trainer.callback_metrics
        self.curve.append((float(m["train_mse"]), float(m["val_mse"])))
        if (self.current_epoch + 1) % 5 == 0:
            print(f"epoch {self.current_epoch + 1:3d}  train mse {self.curve[-1][0]:.4f}  val mse {self.curve[-1][1]:.4f}")

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.lr,
                                 weight_decay=self.hparams.weight_decay)
