import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from vae import DigitVAE, objective

EPOCHS, BATCH = 40, 64


@torch.no_grad()
def reconstruct_error(model, x):
    model.eval()
    logits, mu, logvar = model(x)
    return F.mse_loss(logits.sigmoid(), x).item()


def main():
    torch.manual_seed(6)
    pix = torch.tensor(load_digits().data, dtype=torch.float32) / 16
    tr, te = train_test_split(pix, test_size=0.2, random_state=6)
    model = DigitVAE()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(EPOCHS):
        model.train()
        r_sum = k_sum = 0.0
        for x in tr[torch.randperm(len(tr))].split(BATCH):
            logits, mu, logvar = model(x)
            rec, kl = objective(logits, x, mu, logvar)
            opt.zero_grad()
            (rec + kl).backward()
            opt.step()
            r_sum += rec.item() * len(x)
            k_sum += kl.item() * len(x)
        if epoch % 5 == 4:
            print(f"epoch {epoch + 1:3d} rec {r_sum / len(tr):.4f} kl {k_sum / len(tr):.4f} "
                  f"test mse {reconstruct_error(model, te):.5f}")
    print(f"mean image mse {F.mse_loss(tr.mean(0).expand_as(te), te).item():.5f}")


if __name__ == "__main__":
    main()
