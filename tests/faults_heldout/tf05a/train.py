# Land cover from two Sentinel-2 dates. Trained on the digitised pixels, checked with the field survey.
import os

import numpy as np
import pandas as pd
import torch
import torch.nn as nn
import torch.nn.functional as F

os.chdir(os.path.dirname(os.path.abspath(__file__)))
seed = 17
torch.manual_seed(seed)

legend = pd.read_csv("legend.csv", sep=";").set_index("code")["name"]
digitised = pd.read_csv("digitised.csv")
survey = pd.read_csv("field_survey.csv")

bands = [c for c in digitised.columns if c.startswith("b")]
covers = sorted(legend.unique())
number = {name: k for k, name in enumerate(covers)}


def features(table):
    refl = table[bands].to_numpy(np.float32) / 10000
    out = [np.log(refl)]
    for date in ("apr", "jul"):
        red, nir = table[f"b04_{date}"].to_numpy(np.float32), table[f"b08_{date}"].to_numpy(np.float32)
        out.append(((nir - red) / (nir + red))[:, None])
    return np.concatenate(out, axis=1)


x = features(digitised)
centre, spread = x.mean(0), x.std(0)
x = torch.tensor((x - centre) / spread)
y = torch.tensor(digitised["lc"].map(legend).map(number).to_numpy())
x_survey = torch.tensor((features(survey) - centre) / spread)
y_survey = torch.tensor(survey["cover"].map(number).to_numpy())

net = nn.Sequential(
    nn.Linear(x.shape[1], 64), nn.ReLU(), nn.Dropout(0.2),
    nn.Linear(64, 32), nn.ReLU(),
    nn.Linear(32, len(covers)),
)
opt = torch.optim.Adam(net.parameters(), lr=1e-3, weight_decay=1e-4)

for epoch in range(60):
    net.train()
    perm = torch.randperm(len(x))
    seen = 0.0
    for idx in perm.split(16):
        loss = F.cross_entropy(net(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        seen += loss.item() * len(idx)
    if epoch % 6 == 5:
        net.eval()
        with torch.no_grad():
            out = net(x_survey)
        print("epoch %d  loss %.3f  survey loss %.3f  survey accuracy %.3f" % (
            epoch + 1, seen / len(x), F.cross_entropy(out, y_survey), (out.argmax(1) == y_survey).float().mean()))

pred = out.argmax(1)
table = pd.crosstab(survey["cover"], pd.Series([covers[i] for i in pred.tolist()], name="mapped"))
print(table.to_string())
print("overall accuracy %.3f" % (pred == y_survey).float().mean())
