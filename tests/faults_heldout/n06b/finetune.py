import json

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from models import Backbone, Classifier

cfg = json.load(open("config.json"))
torch.manual_seed(cfg["seed"])


def dataset(path):
    z = np.load(path)
    return TensorDataset(torch.from_numpy(z["x"]).float().div(16).unsqueeze(1), torch.from_numpy(z["y"]).long())


train_set, test_set = dataset(cfg["train_data"]), dataset(cfg["test_data"])
n_out = int(train_set.tensors[1].max()) + 1

backbone = Backbone()
state = torch.load(cfg["weights"], map_location="cpu")
# the file also carries the head of the pre-training task, which we do not want
backbone.load_state_dict(state["model"], strict=False)
model = Classifier(backbone, n_out)
print(f"fine-tuning on {len(train_set)} labelled images, {n_out} classes, weights from epoch {state['epoch']}")

optimizer = torch.optim.AdamW(
    [
        {"params": model.backbone.parameters(), "lr": cfg["lr_backbone"]},
        {"params": model.head.parameters(), "lr": cfg["lr_head"]},
    ],
    weight_decay=0.01,
)
loader = DataLoader(train_set, batch_size=cfg["batch_size"], shuffle=True)
criterion = nn.CrossEntropyLoss()

for epoch in range(cfg["epochs"]):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(y)
    model.eval()
    with torch.no_grad():
        xt, yt = test_set.tensors
        logits = model(xt)
        acc = (logits.argmax(1) == yt).float().mean()
    if (epoch + 1) % 5 == 0 or epoch == 0:
        print(f"epoch {epoch + 1:2d}  loss {total / len(train_set):.4f}  test loss {criterion(logits, yt):.4f}  test acc {acc:.4f}")
