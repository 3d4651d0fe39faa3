import random
import torch
from torch.nn import functional as F

from batches import Reviews
from model import ReviewScorer

random.seed(8)
torch.manual_seed(8)
data = Reviews("reviews.jsonl")
model = ReviewScorer(len(data.vocab) + 2)
opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01)
EPOCHS, SIZE = 12, 32
per_epoch = -(-len(data.train) // SIZE)
warm = torch.optim.lr_scheduler.LinearLR(opt, 0.1, 1.0, total_iters=per_epoch)
cool = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.05, total_iters=per_epoch * (EPOCHS - 1))
sched = torch.optim.lr_scheduler.SequentialLR(opt, [warm, cool], [per_epoch])


def dev_scores():
    model.eval()
    p, t, filled = [], [], []
    with torch.no_grad():
        for tokens, target in data(data.dev, 100, False):
            p.append(model(tokens))
            t.append(target)
            filled.append(tokens.ne(0).float().mean().item())
    p, t = torch.cat(p), torch.cat(t)
    return F.mse_loss(p, t).item(), torch.corrcoef(torch.stack([p, t]))[0, 1].item(), sum(filled) / len(filled)


for epoch in range(1, EPOCHS + 1):
    model.train()
    seen, total = 0, 0.0
    for tokens, target in data(data.train, SIZE, True):
        loss = F.smooth_l1_loss(model(tokens), target)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        total += loss.item() * len(target)
        seen += len(target)
    mse, r, filled = dev_scores()
    print(f"epoch {epoch} train huber {total / seen:.4f}  dev mse {mse:.4f} (variance 1)  r {r:.3f}  tokens in use {filled:.0%}")
