import torch
import torch.nn.functional as F


@torch.no_grad()
def score(model, loader):
    model.eval()
    total, n = 0.0, 0
    for x, y in loader:
        total += F.mse_loss(model(x), y, reduction="sum").item()
        n += y.numel()
    return total / n


def fit(model, train_loader, valid_loader, epochs, lr):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for epoch in range(epochs):
        model.train()
        running, n = 0.0, 0
        for x, y in train_loader:
            loss = F.mse_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(x)
            n += len(x)
        sched.step()
        print(f"epoch {epoch + 1:2d}  train {running / n:.4f}  valid {score(model, valid_loader):.4f}")
