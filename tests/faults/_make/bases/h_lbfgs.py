import torch
import torch.nn.functional as F
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import scale

torch.manual_seed(0)
X, y = load_wine(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(scale(X), y, test_size=0.3, random_state=0, stratify=y)
X_train, X_test = (torch.tensor(a, dtype=torch.float32) for a in (X_train, X_test))
y_train, y_test = torch.tensor(y_train), torch.tensor(y_test)

model = torch.nn.Sequential(torch.nn.Linear(13, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3))
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=8)


def closure():
    optimizer.zero_grad()
    objective = F.cross_entropy(model(X_train), y_train) + 3e-3 * sum(p.pow(2).sum() for p in model.parameters())
    objective.backward()
    return objective


for step in range(40):
    value = optimizer.step(closure)
    if step % 4 == 3:
        with torch.no_grad():
            accuracy = (model(X_test).argmax(1) == y_test).float().mean()
        print(f"iteration {step + 1:3d} objective {value.item():.4f} test accuracy {accuracy:.3f}")
