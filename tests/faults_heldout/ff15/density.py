import pathlib
from types import SimpleNamespace

import numpy as np
import torch

from flow import RealNVP, prepare

cfg = SimpleNamespace(precision="bf16", lr=3e-4, batch=48, epochs=12, seed=6)

torch.manual_seed(cfg.seed)
x = torch.from_numpy(np.load(pathlib.Path(__file__).with_name("sensors.npy")))
train, valid = x[:4000], x[4000:]
mu, sd = train.mean(0), train.std(0)
train, valid = (train - mu) / sd, (valid - mu) / sd

model, autocast = prepare(RealNVP(x.shape[1]), cfg.precision)
opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)

gauss = torch.distributions.MultivariateNormal(torch.zeros(x.shape[1]), torch.from_numpy(np.cov(train.T.numpy())).float())
print(f"full-covariance gaussian: valid nll {-gauss.log_prob(valid).mean():.4f}")
for epoch in range(cfg.epochs):
    model.train()
    run = []
    for idx in torch.randperm(len(train)).split(cfg.batch):
        with autocast():
            nll = -model.log_prob(train[idx]).mean()
        opt.zero_grad(set_to_none=True)
        nll.backward()
        opt.step()
        run.append(nll.item())
    model.eval()
    with torch.no_grad(), autocast():
        v = -model.log_prob(valid).mean().item()
    print(f"epoch {epoch + 1:2d} train nll {np.mean(run):.4f} valid nll {v:.4f}")
