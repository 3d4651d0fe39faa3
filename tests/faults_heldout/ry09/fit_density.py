import numpy as np
import torch

from flow import Flow

SEED, EPOCHS, BATCH, LR = 5, 18, 128, 3e-3


def standardise(train, *others):
    mean, std = train.mean(0), train.std(0)
    return [(t - mean) / std for t in (train, *others)]


def main():
    torch.manual_seed(SEED)
    readings = torch.from_numpy(np.load("gearbox.npy").astype(np.float32))
    readings = readings[torch.randperm(len(readings))]
    train, held = standardise(readings[800:], readings[:800])

    flow = Flow(train.shape[1])
    opt = torch.optim.Adam(flow.parameters(), lr=LR)
    steps = EPOCHS * (len(train) // BATCH)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for epoch in range(1, EPOCHS + 1):
        flow.train()
        losses = []
        order = torch.randperm(len(train))
        for k in range(len(train) // BATCH):
            x = train[order[k * BATCH : (k + 1) * BATCH]]
            loss = -flow.log_prob(x).mean()
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
            opt.step()
            sched.step()
            losses.append(loss.item())
        if epoch % 2 == 0:
            flow.eval()
            with torch.no_grad():
                nll = -flow.log_prob(held).mean().item()
            print(f"epoch {epoch:2d}  nll {np.mean(losses):+.3f}  held-out {nll:+.3f}")
    drawn = flow.sample(2000)
    print("correlation gap", (torch.corrcoef(drawn.T) - torch.corrcoef(held.T)).abs().max().item())


if __name__ == "__main__":
    main()
