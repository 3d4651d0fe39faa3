import copy

import numpy as np
import torch

from density import CouplingFlow

SEED, STEPS, BATCH = 40, 1600, 256
torch.manual_seed(SEED)

x = torch.from_numpy(np.load("orbits.npy"))
x = x[torch.randperm(len(x))]
train, valid, test = x[:6500], x[6500:7750], x[7750:]

flow = CouplingFlow(train.mean(0), train.std(0))
opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS, eta_min=1e-5)


@torch.no_grad()
def nll(data):
    flow.eval()
    v = -flow.log_prob(data).mean().item()
    flow.train()
    return v


def endless(data, size):
    while True:
        for idx in torch.randperm(len(data)).split(size):
            if len(idx) == size:
                yield data[idx]


best, keep = float("inf"), None
stream = endless(train, BATCH)
avg = 0.0
for step in range(1, STEPS + 1):
    loss = -flow.log_prob(next(stream)).mean()
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    sched.step()
    avg += loss.item() / 200
    if step % 200 == 0:
        v = nll(valid)
        print(f"{step:5d}  train nll {avg:.4f}  valid nll {v:.4f}")
        avg = 0.0
        if v < best:
            best, keep = v, copy.deepcopy(flow.state_dict())

flow.load_state_dict(keep)
s = flow.sample(2000)
print(f"test nll {nll(test):.4f}")
print("sample mean", s.mean(0).numpy().round(3), "data mean", test.mean(0).numpy().round(3))
print("sample std ", s.std(0).numpy().round(3), "data std ", test.std(0).numpy().round(3))
