# Benign / malignant classifier on the Wisconsin cell-nucleus measurements.
import torch
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

torch.manual_seed(29)

data = load_breast_cancer()
x_train, x_test, y_train, y_test = train_test_split(
    data.data, data.target, test_size=0.3, stratify=data.target, random_state=1
)
scaler = StandardScaler().fit(x_train)
x_train = torch.tensor(scaler.transform(x_train), dtype=torch.float32)
x_test = torch.tensor(scaler.transform(x_test), dtype=torch.float32)
y_train = torch.tensor(y_train, dtype=torch.float32)


def tower(n_in, width, depth):
    layers = [nn.Linear(n_in, width), nn.Sigmoid()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), nn.Sigmoid()]
    layers.append(nn.Linear(width, 1))
    return nn.Sequential(*layers)


model = tower(30, 24, depth=6)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

for epoch in range(60):
    model.train()
    epoch_loss = 0.0
    for idx in torch.randperm(len(x_train)).split(32):
        optimizer.zero_grad()
        loss = criterion(model(x_train[idx]).squeeze(1), y_train[idx])
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(idx)
    if (epoch + 1) % 10 == 0:
        model.eval()
        with torch.no_grad():
            score = model(x_test).squeeze(1)
        acc = ((score > 0).numpy() == y_test).mean()
        print(f"epoch {epoch + 1:2d}: loss {epoch_loss / len(x_train):.4f}, "
              f"test acc {acc:.3f}, AUC {roc_auc_score(y_test, score.numpy()):.3f}")
