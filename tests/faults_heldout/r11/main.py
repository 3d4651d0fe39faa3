import torch
from torch.nn.functional import mse_loss
from torch.utils.data import DataLoader

from reco.data import ratings
from reco.model import EmbeddingScorer

torch.manual_seed(0)
(train_set, test_set), cards = ratings()
train_dl = DataLoader(train_set, batch_size=256, shuffle=True)
test_dl = DataLoader(test_set, batch_size=1024)

model = EmbeddingScorer(cards)
print("trainable weights:", sum(p.numel() for p in model.parameters()))
opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=3e-5)

for epoch in range(16):
    model.train()
    se = n = 0
    for cats, y in train_dl:
        loss = mse_loss(model(cats), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        se += loss.item() * len(y)
        n += len(y)
    model.eval()
    with torch.no_grad():
        err = sum(mse_loss(model(c), y, reduction="sum").item() for c, y in test_dl) / len(test_set)
    print(f"epoch {epoch:2d} train mse {se / n:.4f} test mse {err:.4f}")
