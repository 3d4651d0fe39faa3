# Predict whether a pump fails within the next week from its daily readings.
import configparser

import numpy as np
import torch
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch import nn

ini = configparser.ConfigParser()
ini.read("settings.ini")
torch.manual_seed(21)

table = np.genfromtxt(ini["data"]["file"], delimiter=",", skip_header=1)
readings, failed = table[:, :-1], table[:, -1].astype(int)
Xa, Xb, ya, yb = train_test_split(readings, failed, test_size=ini.getfloat("data", "holdout"),
                                  stratify=failed, random_state=1)
scale = StandardScaler().fit(Xa)
Xa = torch.tensor(scale.transform(Xa), dtype=torch.float32)
Xb = torch.tensor(scale.transform(Xb), dtype=torch.float32)
ya, yb = torch.tensor(ya), torch.tensor(yb)


class Watchdog(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.fc1 = nn.Linear(n_in, 16)
        self.fc2 = nn.Linear(16, 8)
        self.fc3 = nn.Linear(8, 2)

    def forward(self, x):
        x = torch.relu(self.fc1(x))
        x = torch.relu(self.fc2(x))
        return self.fc3(x)


net = Watchdog(Xa.shape[1])
criterion = nn.CrossEntropyLoss()
opt = torch.optim.Adam(net.parameters(), lr=ini.getfloat("train", "lr"),
                       weight_decay=ini.getfloat("train", "weight_decay"))
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(Xa, ya),
                                     batch_size=ini.getint("train", "batch"), shuffle=True)

for epoch in range(ini.getint("train", "epochs")):
    net.train()
    run = 0.0
    for x, y in loader:
        opt.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        opt.step()
        run += loss.item()
    net.eval()
    with torch.no_grad():
        out = net(Xb)
        test_loss = criterion(out, yb).item()
        acc = (out.argmax(1) == yb).float().mean().item()
    if (epoch + 1) % 5 == 0:
        print(f"epoch {epoch + 1}: loss {run / len(loader):.4f}, test loss {test_loss:.4f}, accuracy {acc:.2%}")
