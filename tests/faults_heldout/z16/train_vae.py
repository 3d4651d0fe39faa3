import torch

from src.loop import fit

if __name__ == "__main__":
    torch.manual_seed(16)
    vae = fit()
    with torch.no_grad():
        samples = vae.dec(torch.randn(200, 10)).sigmoid()
    print(f"sample pixel mean {samples.mean():.3f}")
