import configparser
import pathlib

import torch
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

from model import DigitVAE, Objective

ini = configparser.ConfigParser()
ini.read(pathlib.Path(__file__).parent / "vae.ini")
tr = ini["train"]
torch.manual_seed(tr.getint("seed"))

digits = torch.tensor(load_digits().data, dtype=torch.float32) / 16
perm = torch.randperm(len(digits))
n_test = int(len(digits) * ini.getfloat("data", "test_share"))
test, train = digits[perm[:n_test]], digits[perm[n_test:]]
loader = DataLoader(TensorDataset(train), batch_size=ini.getint("data", "batch"), shuffle=True)

vae = DigitVAE(digits.shape[1], ini.getint("model", "hidden"), ini.getint("model", "latent"))
objective = Objective(ini.getfloat("objective", "recon_weight"), ini.getfloat("objective", "kl_weight"))
opt = torch.optim.Adam(vae.parameters(), lr=tr.getfloat("lr"))


def report(epoch, sums, n):
    vae.eval()
    with torch.no_grad():
        out, mu, logvar = vae(test)
        _, recon, kl = objective(test, out, mu, logvar)
        explained = 1 - (out - test).pow(2).sum() / (test - train.mean(0)).pow(2).sum()
    print(f"{epoch:3d} | loss {sums[0] / n:.4f} (recon {sums[1] / n:.4f}, kl {sums[2] / n:.3f})"
          f" | test recon {recon:.4f} kl {kl:.3f} explained {explained:.3f}")


for epoch in range(1, tr.getint("epochs") + 1):
    vae.train()
    sums, n = [0.0, 0.0, 0.0], 0
    for (x,) in loader:
        out, mu, logvar = vae(x)
        loss, recon, kl = objective(x, out, mu, logvar)
        opt.zero_grad()
        loss.backward()
        opt.step()
        for k, v in enumerate((loss, recon, kl)):
            sums[k] += v.item() * len(x)
        n += len(x)
    if epoch % 6 == 0:
        report(epoch, sums, n)
