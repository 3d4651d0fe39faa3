import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from averaging import ModelEMA
from net import DigitNet

EPOCHS, BATCH = 16, 32


def load_images():
    d = load_digits()
    x = torch.tensor(d.images, dtype=torch.float32)[:, None] / 8.0 - 1.0
    y = torch.tensor(d.target)
    tr, va = train_test_split(range(len(y)), test_size=0.25, stratify=y, random_state=0)
    return x[tr], y[tr], x[va], y[va]


@torch.no_grad()
def evaluate(model, x, y):
    logits = model(x)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


torch.manual_seed(2)
x, y, xv, yv = load_images()

ckpt = torch.load("pretrained.pt")
model = DigitNet()
model.load_state_dict(ckpt["model"])
ema = ModelEMA(model, updates=ckpt["updates"])

steps = EPOCHS * (len(x) // BATCH)
opt = torch.optim.AdamW(model.parameters(), lr=1.5e-3, weight_decay=0.01)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)

for epoch in range(EPOCHS):
    model.train()
    order = torch.randperm(len(x))
    running = 0.0
    for k in range(len(x) // BATCH):
        idx = order[k * BATCH:(k + 1) * BATCH]
        loss = F.cross_entropy(model(x[idx]), y[idx])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        ema.update(model)
        running += loss.item()
    vl, va = evaluate(ema.shadow, xv, yv)
    print(f"[{epoch:02d}] train loss {running / (k + 1):.4f} | val loss {vl:.4f} acc {va:.4f}")

torch.save({"model": ema.shadow.state_dict(), "updates": ema.updates}, "finetuned.pt")
