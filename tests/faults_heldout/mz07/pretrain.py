import argparse

import torch
from torch.utils.data import DataLoader

from mlm import Collator, IGNORE, MaskedLMLoss, RoutingBert
from routings import corpus

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=700)
parser.add_argument("--warmup", type=int, default=50)
parser.add_argument("--lr", type=float, default=3e-3)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--seed", type=int, default=5)
args = parser.parse_args()

torch.manual_seed(args.seed)
train_rows, val_rows = corpus(6000, 1), corpus(800, 2)
loader = DataLoader(train_rows, args.batch, shuffle=True, drop_last=True, collate_fn=Collator(seed=args.seed))
# one fixed masking for validation
val_batches = list(DataLoader(val_rows, 200, collate_fn=Collator(seed=0)))

model = RoutingBert()
criterion = MaskedLMLoss()
decay = [p for p in model.parameters() if p.ndim > 1]
plain = [p for p in model.parameters() if p.ndim <= 1]
optimizer = torch.optim.AdamW([{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}], lr=args.lr)


def factor(step):
    if step < args.warmup:
        return (step + 1) / args.warmup
    return max(0.02, 1 - (step - args.warmup) / (args.steps - args.warmup))


scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)


@torch.no_grad()
def evaluate():
    model.eval()
    loss = hits = n = 0
    for ids, labels in val_batches:
        logits = model(ids)
        keep = labels != IGNORE
        k = keep.sum().item()
        loss += criterion(logits, labels).item() * k
        hits += (logits.argmax(-1)[keep] == labels[keep]).sum().item()
        n += k
    return loss / n, hits / n


step, window = 0, []
while step < args.steps:
    for ids, labels in loader:
        model.train()
        loss = criterion(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        window.append(loss.item())
        step += 1
        if step % 100 == 0:
            val, acc = evaluate()
            print(f"step {step:4d}  mlm {sum(window) / len(window):.3f}  val {val:.3f}  masked acc {acc:.3f}  lr {scheduler.get_last_lr()[0]:.1e}")
            window = []
        if step == args.steps:
            break
