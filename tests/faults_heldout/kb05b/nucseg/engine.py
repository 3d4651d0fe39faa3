import torch
import torch.nn.functional as F

from .data import batches


def dice(logits, mask):
    p = (logits > 0).float()
    return (2 * (p * mask).sum() / (p.sum() + mask.sum()).clamp(min=1)).item()


def fit(net, train, val, opts):
    sgd = torch.optim.SGD(net.parameters(), lr=opts.lr, momentum=0.9, weight_decay=1e-4)
    for ep in range(opts.epochs):
        net.train()
        seen, acc = 0, 0.0
        for x, y in batches(*train, opts.batch):
            loss = F.binary_cross_entropy_with_logits(net(x), y)
            sgd.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), opts.clip)
            sgd.step()
            seen += len(x)
            acc += loss.item() * len(x)
        net.eval()
        with torch.no_grad():
            out = net(val[0])
            vloss = F.binary_cross_entropy_with_logits(out, val[1]).item()
        print(f"{ep:02d} bce={acc / seen:.4f} val_bce={vloss:.4f} val_dice={dice(out, val[1]):.4f}")
