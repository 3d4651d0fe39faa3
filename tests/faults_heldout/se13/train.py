"""Density model of six gait features; objective is the mean negative log-likelihood (nats)."""
from pathlib import Path

import numpy as np
import torch
from scipy.stats import ks_2samp, multivariate_normal

from flow import RealNVP

EPOCHS = 27
BATCH = 128


def nll(model, x):
    model.eval()
    with torch.no_grad():
        return -model.log_prob(x).mean().item()


if __name__ == "__main__":
    torch.manual_seed(31)
    raw = np.load(Path(__file__).parent / "gait_features.npy")
    rng = np.random.default_rng(31)
    raw = raw[rng.permutation(len(raw))]
    train_np, val_np, test_np = raw[:5000], raw[5000:6000], raw[6000:]
    mean, std = train_np.mean(0), train_np.std(0)
    train, val, test = (torch.from_numpy((a - mean) / std) for a in (train_np, val_np, test_np))

    gauss = multivariate_normal(train.mean(0).numpy(), np.cov(train.numpy().T))
    print(f"full-covariance Gaussian: val nll {-gauss.logpdf(val.numpy()).mean():.3f}")

    model = RealNVP(train.shape[1])
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    steps = EPOCHS * (len(train) // BATCH)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps, eta_min=1e-5)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        perm = torch.randperm(len(train))
        losses = []
        for k in range(len(train) // BATCH):
            batch = train[perm[k * BATCH:(k + 1) * BATCH]]
            loss = -model.log_prob(batch).mean()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            sched.step()
            losses.append(loss.item())
        if epoch % 3 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}  train nll {np.mean(losses):+.3f}  val nll {nll(model, val):+.3f}")

    fake = model.sample(2000).numpy()
    ks = [ks_2samp(fake[:, j], test[:, j].numpy()).statistic for j in range(test.shape[1])]
    print(f"test nll {nll(model, test):+.3f}; marginal KS of samples: " + " ".join(f"{k:.3f}" for k in ks))
