import sys
import time
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader

from sources import Encoder, Grammar, Sequences, load_settings

root = Path(__file__).parent
cfg = load_settings(root / "run.toml")
seed = int(sys.argv[1]) if len(sys.argv) > 1 else 3
torch.manual_seed(seed)

grammar = Grammar(cfg.classes, cfg.alphabet, torch.Generator().manual_seed(seed))
train_set = Sequences(grammar, cfg.samples, cfg.length)
test_set = Sequences(grammar, 1000, cfg.length)
loader = DataLoader(train_set, batch_size=cfg.batch, shuffle=True, drop_last=True)

model = Encoder(cfg.alphabet, cfg.classes, cfg.length, cfg.width, cfg.heads, cfg.layers)
optimizer = torch.optim.Adam(model.parameters(), lr=cfg.peak_lr, betas=(0.9, 0.98), eps=1e-9)
total_steps = cfg.epochs * len(loader)


def factor(step):
    """Linear ramp, then linear decay to a tenth."""
    if step < cfg.warmup_steps:
        return (step + 1) / cfg.warmup_steps
    return 1.0 - 0.9 * (step - cfg.warmup_steps) / max(1, total_steps - cfg.warmup_steps)


scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
criterion = nn.CrossEntropyLoss()


def accuracy(dataset):
    model.eval()
    hits = 0
    with torch.no_grad():
        for tokens, label in DataLoader(dataset, batch_size=250):
            hits += (model(tokens).argmax(1) == label).sum().item()
    return hits / len(dataset)


start = time.time()
for epoch in range(cfg.epochs):
    model.train()
    mean = 0.0
    for tokens, label in loader:
        loss = criterion(model(tokens), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        mean += loss.item() / len(loader)
    print(f"epoch {epoch + 1} loss {mean:.4f} test accuracy {accuracy(test_set):.3f} lr {scheduler.get_last_lr()[0]:.2e} ({time.time() - start:.1f}s)")
