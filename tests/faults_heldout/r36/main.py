import torch
import torch.nn.functional as F

from tx.data import sort_batch
from tx.model import Sorter

VOCAB, LEN, STEPS, BATCH = 12, 10, 550, 48

torch.manual_seed(2)
gen = torch.Generator().manual_seed(5)
val_x, val_y = sort_batch(500, LEN, VOCAB, torch.Generator().manual_seed(77))

model = Sorter(VOCAB, LEN)
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
# restarts after 80, 240 and 560 steps
sched = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=80, T_mult=2, eta_min=2e-5)

for step in range(1, STEPS + 1):
    model.train()
    x, y = sort_batch(BATCH, LEN, VOCAB, gen)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(x)
    loss = F.cross_entropy(logits.float().flatten(0, 1), y.flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    if step % 50 == 0:
        model.eval()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            z = model(val_x).float()
        print(f"{step:4d} lr {sched.get_last_lr()[0]:.5f} train {loss.item():.4f} "
              f"val {F.cross_entropy(z.flatten(0, 1), val_y.flatten()).item():.4f} "
              f"token acc {(z.argmax(-1) == val_y).float().mean().item():.4f}")
