"""Predict the stars a user gives a recipe (embeddings plus context, lightning)."""
import logging
import warnings
from pathlib import Path

import lightning as L
import numpy as np
import pandas as pd
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
warnings.filterwarnings("ignore")
HERE = Path(__file__).resolve().parent


class RatingModel(L.LightningModule):
    def __init__(self, n_users, n_recipes, mean_stars, dim=8, hidden=48, lr=3e-3, weight_decay=0.1):
        super().__init__()
        self.lr, self.weight_decay = lr, weight_decay
        self.user = nn.Embedding(n_users, dim)
        self.recipe = nn.Embedding(n_recipes, dim)
        for table in (self.user, self.recipe):
            nn.init.normal_(table.weight, std=0.1)
        self.context = nn.Linear(3, dim)
        self.tower = nn.Sequential(
            nn.Linear(4 * dim, hidden), nn.LayerNorm(hidden), nn.GELU(), nn.Dropout(0.15),
            nn.Linear(hidden, hidden // 2), nn.GELU(), nn.Linear(hidden // 2, 1),
        )
        self.register_buffer("mean_stars", torch.tensor(float(mean_stars)))
        self.history = []

    def forward(self, ids, ctx):
        u, r = self.user(ids[:, 0]), self.recipe(ids[:, 1])
        z = torch.cat([u, r, 4 * u * r, self.context(ctx)], dim=-1)
        return self.mean_stars + self.tower(z).squeeze(-1)

    def training_step(self, batch, _):
        ids, ctx, stars = batch
        loss = F.mse_loss(self(ids, ctx), stars)
        self.history.append(loss.item())
        return loss

    def validation_step(self, batch, _):
        ids, ctx, stars = batch
        self.log("val_mse", F.mse_loss(self(ids, ctx), stars), batch_size=len(stars))

    def on_train_epoch_end(self):
        rmse = self.trainer.callback_metrics["val_mse"].item() ** 0.5
        print(f"epoch {self.current_epoch + 1:2d}  train mse {np.mean(self.history):.4f}  val rmse {rmse:.4f}")
        self.history = []

    def configure_optimizers(self):
        decay, no_decay = [], []
        for module in self.modules():
            for name, param in module.named_parameters(recurse=False):
                if name == "bias" or isinstance(module, nn.LayerNorm):
                    no_decay.append(param)
                elif isinstance(module, nn.Linear):
                    decay.append(param)
        optimizer = torch.optim.AdamW(
            [{"params": decay, "weight_decay": self.weight_decay}, {"params": no_decay, "weight_decay": 0.0}],
            lr=self.lr)
        scheduler = torch.optim.lr_scheduler.OneCycleLR(
            optimizer, max_lr=self.lr, total_steps=int(self.trainer.estimated_stepping_batches))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": scheduler, "interval": "step"}}


def load(frame):
    hour = frame["hour"].to_numpy() * (2 * np.pi / 24)
    ctx = np.stack([np.sin(hour), np.cos(hour), frame["weekend"].to_numpy()], axis=1).astype("float32")
    ids = frame[["user", "recipe"]].to_numpy().copy()
    stars = frame["stars"].to_numpy("float32").copy()
    return TensorDataset(torch.from_numpy(ids), torch.from_numpy(ctx), torch.from_numpy(stars))


if __name__ == "__main__":
    L.seed_everything(9, verbose=False)
    ratings = pd.read_csv(HERE / "ratings.csv")
    val = ratings.sample(frac=0.2, random_state=1)
    train = ratings.drop(val.index)
    print(f"{len(train)} train ratings, {len(val)} val ratings, std of val stars {val['stars'].std():.3f}")

    model = RatingModel(ratings["user"].max() + 1, ratings["recipe"].max() + 1, train["stars"].mean())
    trainer = L.Trainer(max_epochs=14, accelerator="cpu", logger=False, enable_checkpointing=False,
                        enable_progress_bar=False, enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(model, DataLoader(load(train), batch_size=64, shuffle=True),
                DataLoader(load(val), batch_size=600))
