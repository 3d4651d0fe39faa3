import json

import torch

from film import synth
from film.model import SensorModel
from film.optim import build_optimizer

SEED, EPOCHS, BATCH = 23, 12, 64


def explained(model, data):
    model.eval()
    with torch.no_grad():
        x, c, y = data
        r = (y - model(x, c)).var() / y.var()
    model.train()
    return 1 - r.item()


def main():
    torch.manual_seed(SEED)
    gen = torch.Generator().manual_seed(SEED)
    truth = synth.world(SEED)
    train, val = synth.draw(4000, gen, truth), synth.draw(800, gen, truth)
    model = SensorModel(synth.CHANNELS, synth.CONDITIONS + 1)
    opt = build_optimizer(model, lr=2e-3, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS, eta_min=1e-5)
    for epoch in range(EPOCHS):
        losses = []
        for idx in torch.randperm(len(train[2]), generator=gen).split(BATCH):
            x, c, y = (t[idx] for t in train)
            loss = torch.nn.functional.mse_loss(model(x, c), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        sched.step()
        print(json.dumps({"epoch": epoch + 1, "mse": round(sum(losses) / len(losses), 4),
                          "r2_train": round(explained(model, train), 3), "r2_val": round(explained(model, val), 3)}))


if __name__ == "__main__":
    main()
