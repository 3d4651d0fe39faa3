import logging

import torch
import torch.nn.functional as F

from encoder import FewShotClassifier
from splits import few_shot_split

logging.basicConfig(level=logging.INFO, format="%(asctime)s | %(message)s")


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
    return F.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(1)
    (x, y), (xv, yv) = few_shot_split()
    model = FewShotClassifier(classes=10)
    opt = torch.optim.AdamW([
        {"params": model.encoder.parameters(), "lr": 1e-4},
        {"params": model.head.parameters(), "lr": 3e-3},
    ], weight_decay=0.01)
    for epoch in range(40):
        model.train()
        for idx in torch.randperm(len(y)).split(10):
            loss = F.cross_entropy(model(x[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 8 == 7:
            logging.info("epoch %d train loss %.4f val loss %.4f val acc %.4f", epoch + 1, loss.item(), *evaluate(model, xv, yv))


if __name__ == "__main__":
    main()
