import torch
from sklearn.datasets import load_digits

from vae import VAE, load_config, objective

cfg = load_config()
torch.manual_seed(cfg["seed"])

digits = load_digits()
x = torch.tensor(digits.data / 16.0, dtype=torch.float32)
perm = torch.randperm(len(x))
x_train, x_test = x[perm[:1500]], x[perm[1500:]]

model = VAE(**cfg["model"])
optimizer = torch.optim.Adam(model.parameters(), lr=cfg["lr"])

for epoch in range(cfg["epochs"]):
    model.train()
    sums = torch.zeros(3)
    batches = torch.randperm(len(x_train)).split(cfg["batch_size"])
    for b in batches:
        xb = x_train[b]
        logits, mu, logvar = model(xb)
        loss, rec, kl = objective(logits, xb, mu, logvar, cfg["loss"])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        sums += torch.stack([loss, rec, kl]).detach()
    if (epoch + 1) % 5 == 0:
        model.eval()
        with torch.no_grad():
            out, *_ = model(x_test)
            mse = (torch.sigmoid(out) - x_test).pow(2).mean().item()
        l, r, k = (sums / len(batches)).tolist()
        print(f"epoch {epoch + 1:3d}  loss {l:9.4f}  rec {r:9.4f}  kl {k:7.4f}  test mse {mse:.4f}")

with torch.no_grad():
    baseline = (x_train.mean(0) - x_test).pow(2).mean().item()
    samples = torch.sigmoid(model.decoder(torch.randn(256, cfg["model"]["latent"])))
print(f"mean image mse {baseline:.4f}")
print(f"pixel std of samples {samples.std(0).mean():.3f} (data {x_test.std(0).mean():.3f})")
