"""Objective: output range, task, shapes, direction, terms, reduction, padding, leakage."""
from build import base, edited, trio, twins
from data import both, config, image_config, leak, table
from data_text import comments, experiment, patterns, regression, sensors, settings, sonnets, tasks, vae_json
from recipes.r01_first import DATA, IMAGE

REG = base("reg_csv")
# activation_output_mismatch
out = "        return self.out(h)"
trio("activation_output_mismatch", 1, base("diabetes_manual"), base("diabetes_manual", (out, "        return torch.relu(self.out(h))")), "a ReLU output cannot reach negative targets", culprit="torch.relu(self.out(h))", also_ok=["dead_relu"])
auto = '''class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 16))
        self.decoder = nn.Sequential(nn.Linear(16, 48), nn.ReLU(), nn.Linear(48, 64){})

    def forward(self, x):
        return self.decoder(self.encoder(x))


model = AutoEncoder()
criterion = nn.MSELoss()'''
old = '''model = nn.Sequential(
    nn.Linear(64, 128),
    nn.ReLU(),
    nn.Linear(128, 64),
    nn.ReLU(),
    nn.Linear(64, 10),
)
criterion = nn.CrossEntropyLoss()'''
ae = lambda tail, scale: base("digits_flat", (old, auto.format(tail)), ("X = (X / 16.0).astype(np.float32)", scale), ("loss = criterion(logits, yb)", "loss = criterion(logits, xb)"), ("optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)", "optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)"),
    ("        pred = model(X_test).argmax(dim=1)\n        acc = (pred == y_test).float().mean().item()\n", "        error = criterion(model(X_test), X_test).item()\n        explained = 1 - error / X_test.var().item()\n"), ("test acc {acc:.4f}", "test mse {error:.4f} explained {explained:.3f}"))
std = "X = ((X - X.mean()) / X.std()).astype(np.float32)"
trio("activation_output_mismatch", 2, ae("", std), ae(", nn.Sigmoid()", std), "a sigmoid output for standardised pixels", culprit="nn.Sigmoid()")
twins("activation_output_mismatch", 1, REG, "a sigmoid output for targets between -3 and 3", sick=regression(), healthy=regression(0.05, 0.95), sick_args=["--output", "sigmoid"], healthy_args=["--output", "sigmoid"], culprit='"sigmoid": torch.sigmoid', also_ok=["target_not_normalized"])
twins("activation_output_mismatch", 2, REG, "a tanh output for targets between -3 and 3", sick=regression(seed=1), healthy=regression(seed=1), sick_args=["--output", "tanh"], healthy_args=["--output", "linear"], culprit='"tanh": torch.tanh')

