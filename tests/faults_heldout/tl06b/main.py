"""Meter-reading digits (UCI optical digits) with home-grown training parts."""
import sys

import numpy as np
import torch
import torch.nn.functional as F
import yaml
from sklearn.datasets import load_digits

from engine import SignMomentum, Trainer
from nets import Digit

conf = yaml.safe_load(open(sys.argv[1] if len(sys.argv) > 1 else "conf.yaml"))
torch.manual_seed(conf["seed"])

bunch = load_digits()
pix = torch.tensor(bunch.images, dtype=torch.float32).unsqueeze(1) / 16.0
lab = torch.tensor(bunch.target)
order = torch.from_numpy(np.random.default_rng(2024).permutation(len(lab)))
test, train = order[:400], order[400:]
pix = (pix - pix[train].mean()) / pix[train].std()

net = Digit(conf["net"]["width"], conf["net"]["drop"])
opt = SignMomentum(net.parameters(), **conf["optimizer"])
trainer = Trainer(
    net, opt, F.cross_entropy,
    (pix[train], lab[train]), (pix[test], lab[test]),
    batch=conf["batch"], epochs=conf["epochs"], seed=conf["seed"],
)
print(f"final accuracy {trainer.fit():.4f} on {len(test)} digits")
