import os
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from torch.utils.data import DataLoader, TensorDataset, random_split

from vae import VAE, kl_divergence


def load_env(path):
    for line in path.read_text().splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            name, value = line.split("=", 1)
            os.environ.setdefault(name, value)


def env(name, cast):
    return cast(os.environ[name])


load_env(Path(__file__).resolve().parent / ".env")
SEED = env("SEED", int)
KL_WEIGHT = env("KL_WEIGHT", float)
EPOCHS = env("EPOCHS", int)

generator = torch.Generator().manual_seed(SEED)
torch.manual_seed(SEED)


def get_data():
    digits = load_digits()
    x = torch.tensor(digits.data / 16.0, dtype=torch.float32)
    y = torch.tensor(digits.target)
    return random_split(TensorDataset(x, y), [1400, len(x) - 1400], generator=generator)


def probe(model, train_set, val_set):
    """Accuracy of a linear classifier on the latent means."""
    model.eval()
    with torch.no_grad():
        sets = []
        for subset in (train_set, val_set):
            x, y = subset[:]
            sets.append((model.encode(x)[0].numpy(), y.numpy()))
    clf = LogisticRegression(max_iter=500).fit(*sets[0])
    return clf.score(*sets[1])


def main():
    train_set, val_set = get_data()
    loader = DataLoader(train_set, batch_size=env("BATCH_SIZE", int), shuffle=True, generator=generator)
    x_val = val_set[:][0]
    model = VAE(x_val.shape[1], env("HIDDEN_DIM", int), env("LATENT_DIM", int))
    optimizer = torch.optim.Adam(model.parameters(), lr=env("LEARNING_RATE", float))

    for epoch in range(1, EPOCHS + 1):
        model.train()
        sums = torch.zeros(2)
        for x, _ in loader:
            recon, mu, logvar = model(x)
            rec_loss = F.mse_loss(recon, x)
            kl = kl_divergence(mu, logvar)
            loss = rec_loss + KL_WEIGHT * kl
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.stack([rec_loss.detach(), kl.detach()])
        if epoch % 4 == 0 or epoch == 1:
            model.eval()
            with torch.no_grad():
                val_mse = F.mse_loss(model(x_val)[0], x_val)
            rec, kl = (sums / len(loader)).tolist()
            print(f"epoch={epoch} rec={rec:.4f} kl={kl:.3f} val_mse={val_mse:.4f}")

    print(f"pixel variance {x_val.var(dim=0).mean():.4f}")
    print(f"latent probe accuracy {probe(model, train_set, val_set):.3f}")


if __name__ == "__main__":
    main()
