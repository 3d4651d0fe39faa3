import torch
from torch.utils.data import DataLoader

from ecgtag import WaveTagger, load_split
from ecgtag.engine import TAGS, f1_per_tag, fit_epoch

torch.manual_seed(4)
train, test = load_split("leads.npz", n_test=60)
train_loader = DataLoader(train, batch_size=10, shuffle=True)
test_loader = DataLoader(test, batch_size=60)
model = WaveTagger()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(15):
    loss = fit_epoch(model, train_loader, opt)
    f1 = f1_per_tag(model, test_loader)
    print(f"epoch {epoch:2d} loss {loss:.4f}  F1 " + "  ".join(f"{t} {v:.3f}" for t, v in zip(TAGS, f1)))
