"""Domain adaptation of the base character model to a source-code corpus."""
import math

import torch
import torch.nn.functional as F

from charlm import CharLM

CORPUS = "target_corpus.txt"
BASE = "base_lm.pt"
STEPS, WARMUP, BATCH, CTX = 600, 30, 20, 64
LR = 6e-5

torch.manual_seed(6)


def load_base(path):
    ckpt = torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    with torch.device("meta"):
        model = CharLM(len(ckpt["alphabet"]))
    model.load_state_dict(ckpt["model"], assign=True)
    for p in model.parameters():
        p.requires_grad_(True)
    return model, ckpt["alphabet"]


model, alphabet = load_base(BASE)
index = {c: i for i, c in enumerate(alphabet)}
ids = torch.tensor([index[c] for c in open(CORPUS).read()])
split = int(0.9 * len(ids))
train_ids, val_ids = ids[:split], ids[split:]


def sample(source):
    at = torch.randint(len(source) - CTX - 1, (BATCH,)).tolist()
    w = torch.stack([source[a:a + CTX + 1] for a in at])
    return w[:, :-1], w[:, 1:]


def nll(x, y):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(x)
    return F.cross_entropy(logits.flatten(0, 1).float(), y.flatten())


@torch.no_grad()
def validate():
    model.eval()
    n = (len(val_ids) - 1) // CTX
    x = val_ids[:n * CTX].view(n, CTX)
    y = val_ids[1:n * CTX + 1].view(n, CTX)
    out = sum(nll(a, b).item() * len(a) for a, b in zip(x.split(64), y.split(64))) / n
    model.train()
    return out


optimizer = torch.optim.AdamW(model.parameters(), lr=LR, betas=(0.9, 0.98), weight_decay=0.01)
schedule = torch.optim.lr_scheduler.LambdaLR(
    optimizer,
    lambda s: min(1, (s + 1) / WARMUP) * (0.2 + 0.8 * 0.5 * (1 + math.cos(math.pi * s / STEPS))),
)

print(f"parameters {sum(p.numel() for p in model.parameters()):,}  before adaptation: val nll {validate():.4f}")
running = 0.0
for step in range(1, STEPS + 1):
    loss = nll(*sample(train_ids))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    running += loss.item()
    if step % 100 == 0:
        print(f"step {step}  train {running / 100:.4f}  val {validate():.4f}  lr {schedule.get_last_lr()[0]:.1e}", flush=True)
        running = 0.0
