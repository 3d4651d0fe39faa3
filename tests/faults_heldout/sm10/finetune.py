from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from backbone import Classifier

CFG = dict(head_lr=6e-3, body_lr=6e-4, epochs=20, batch_size=8, smoothing=0.1, shots=32, warmup=40)

torch.manual_seed(40)
X, y = load_digits(return_X_y=True)
X = torch.tensor(X, dtype=torch.float32).view(-1, 1, 8, 8) / 16
X = F.interpolate(X, size=(16, 16), mode="bilinear", align_corners=False)
y = torch.tensor(y)
X, y = X[y >= 5], y[y >= 5] - 5          # the backbone was trained on 0..4
pool, test = train_test_split(torch.arange(len(y)), test_size=0.5, stratify=y, random_state=1)
train = torch.cat([pool[y[pool] == c][: CFG["shots"]] for c in range(5)])

model = Classifier(5)
model.backbone.load_state_dict(torch.load(Path(__file__).with_name("backbone_0to4.pt"), weights_only=True))
model.hold()
opt = torch.optim.AdamW(
    [
        {"params": model.backbone.top.parameters(), "lr": CFG["body_lr"]},
        {"params": model.fc.parameters(), "lr": CFG["head_lr"]},
    ],
    weight_decay=1e-2,
)
steps = CFG["epochs"] * (len(train) // CFG["batch_size"])
sched = torch.optim.lr_scheduler.LambdaLR(
    opt, lambda s: min(1.0, (s + 1) / CFG["warmup"]) * (1 - s / (steps + 1)))

for epoch in range(CFG["epochs"]):
    model.train()
    total = 0.0
    for idx in train[torch.randperm(len(train))].split(CFG["batch_size"]):
        loss = F.cross_entropy(model(X[idx]), y[idx], label_smoothing=CFG["smoothing"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        total += loss.item() * len(idx)
    model.eval()
    with torch.no_grad():
        out = model(X[test])
    print(f"epoch {epoch + 1:2d} train {total / len(train):.4f} test {F.cross_entropy(out, y[test]).item():.4f} "
          f"acc {(out.argmax(1) == y[test]).float().mean().item():.4f}")
