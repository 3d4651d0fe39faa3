"""Transfer of a small backbone: source task, linear probe on the frozen backbone, then gradual unfreezing."""
import torch
import torch.nn.functional as F

from digits import source_task, target_task
from nets import Backbone, Classifier


def fit(model, x, y, optimizer, epochs, batch=32):
    model.train()
    history = []
    for _ in range(epochs):
        total = 0.0
        for idx in torch.randperm(len(x)).split(batch):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        history.append(total / len(x))
    return history


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def set_trainable(module, flag):
    for p in module.parameters():
        p.requires_grad_(flag)


def report(tag, hist, acc):
    print(f"{tag:<22s} loss {hist[0]:.3f} -> {hist[-1]:.3f}   target test acc {acc:.4f}", flush=True)


def main():
    torch.manual_seed(31)
    backbone = Backbone()
    xs, ys = source_task()
    source = Classifier(backbone, 6)
    hist = fit(source, xs, ys, torch.optim.Adam(source.parameters(), lr=2e-3), epochs=6)
    print(f"source task            loss {hist[0]:.3f} -> {hist[-1]:.3f}")

    (xt, yt), (xe, ye) = target_task()
    model = Classifier(backbone, 4)

    set_trainable(backbone, False)
    opt = torch.optim.Adam(model.head.parameters(), lr=5e-3)
    hist = fit(model, xt, yt, opt, epochs=25)
    report("head only", hist, accuracy(model, xe, ye))

    set_trainable(backbone.stage2, True)
    opt.add_param_group({"params": backbone.stage2.parameters(), "lr": 5e-4})
    hist = fit(model, xt, yt, opt, epochs=15)
    report("head + stage2", hist, accuracy(model, xe, ye))

    set_trainable(backbone.stage1, True)
    opt.add_param_group({"params": backbone.stage1.parameters(), "lr": 2e-4})
    for group in opt.param_groups:
        group["lr"] *= 0.5
    hist = fit(model, xt, yt, opt, epochs=15)
    report("everything", hist, accuracy(model, xe, ye))


if __name__ == "__main__":
    main()
