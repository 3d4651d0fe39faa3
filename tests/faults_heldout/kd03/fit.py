import numpy as np
import torch
from torch.distributions import MultivariateNormal
from torch.nn.utils import clip_grad_norm_

from flow import Flow

EPOCHS, BATCH, LR, WARMUP = 40, 200, 1.5e-3, 100


def get_data(path="vibration_modes.npy"):
    x = torch.from_numpy(np.load(path))
    g = torch.Generator().manual_seed(21)
    x = x[torch.randperm(len(x), generator=g)]
    return x[:4400], x[4400:5200], x[5200:]


def nll(model, x):
    model.eval()
    with torch.no_grad():
        return -model.log_prob(x).mean().item()


def main():
    torch.manual_seed(2)
    train, val, test = get_data()
    gauss = MultivariateNormal(train.mean(0), torch.cov(train.T))
    print(f"gaussian baseline: val nll {-gauss.log_prob(val).mean():.3f}")

    model = Flow(train.mean(0), train.std(0))
    opt = torch.optim.Adam(model.parameters(), lr=LR)
    total = EPOCHS * (len(train) // BATCH)

    def factor(step):
        if step < WARMUP:
            return (step + 1) / WARMUP
        return 0.5 * (1 + np.cos(np.pi * (step - WARMUP) / (total - WARMUP)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    best, best_state = float("inf"), None
    for epoch in range(EPOCHS):
        model.train()
        run = []
        for idx in torch.randperm(len(train)).split(BATCH):
            loss = -model.log_prob(train[idx]).mean()
            opt.zero_grad()
            loss.backward()
            clip_grad_norm_(model.parameters(), 25.0)
            opt.step()
            sched.step()
            run.append(loss.item())
        v = nll(model, val)
        if v < best:
            best, best_state = v, {k: t.clone() for k, t in model.state_dict().items()}
        if epoch % 4 == 3:
            print(f"[{epoch + 1:2d}] train {np.mean(run):8.3f}  val {v:8.3f}")
    model.load_state_dict(best_state)
    print(f"test nll {nll(model, test):.3f} (gaussian {-gauss.log_prob(test).mean():.3f})")
    s = model.sample(2000)
    print("sample std (mm):", (s.std(0) * 1000).numpy().round(2), "data:", (train.std(0) * 1000).numpy().round(2))


if __name__ == "__main__":
    main()
