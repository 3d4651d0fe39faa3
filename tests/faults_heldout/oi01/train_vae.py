"""VAE on the 8x8 digits, reports the negative ELBO in nats per image."""
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.distributions import Normal, kl_divergence
from torch.utils.data import DataLoader, TensorDataset

from nets import DigitVAE

EPOCHS = 20
BATCH = 64


def neg_elbo(model, x):
    logits, q = model(x)
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1)
    prior = Normal(torch.zeros_like(q.loc), torch.ones_like(q.scale))
    kl = kl_divergence(q, prior).sum(1)
    return (rec + kl).mean(), rec.mean(), kl.mean()


@torch.no_grad()
def evaluate(model, x):
    model.eval()
    out = [t.item() for t in neg_elbo(model, x)]
    model.train()
    return out


def main():
    torch.manual_seed(11)
    images = load_digits().data.astype("float32") / 16.0
    tr, te = train_test_split(images, test_size=0.2, random_state=3)
    tr, te = torch.from_numpy(tr), torch.from_numpy(te)
    loader = DataLoader(TensorDataset(tr), batch_size=BATCH, shuffle=True, drop_last=True)

    model = DigitVAE()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
    for epoch in range(1, EPOCHS + 1):
        total = 0.0
        for (x,) in loader:
            loss, _, _ = neg_elbo(model, x)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 5 == 0:
            l, r, k = evaluate(model, te)
            print(f"epoch {epoch:3d}  train {total / len(loader):7.3f}  test {l:7.3f}  (rec {r:.3f}, kl {k:.3f})")


if __name__ == "__main__":
    main()
