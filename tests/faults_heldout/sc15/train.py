import json
from pathlib import Path

import torch
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier
from torch.utils.data import DataLoader, TensorDataset

from vae.nets import DigitVAE
from vae.objective import elbo_terms, kl_weight, validate


def main():
    cfg = json.loads((Path(__file__).parent / "settings.json").read_text())
    torch.manual_seed(cfg["seed"])

    images, labels = load_digits(return_X_y=True)
    x = torch.tensor(images, dtype=torch.float32) / 16
    perm = torch.randperm(len(x))
    train_idx, valid_idx = perm[:1440], perm[1440:]
    loader = DataLoader(TensorDataset(x[train_idx]), cfg["batch_size"], shuffle=True)

    model = DigitVAE(cfg["latent"], cfg["hidden"])
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, cfg["epochs"], eta_min=1e-5)

    for epoch in range(1, cfg["epochs"] + 1):
        model.train()
        beta = kl_weight(epoch, cfg["kl_warmup_epochs"])
        sums = torch.zeros(2)
        for (batch,) in loader:
            logits, mu, logvar = model(batch)
            recon, kl = elbo_terms(logits, batch, mu, logvar)
            loss = recon + beta * kl
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.stack([recon.detach(), kl.detach()]) * len(batch)
        scheduler.step()
        recon, kl = (sums / len(train_idx)).tolist()
        v = validate(model, x[valid_idx])
        print(
            f"epoch {epoch:02d} beta {beta:.2f} | train recon {recon:.2f} kl {kl:.2f} "
            f"| valid recon {v['recon']:.2f} kl {v['kl']:.2f} -elbo {v['neg_elbo']:.2f} active {v['active']}/{cfg['latent']}"
        )

    codes = validate(model, x[train_idx])["mu"]
    knn = KNeighborsClassifier(5).fit(codes.numpy(), labels[train_idx.numpy()])
    acc = knn.score(v["mu"].numpy(), labels[valid_idx.numpy()])
    print(f"5-NN accuracy on latent codes: {acc:.3f}")


if __name__ == "__main__":
    main()
