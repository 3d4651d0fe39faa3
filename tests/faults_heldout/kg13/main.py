"""Second-hand laptop prices: fit on 2022, look at 2023."""
import torch
from torch.utils.data import DataLoader

from pricing.model import PriceNet
from pricing.table import SalesTable

torch.manual_seed(10)
train_set = SalesTable("sales_2022.csv")
test_set = SalesTable("sales_2023.csv", scale=train_set.scale)
model = PriceNet([len(v) for v in train_set.levels.values()], train_set.nums.shape[1])
train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
test_loader = DataLoader(test_set, batch_size=256)
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)


def evaluate(loader):
    model.eval()
    se = n = 0
    with torch.no_grad():
        for codes, nums, price in loader:
            se += (model(codes, nums) - price).square().sum().item()
            n += len(price)
    return se / n


for epoch in range(20):
    model.train()
    for codes, nums, price in train_loader:
        loss = (model(codes, nums) - price).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch:2d}  mse 2022 {evaluate(train_loader):.4f}  mse 2023 {evaluate(test_loader):.4f}")
