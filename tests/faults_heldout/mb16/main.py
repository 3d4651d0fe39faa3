import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

from vae import DigitVAE, elbo_terms

EPOCHS, BATCH, LR, RAMP = 64, 64, 2e-3, 10


def main():
    torch.manual_seed(13)
    images = torch.from_numpy(load_digits().data).float() / 16
    train, test = train_test_split(images, test_size=0.2, random_state=13)
    loader = DataLoader(TensorDataset(train), batch_size=BATCH, shuffle=True)
    model = DigitVAE()
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [42, 56], gamma=0.3)

    for epoch in range(1, EPOCHS + 1):
        beta = min(1.0, epoch / RAMP)
        model.train()
        sums = torch.zeros(2)
        for (x,) in loader:
            x_hat, mu, logvar = model(x)
            rec, kl = elbo_terms(x_hat, x, mu, logvar)
            loss = rec + beta * kl
            opt.zero_grad()
            loss.backward()
            opt.step()
            sums += torch.tensor([rec.item(), kl.item()]) * len(x)
        sched.step()
        if epoch % 5 == 0:
            model.eval()
            with torch.no_grad():
                x_hat, mu, logvar = model(test)
                rec, kl = elbo_terms(x_hat, test, mu, logvar)
                units = (mu.var(0) > 0.05).sum().item()
            r, k = (sums / len(train)).tolist()
            print(f"epoch {epoch:3d} beta {beta:.1f} train rec {r:.2f} kl {k:.2f} | test rec (at the mean) {rec:.2f} kl {kl:.2f} active {units}")

    with torch.no_grad():
        base, _ = elbo_terms(train.mean(0).expand_as(test), test, mu, logvar)
        err = (model(test)[0] - test).pow(2).mean().sqrt()
        err0 = (train.mean(0) - test).pow(2).mean().sqrt()
    print(f"mean image: rec {base:.2f}; pixel rmse {err:.3f} against {err0:.3f}")


if __name__ == "__main__":
    main()