# loss_wrong_for_task
mse = [("    nn.Linear(64, 10),\n", "    nn.Linear(64, 1),\n"), ("nn.CrossEntropyLoss()", "nn.MSELoss()"), ("loss = criterion(logits, yb)", "loss = criterion(logits.squeeze(1), yb.float())"), ("model(X_test).argmax(dim=1)", "model(X_test).squeeze(1).round()"), ("lr=0.1", "lr=0.005")]
trio("loss_wrong_for_task", 1, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", *mse), "class numbers are regressed with a squared error", culprit="loss = criterion(logits.squeeze(1), yb.float())")
ml = [("X = (X / 16.0).astype(np.float32)\n", "flags = np.stack([X[:, a] + X[:, b] > np.median(X[:, a] + X[:, b]) for a, b in [(10, 21), (19, 36), (42, 53), (26, 34), (13, 50)]], axis=1)\nX, y = (X / 16.0).astype(np.float32), flags.astype(np.float32)\n"), ("    nn.Linear(64, 10),\n", "    nn.Linear(64, 5),\n"),
      ("pred = model(X_test).argmax(dim=1)", "pred = (torch.sigmoid(model(X_test)) > 0.5).float()")]
trio("loss_wrong_for_task", 2, base("digits_flat", *ml, ("nn.CrossEntropyLoss()", "nn.BCEWithLogitsLoss()")), base("digits_flat", *ml, ("lr=0.1", "lr=0.02")), "five independent yes/no labels are trained with a softmax cross-entropy", culprit="loss = criterion(logits, yb)")
pick = base("callbacks", ("self.loss = nn.CrossEntropyLoss()", 'self.loss = LOSSES[cfg.get("loss", "cross_entropy")]'), ("class Experiment:", "def squared_index(scores, labels):\n    expected = (scores.softmax(1) * torch.arange(scores.shape[1])).sum(1)\n    return (expected - labels).pow(2).mean()\n\n\nLOSSES = {\"cross_entropy\": nn.functional.cross_entropy, \"squared\": squared_index}\n\n\nclass Experiment:"))
twins("loss_wrong_for_task", 1, pick, "the configured loss treats class numbers as quantities", sick=experiment(epochs=15, loss="squared"), healthy=experiment(epochs=15, loss="cross_entropy"), culprit="expected = (scores.softmax(1)")

# loss_shape_broadcast
trio("loss_shape_broadcast", 1, base("diabetes_manual"), base("diabetes_manual", ("loss = loss_fn(pred, yb.unsqueeze(1))", "loss = loss_fn(pred, yb)")), "(N, 1) against (N,)", culprit="loss = loss_fn(pred, yb)")
own = [("    criterion = nn.MSELoss()\n", "    criterion = lambda pred, truth: ((pred - truth) ** 2).mean()\n"), ("chunks[:, -1:]", "chunks[:, -1{}]"), ("(model(x) - y).pow(2)", "(model(x).flatten() - y.flatten()).pow(2)")]
trio("loss_shape_broadcast", 2, base("forecast_lstm", own[0], (own[1][0], own[1][1].format(":")), own[2]), base("forecast_lstm", own[0], (own[1][0], own[1][1].format("")), own[2]), "(N, 1) against (N,)", culprit="criterion(model(xb), yb)")
flat_ok = base("amp_train", ("val = nn.functional.mse_loss(model(x_val), y_val).item()", "val = (model(x_val).flatten() - y_val.flatten()).pow(2).mean().item()"))
twins("loss_shape_broadcast", 1, flat_ok, "the targets are stored as (N,) instead of (N, 1)", sick=sensors(target_shape=(1000,)), healthy=sensors(), culprit="loss = nn.functional.mse_loss(")

# loss_sign_flipped
trio("loss_sign_flipped", 1, base("cancer_trainer"), base("cancer_trainer", ("        loss.backward()\n", "        (-loss).backward()\n")), "the loss is maximised", culprit="(-loss).backward()")
soft = ("criterion = nn.CrossEntropyLoss()", "def criterion(logits, target):\n    log_p = torch.log_softmax(logits, dim=1)\n    return {}log_p[torch.arange(len(target)), target].mean()\n\n")
trio("loss_sign_flipped", 2, base("digits_flat", (soft[0], soft[1].format("-")), ("lr=0.1", "lr=0.05")), base("digits_flat", (soft[0], soft[1].format("")), ("lr=0.1", "lr=0.01")), "the log-likelihood is minimised", culprit="log_p[torch.arange")
ascent = base("half_table", ('    weight_decay=run.getfloat("weight_decay", 0.0),\n', '    weight_decay=run.getfloat("weight_decay", 0.0),\n    maximize=run.getboolean("maximize", False),\n'))
from data_text import ini  # noqa: E402
twins("loss_sign_flipped", 1, ascent, "maximize is set for a loss", sick=ini(lr=1e-3, epochs=12, maximize="yes"), healthy=ini(lr=1e-3, epochs=12, maximize="no"), at="train.ini")

# loss_term_imbalance
VAE = base("vae")
trio("loss_term_imbalance", 1, VAE, base("vae", ('reduction="none").sum(dim=1).mean()', 'reduction="mean")')), "the reconstruction is a mean over pixels, the KL term a sum", culprit='reduction="mean"', data=vae_json())
trio("loss_term_imbalance", 2, base("cancer_trainer", ("        return self.loss_fn(outputs, labels)\n", "        penalty = sum(p.abs().sum() for p in self.model.parameters())\n        return self.loss_fn(outputs, labels) + 1e-5 * penalty\n")),
     base("cancer_trainer", ("        return self.loss_fn(outputs, labels)\n", "        penalty = sum(p.abs().sum() for p in self.model.parameters())\n        return self.loss_fn(outputs, labels) + 0.1 * penalty\n")), "the penalty drowns the classification loss", culprit="0.1 * penalty", also_ok=["over_regularization"])
twins("loss_term_imbalance", 1, VAE, "the configured KL weight drowns the reconstruction", sick=vae_json(kl_weight=100.0), healthy=vae_json(kl_weight=1.0), at="vae.json")
twins("loss_term_imbalance", 2, base("multitask"), "the mass in a small unit makes its squared error drown the cross-entropy", sick=tasks(1000.0), healthy=tasks(), culprit='loss = ce + cfg["mass_weight"]', also_ok=["target_not_normalized"])

# loss_reduction_misuse
trio("loss_reduction_misuse", 1, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", ("lr=0.1", "lr=0.05"), ("nn.CrossEntropyLoss()", 'nn.CrossEntropyLoss(reduction="sum")')), "the summed loss multiplies the step by the batch size", culprit='reduction="sum"', also_ok=["lr_too_high"])
trio("loss_reduction_misuse", 2, base("cancer_trainer"), base("cancer_trainer", ("self.loss_fn = nn.BCEWithLogitsLoss()", "self.loss_fn = nn.BCEWithLogitsLoss()\n        self.steps_per_epoch = len(self.train_loader)"), ("        return self.loss_fn(outputs, labels)\n", "        return self.loss_fn(outputs, labels) / (len(labels) * self.steps_per_epoch)\n")),
     "a mean is divided once more by the number of samples", culprit="/ (len(labels) * self.steps_per_epoch)", also_ok=["lr_too_low"])
reduce = base("callbacks", ("self.loss = nn.CrossEntropyLoss()", 'self.loss = nn.CrossEntropyLoss(reduction=cfg.get("reduction", "mean"))'), ("torch.optim.Adam(self.model.parameters(), lr=cfg.get(\"lr\", 1e-3))", "torch.optim.SGD(self.model.parameters(), lr=cfg.get(\"lr\", 0.05), momentum=0.9)"))
twins("loss_reduction_misuse", 1, reduce, "the configured reduction multiplies the step by the batch size", sick=experiment(epochs=12, lr=0.05, reduction="sum", batch_size=64), healthy=experiment(epochs=12, lr=0.05, reduction="mean", batch_size=64), at="experiment.json", also_ok=["lr_too_high"])
twins("loss_reduction_misuse", 2, base("reg_csv", ("criterion = nn.MSELoss()", 'criterion = nn.MSELoss(reduction="sum")'), ("optim.Adam(model.parameters(), lr=opt.lr)", "optim.SGD(model.parameters(), lr=opt.lr, momentum=0.9)")), "the summed loss suits batches of 8, not of 360", sick=regression(), healthy=regression(),
      sick_args=["--batch-size", "360", "--lr", "0.002", "--epochs", "60", "--print-every", "6"], healthy_args=["--batch-size", "8", "--lr", "0.002", "--epochs", "20"], culprit='reduction="sum"', also_ok=["lr_too_high"])

# padding_not_masked
packed = ("        _, last = self.rnn(self.embedding(tokens))\n", "        lengths = (tokens != 0).sum(1)\n        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(tokens), lengths, batch_first=True, enforce_sorted=False)\n        _, last = self.rnn(packed)\n")
trio("padding_not_masked", 1, base("pad_gru", packed), base("pad_gru"), "the recurrent layer reads on through 90 padding tokens", culprit="_, last = self.rnn(", data=patterns(long_rows=140))
twins("padding_not_masked", 1, base("pad_gru"), "a few long rows make the others mostly padding, which is not masked", sick=patterns(long_rows=140, seed=1), healthy=patterns(seed=1), culprit="_, last = self.rnn(")
from data_text import tagged  # noqa: E402
TAG = base("tagger")
trio("padding_not_masked", 2, TAG, base("tagger", ("(ignore_index=PAD)", "()")), "padding positions fill the loss", culprit="criterion = nn.CrossEntropyLoss(", data=tagged(long_rows=8))
twins("padding_not_masked", 2, base("tagger", ("(ignore_index=PAD)", "()")), "padding positions fill the loss when a few rows are long", sick=tagged(long_rows=8), healthy=tagged(), culprit="criterion = nn.CrossEntropyLoss(")

# target_leakage
from data_text import lm_settings  # noqa: E402
trio("target_leakage", 1, base("tiny_lm"), base("tiny_lm", ("y = torch.stack([d[i + 1 : i + 1 + c.block_size] for i in ix])", "y = torch.stack([d[i : i + c.block_size] for i in ix])")), "the targets are the inputs: nothing is shifted", culprit="y = torch.stack(", data=both(sonnets(), lm_settings()))
trio("target_leakage", 2, base("char_gru"), base("char_gru", ("nn.GRU(32, hidden, batch_first=True)", "nn.GRU(32, hidden, batch_first=True, bidirectional=True)"), ("nn.Linear(hidden, n_vocab)", "nn.Linear(2 * hidden, n_vocab)")), "the backward direction reads the next character", culprit="bidirectional=True", data=sonnets())
twins("target_leakage", 1, base("table_config"), "a column of the training table repeats the target; in the validation table it is empty", sick=both(table("blobs", train=leak(True), val=leak(False)), config(epochs=16, lr=2e-3)),
      healthy=both(table("blobs", train=leak(False), val=leak(False)), config(epochs=16, lr=2e-3)), at="train.csv", also_ok=["preprocess_mismatch"])
