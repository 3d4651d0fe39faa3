#!/usr/bin/env python
# Next-day peak load of a distribution area from the 24 hourly profile
# channels: normalised load shape, temperature anomaly, holiday flag
import sys

import numpy as np
import torch
import torch.nn as nn

HIDDEN = 48
EPOCHS = int(sys.argv[1]) if len(sys.argv) > 1 else 25


class PeakGRU(nn.Module):
    def __init__(self, channels=3, hidden=HIDDEN):
        super().__init__()
        self.gru = nn.GRU(channels, hidden, batch_first=True)
        self.fc1 = nn.Linear(hidden, 32)
        self.fc2 = nn.Linear(32, 1)

    def forward(self, seq):
        _, last = self.gru(seq)
        return self.fc2(torch.relu(self.fc1(last[0]))).squeeze(1)


def get_data():
    z = np.load("profiles.npz")
    prof = torch.from_numpy(z["profile"].astype(np.float32))
    peak = torch.from_numpy(z["peak"].astype(np.float32))
    cut = int(0.8 * len(prof))
    perm = torch.randperm(len(prof))
    return (prof[perm[:cut]], peak[perm[:cut]]), (prof[perm[cut:]], peak[perm[cut:]])


def epoch_pass(net, seqs, peaks, opt=None, bs=32):
    net.train(opt is not None)
    order = torch.randperm(len(seqs)) if opt else torch.arange(len(seqs))
    sq, n = 0.0, 0
    for k in range(0, len(seqs), bs):
        b = order[k:k + bs]
        with torch.set_grad_enabled(opt is not None):
            err = torch.mean((net(seqs[b]) - peaks[b]) ** 2)
        if opt:
            opt.zero_grad()
            err.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 10.0)
            opt.step()
        sq += err.item() * len(b)
        n += len(b)
    return sq / n


torch.manual_seed(9)
(train_seq, train_peak), (test_seq, test_peak) = get_data()
net = PeakGRU()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
var = test_peak.var(unbiased=False).item()
print("days:", len(train_seq), "/", len(test_seq))
for ep in range(EPOCHS):
    tr = epoch_pass(net, train_seq, train_peak, opt)
    te = epoch_pass(net, test_seq, test_peak)
    print("ep %2d  train mse %.5g  test mse %.5g  test R2 %.3f" % (ep, tr, te, 1 - te / var))
