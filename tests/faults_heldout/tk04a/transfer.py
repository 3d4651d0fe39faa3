"""Carry the protein calibration of the bench instrument over to moisture on the new probe."""
import argparse
import logging
import warnings
from pathlib import Path

import lightning as L
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from nirmodel import NIRRegressor

HERE = Path(__file__).parent
warnings.filterwarnings("ignore", ".*num_workers.*")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)


def snv(spectra):
    """Standard normal variate: removes the scatter offset and slope of each spectrum."""
    return (spectra - spectra.mean(1, keepdims=True)) / spectra.std(1, keepdims=True)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--base", default="bench_protein.ckpt")
    ap.add_argument("--epochs", type=int, default=40)
    ap.add_argument("--seed", type=int, default=8)
    args = ap.parse_args()
    L.seed_everything(args.seed, verbose=False)

    d = np.load(HERE / "probe_moisture.npz")
    x = torch.tensor(snv(d["absorbance"].astype(np.float32)))
    y = torch.tensor(d["moisture"].astype(np.float32))
    n_train = 600
    mean, std = y[:n_train].mean(), y[:n_train].std()
    z = (y - mean) / std
    train = DataLoader(TensorDataset(x[:n_train], z[:n_train]), batch_size=24, shuffle=True)
    valid = DataLoader(TensorDataset(x[n_train:], z[n_train:]), batch_size=256)

    model = NIRRegressor.load_from_checkpoint(HERE / args.base, map_location="cpu")
    model.head = nn.Linear(model.hparams.embed, 1)

    trainer = L.Trainer(max_epochs=args.epochs, accelerator="cpu", devices=1, logger=False,
                        enable_checkpointing=False, enable_progress_bar=False,
                        enable_model_summary=False, num_sanity_val_steps=0)
    trainer.fit(model, train, valid)

    model.eval()
    with torch.no_grad():
        pred = model(x[n_train:]) * std + mean
    true = y[n_train:]
    rmse = (pred - true).pow(2).mean().sqrt().item()
    r2 = 1 - ((pred - true).pow(2).sum() / (true - true.mean()).pow(2).sum()).item()
    print(f"moisture on held-out samples: RMSEP {rmse:.3f} %  R2 {r2:.3f}")


if __name__ == "__main__":
    main()
