import torch
from torch.nn import functional as F


def batches(n, size, gen):
    perm = torch.randperm(n, generator=gen)
    for k in range(0, n - size + 1, size):
        yield perm[k:k + size]


def pretrain(encoder, decoder, x, epochs, gen, drop=0.25):
    """Denoising reconstruction; encoder and decoder have their own optimizers."""
    opt_e = torch.optim.Adam(encoder.parameters(), lr=2e-3)
    opt_d = torch.optim.Adam(decoder.parameters(), lr=3e-3)
    for epoch in range(epochs):
        total, k = 0.0, 0
        for idx in batches(len(x), 64, gen):
            clean = x[idx]
            keep = (torch.rand(clean.shape, generator=gen) > drop).float()
            loss = F.mse_loss(decoder(encoder(clean * keep)), clean)
            opt_e.zero_grad()
            opt_d.zero_grad()
            loss.backward()
            opt_e.step()
            opt_d.step()
            total, k = total + loss.item(), k + 1
        print(f"  [denoise {epoch + 1}/{epochs}] mse {total / k:.4f}")


def probe(encoder, head, x, y, epochs, gen):
    """Linear head on fixed codes."""
    for p in encoder.parameters():
        p.requires_grad_(False)
    with torch.no_grad():
        codes = encoder(x)
    opt = torch.optim.SGD(head.parameters(), lr=0.2, momentum=0.9)
    for _ in range(epochs):
        for idx in batches(len(x), 32, gen):
            loss = F.cross_entropy(head(codes[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    print(f"  [probe] last loss {loss.item():.4f}")


def finetune(encoder, head, x, y, epochs, gen):
    for p in encoder.parameters():
        p.requires_grad_(True)
    opt = torch.optim.AdamW(
        [{"params": encoder.parameters(), "lr": 3e-4}, {"params": head.parameters(), "lr": 1e-3}], weight_decay=1e-2
    )
    for epoch in range(epochs):
        total, k = 0.0, 0
        for idx in batches(len(x), 32, gen):
            noisy = x[idx] + 0.1 * torch.randn(x[idx].shape, generator=gen)
            loss = F.cross_entropy(head(encoder(noisy)), y[idx], label_smoothing=0.05)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total, k = total + loss.item(), k + 1
        if (epoch + 1) % 5 == 0:
            print(f"  [finetune {epoch + 1}/{epochs}] loss {total / k:.4f}")
