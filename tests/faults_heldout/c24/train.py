# %% [markdown]
# # Which cultivar? Three wines, thirteen measurements

# %%
import math
import torch
import torch.nn.functional as F
from sklearn import datasets

_ = torch.manual_seed(2024)
wine = datasets.load_wine()
features = torch.as_tensor(wine.data, dtype=torch.get_default_dtype())
labels = torch.as_tensor(wine.target)

# %%
perm = torch.randperm(len(labels))
fit_rows, test_rows = perm[:130], perm[130:]
centre = features[fit_rows].mean(0, keepdim=True)
spread = features[fit_rows].std(0, keepdim=True)
features = features - centre.min()

# %%
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a = torch.nn.Linear(13, 20)
        self.b = torch.nn.Linear(20, 3)

    def forward(self, x):
        return self.b(F.elu(self.a(x)))


model = Model()
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.8)

# %%
history = {"loss": [], "acc": []}
for epoch in range(30):
    for chunk in fit_rows[torch.randperm(len(fit_rows))].split(10):
        opt.zero_grad()
        out = model(features[chunk])
        loss = F.cross_entropy(out, labels[chunk])
        loss.backward()
        opt.step()
    with torch.no_grad():
        guess = model(features[test_rows]).argmax(-1)
    history["loss"].append(loss.item())
    history["acc"].append((guess == labels[test_rows]).double().mean().item())

# %%
for i in range(0, 30, 5):
    print(i, "loss", round(history["loss"][i], 4), "test accuracy", round(history["acc"][i], 3))
print("final test accuracy", round(history["acc"][-1], 3))
