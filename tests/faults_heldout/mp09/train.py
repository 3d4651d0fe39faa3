"""Yearly energy use of homes from survey data. Tabular net on the Hugging Face Trainer."""
import argparse
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from datasets import Dataset
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn
from transformers import EarlyStoppingCallback, Trainer, TrainingArguments, set_seed

HERE = Path(__file__).resolve().parent
TARGET = "mwh_per_year"


class HomeNet(nn.Module):
    def __init__(self, n_features, width=64, blocks=2, dropout=0.05):
        super().__init__()
        self.inp = nn.Linear(n_features, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.SiLU(), nn.Dropout(dropout),
                          nn.Linear(width, width))
            for _ in range(blocks))
        self.out = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 1))

    def forward(self, features, labels=None):
        h = self.inp(features)
        for block in self.blocks:
            h = h + block(h)
        pred = self.out(h).squeeze(-1)
        if labels is None:
            return {"logits": pred}
        return {"loss": nn.functional.huber_loss(pred, labels), "logits": pred}


def to_dataset(x, y):
    return Dataset.from_dict({"features": x.astype("float32"), "labels": y.astype("float32")}).with_format("torch")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seed", type=int, default=2)
    opt = parser.parse_args()
    set_seed(opt.seed)

    homes = pd.read_csv(HERE / "homes.csv")
    train, val = train_test_split(homes, test_size=0.25, random_state=0)
    names = [c for c in homes.columns if c != TARGET]
    xs, ys = StandardScaler().fit(train[names]), StandardScaler().fit(train[[TARGET]])
    unit = float(ys.scale_[0])
    x_tr, x_va = xs.transform(train[names]), xs.transform(val[names])
    y_tr, y_va = ys.transform(train[[TARGET]])[:, 0], ys.transform(val[[TARGET]])[:, 0]

    linear = LinearRegression().fit(x_tr, y_tr)
    print(f"linear regression: val rmse {np.sqrt(np.mean((linear.predict(x_va) - y_va) ** 2)) * unit:.3f} MWh")

    def metrics(p):
        err = (p.predictions - p.label_ids) * unit
        return {"rmse": float(np.sqrt(np.mean(err ** 2))), "mae": float(np.mean(np.abs(err)))}

    with tempfile.TemporaryDirectory() as out:
        args = TrainingArguments(
            output_dir=out,
            seed=opt.seed,
            use_cpu=True,
            report_to=[],
            disable_tqdm=True,
            num_train_epochs=opt.epochs,
            per_device_train_batch_size=opt.batch,
            per_device_eval_batch_size=256,
            learning_rate=opt.lr,
            lr_scheduler_type="constant_with_warmup",
            warmup_steps=20,
            weight_decay=0.01,
            eval_strategy="epoch",
            save_strategy="epoch",
            logging_strategy="epoch",
            save_total_limit=2,
            load_best_model_at_end=True,
            metric_for_best_model="rmse",
        )
        trainer = Trainer(
            model=HomeNet(len(names)),
            args=args,
            train_dataset=to_dataset(x_tr, y_tr),
            eval_dataset=to_dataset(x_va, y_va),
            compute_metrics=metrics,
            callbacks=[EarlyStoppingCallback(early_stopping_patience=6)],
        )
        trainer.train()
        final = trainer.evaluate()
    print(f"kept model: val rmse {final['eval_rmse']:.3f} MWh, mae {final['eval_mae']:.3f} MWh")


if __name__ == "__main__":
    main()
