from pathlib import Path

import torch
from torch.utils.data import DataLoader, TensorDataset

from namelang.callbacks import Printer, WarmupCosine
from namelang.corpus import ALPHABET, read
from namelang.engine import Engine
from namelang.network import CharCNN

torch.manual_seed(13)
x, y, names = read(Path(__file__).parent / "names.tsv")
train = TensorDataset(x[:2600], y[:2600])
val = TensorDataset(x[2600:], y[2600:])

model = CharCNN(len(ALPHABET), len(names))
engine = Engine(
    model,
    torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=0.01),
    DataLoader(train, batch_size=32, shuffle=True, drop_last=True),
    DataLoader(val, batch_size=256),
    callbacks=[WarmupCosine(), Printer()],
)
engine.fit(epochs=9)
print("best", max(h["acc"] for h in engine.history))
