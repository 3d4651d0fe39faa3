import torch
from sklearn.datasets import load_digits

from vae.model import DigitVAE
from vae.objective import elbo

EPOCHS, BATCH, LR = 60, 64, 1e-3


def get_data():
    x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
    idx = torch.randperm(len(x), generator=torch.Generator().manual_seed(11))
    return x[idx[:1450]], x[idx[1450:]]


def main():
    torch.manual_seed(3)
    train, test = get_data()
    model = DigitVAE()
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        perm = torch.randperm(len(train))
        tot = torch.zeros(3)
        for s in range(0, len(train), BATCH):
            x = train[perm[s:s + BATCH]]
            logits, mu, logvar = model(x)
            loss, rec, kl = elbo(logits, x, mu, logvar)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            tot += torch.stack([loss, rec, kl]).detach() * len(x)
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                mu, _ = model.encode(test)
                mse = (torch.sigmoid(model.dec(mu)) - test).pow(2).mean()
            l, r, k = (tot / len(train)).tolist()
            print(f"{epoch:3d} loss={l:.4f} rec={r:.4f} kl={k:.4f} | test mse={mse:.4f} (mean image {(train.mean(0) - test).pow(2).mean():.4f})")


if __name__ == "__main__":
    main()
