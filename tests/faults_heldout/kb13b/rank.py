import configparser
import os

import numpy as np
import torch

from ltr import Patience, Scorer, listwise_loss, ndcg

here = os.path.dirname(os.path.abspath(__file__))
ini = configparser.ConfigParser()
ini.read(os.path.join(here, "rank.ini"))
opt_cfg, stop_cfg = ini["optim"], ini["early_stop"]

torch.manual_seed(opt_cfg.getint("seed"))
pack = np.load(os.path.join(here, "queries.npz"))
feat = torch.tensor(pack["feat"].astype(np.float32))
grade = torch.tensor(pack["grade"].astype(np.int64))
n = len(feat)
train, valid, test = (slice(0, int(.7 * n)), slice(int(.7 * n), int(.85 * n)), slice(int(.85 * n), n))

model = Scorer(feat.shape[-1], ini.getint("model", "hidden"))
adam = torch.optim.Adam(model.parameters(), lr=opt_cfg.getfloat("lr"), weight_decay=1e-4)
stop = Patience(stop_cfg["mode"], stop_cfg.getint("patience"), stop_cfg.getfloat("min_delta"))

ft, gt = feat[train], grade[train]
for epoch in range(opt_cfg.getint("max_epochs")):
    model.train()
    total = 0.0
    for q in torch.randperm(len(ft)).split(opt_cfg.getint("queries_per_batch")):
        loss = listwise_loss(model(ft[q]), gt[q])
        adam.zero_grad()
        loss.backward()
        adam.step()
        total += loss.item() * len(q)
    model.eval()
    with torch.no_grad():
        sv = model(feat[valid])
    report = {"loss": listwise_loss(sv, grade[valid]).item(), "ndcg": ndcg(sv, grade[valid])}
    print(f"epoch {epoch + 1:3d} train loss {total / len(ft):.4f} "
          f"valid loss {report['loss']:.4f} ndcg@5 {report['ndcg']:.4f}")
    if stop.update(report[stop_cfg["monitor"]], model):
        print("no improvement, stopping")
        break

model.load_state_dict(stop.weights)
model.eval()
with torch.no_grad():
    print(f"test ndcg@5 {ndcg(model(feat[test]), grade[test]):.4f}")
