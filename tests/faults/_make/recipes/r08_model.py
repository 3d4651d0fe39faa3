"""Faults of the network, of throughput and of memory."""
from build import base, edited, trio, twins
from changes import all_scaled, first
from data import both, config, image_archives, image_config, rings, table
from data_text import experiment, ini, lm_settings, regression, sensors, settings, sonnets, transactions, waves
from recipes.r01_first import DATA, IMAGE

TABLE, REG, LM = base("table_config"), base("reg_csv"), base("tiny_lm")

# warmup_missing
post = {"post_norm": True, "n_layer": 10, "n_embd": 32, "block_size": 24, "batch_size": 8, "beta2": 0.999, "lr": 1e-2, "max_iters": 200, "eval_interval": 25}
twins("warmup_missing", 1, LM, "full rate at step 0 in a deep post-norm transformer", sick=both(sonnets(), lm_settings(**post, warmup=0)), healthy=both(sonnets(), lm_settings(**post, warmup=80)), at="settings.json", also_ok=["lr_too_high"])
trio("warmup_missing", 1, base("tiny_lm", ("    if step < c.warmup:\n        return c.lr * (step + 1) / c.warmup\n    done = (step - c.warmup) / max(1, c.max_iters - c.warmup)\n    return c.lr *", "    if step < 70:\n        return c.lr * (step + 1) / 70\n    done = (step - 70) / (c.max_iters - 70)\n    return c.lr *")),
     base("tiny_lm", ("    if step < c.warmup:\n        return c.lr * (step + 1) / c.warmup\n    done = (step - c.warmup) / max(1, c.max_iters - c.warmup)\n    return c.lr *", "    done = step / c.max_iters\n    return c.lr *")), "full rate at step 0 in a deep post-norm transformer", culprit="return c.lr *", data=both(sonnets(), lm_settings(**{**post, "seed": 5}, warmup=0)), also_ok=["lr_too_high"])

# bad_initialization
init = ("criterion = nn.Cross", "for p in model.parameters():\n    {}\ncriterion = nn.Cross")
trio("bad_initialization", 1, base("digits_flat", (init[0], init[1].format("nn.init.xavier_uniform_(p) if p.dim() > 1 else nn.init.zeros_(p)")), ("lr=0.1", "lr=0.05")), base("digits_flat", (init[0], init[1].format("nn.init.constant_(p, 0.05)")), ("lr=0.1", "lr=0.05")), "all units start alike", culprit="nn.init.constant_(p, 0.05)")
trio("bad_initialization", 2, base("cancer_trainer"), base("cancer_trainer", ("        self.classifier = nn.Linear(hidden, 1)\n", "        self.classifier = nn.Linear(hidden, 1)\n        for module in self.modules():\n            if isinstance(module, nn.Linear):\n                nn.init.zeros_(module.weight)\n                nn.init.zeros_(module.bias)\n")), "all weights start at zero", culprit="nn.init.zeros_(module.weight)")
twins("bad_initialization", 1, IMAGE, "configured weights start at exactly zero", sick=both(DATA, image_config(model={"init_std": 0.0})), healthy=both(DATA, image_config(model={"init_std": 0.08})), at="config.json")
twins("bad_initialization", 2, IMAGE, "configured weights start hundred times too large", sick=both(DATA, image_config(model={"init_std": 12.0}, optim={"lr": 0.001})), healthy=both(DATA, image_config(model={"init_std": 0.08}, optim={"lr": 0.001})), at="config.json", also_ok=["exploding_gradient"])

# vanishing_gradient
twins("vanishing_gradient", 1, TABLE, "ten sigmoid layers", sick=both(table("wine", seed=2), config(epochs=14, lr=2e-3, hidden=[32] * 10, activation="sigmoid")), healthy=both(table("wine", seed=2), config(epochs=14, lr=2e-3, hidden=[32] * 2, activation="relu")), at="config.json", also_ok=["saturated_activation"])
twins("vanishing_gradient", 2, TABLE, "sixteen plain layers instead of three", sick=both(table("blobs"), config(epochs=12, lr=1e-3, hidden=[24] * 24, activation="relu")), healthy=both(table("blobs"), config(epochs=12, lr=2e-3, hidden=[48] * 3, activation="relu")), at="config.json", also_ok=["bad_initialization"])
stack = lambda act, n: "model = nn.Sequential(\n    nn.Linear(64, 32),\n    {a},\n    *[m for _ in range({n}) for m in (nn.Linear(32, 32), {a})],\n    nn.Linear(32, 10),\n)\ncriterion".format(a=act, n=n)
old = "model = nn.Sequential(\n    nn.Linear(64, 128),\n    nn.ReLU(),\n    nn.Linear(128, 64),\n    nn.ReLU(),\n    nn.Linear(64, 10),\n)\ncriterion"
trio("vanishing_gradient", 1, base("digits_flat", (old, stack("nn.ReLU()", 2)), ("lr=0.1", "lr=0.05")), base("digits_flat", (old, stack("nn.Sigmoid()", 8)), ("lr=0.1", "lr=0.05")), "nine sigmoid layers", culprit="for m in (nn.Linear(32, 32)", also_ok=["saturated_activation"])
deepreg = [("        self.fc2 = nn.Linear(d_hidden, d_hidden)\n", "        self.fc2 = nn.ModuleList([nn.Linear(d_hidden, d_hidden) for _ in range({})])\n"), ("        h = torch.tanh(self.fc2(h))\n", "        for layer in self.fc2:\n            h = torch.{}(layer(h))\n"), ("epoch in range(1, 41)", "epoch in range(1, 26)")]
trio("vanishing_gradient", 2, base("diabetes_manual", (deepreg[0][0], deepreg[0][1].format(2)), (deepreg[1][0], deepreg[1][1].format("tanh")), deepreg[2]), base("diabetes_manual", (deepreg[0][0], deepreg[0][1].format(14)), (deepreg[1][0], deepreg[1][1].format("sigmoid")), deepreg[2]), "fourteen sigmoid layers", culprit="torch.sigmoid(layer(h))", also_ok=["saturated_activation"])

# exploding_gradient
grow = ("criterion = nn.Cross", "for layer in model:\n    if isinstance(layer, nn.Linear):\n        nn.init.normal_(layer.weight, std={})\ncriterion = nn.Cross")
trio("exploding_gradient", 1, base("digits_flat", (old, stack("nn.ReLU()", 6)), ("lr=0.1", "lr=0.02"), (grow[0], grow[1].format("(2 / layer.in_features) ** 0.5"))), base("digits_flat", (old, stack("nn.ReLU()", 6)), ("lr=0.1", "lr=0.02"), (grow[0], grow[1].format("1.0"))), "weights of unit variance in eight layers", culprit="nn.init.normal_(layer.weight", also_ok=["bad_initialization"])
rec = ("        self.readout = nn.Linear(hidden, 1)\n", "        self.readout = nn.Linear(hidden, 1)\n        nn.init.orthogonal_(self.rnn.weight_hh_l0, gain={})\n")
trio("exploding_gradient", 2, base("forecast_lstm", ("nn.LSTM(1, hidden, num_layers=layers, batch_first=True)", 'nn.RNN(1, hidden, num_layers=layers, nonlinearity="relu", batch_first=True)'), (rec[0], rec[1].format("1.0"))), base("forecast_lstm", ("nn.LSTM(1, hidden, num_layers=layers, batch_first=True)", 'nn.RNN(1, hidden, num_layers=layers, nonlinearity="relu", batch_first=True)'), (rec[0], rec[1].format("3.0")), ("        nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n", "")),
     "the recurrence triples its state at each of 24 steps", culprit="nn.init.orthogonal_(", parameter="rnn.weight_hh_l0", also_ok=["bad_initialization"])
gain = base("seq_class", ("        self.fc = nn.Linear(hidden, n_classes)\n", "        self.fc = nn.Linear(hidden, n_classes)\n        with torch.no_grad():\n            self.rnn.weight_hh_l0.mul_(gain)\n"), ('cell="gru"):', 'cell="gru", gain=1.0):'), ('settings.get("cell", "gru"))', 'settings.get("cell", "gru"), settings.get("gain", 1.0))'), ('"rnn": nn.RNN}[cell]', '"rnn": lambda *a, **k: nn.RNN(*a, nonlinearity="relu", **k)}[cell]'))
twins("exploding_gradient", 1, gain, "recurrent weights nine times their usual size over 32 steps", sick=both(waves(noise=0.05), settings(cell="rnn", gain=9.0, epochs=24, lr=3e-3, clip=5.0, hidden=48)), healthy=both(waves(noise=0.05), settings(cell="rnn", gain=1.0, epochs=24, lr=3e-3, clip=5.0, hidden=48)), at="settings.json", also_ok=["bad_initialization"])

# saturated_activation
trio("saturated_activation", 1, base("cancer_trainer", ("nn.Linear(n_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()", "nn.Linear(n_features, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh()")), base("cancer_trainer", ("nn.Linear(n_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()", "nn.Linear(n_features, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh()"), ("torch.tensor(scaler.transform(a), dtype", "torch.tensor(a * 10, dtype")), "raw readings of thousands reach tanh units", culprit="torch.tensor(a * 10", also_ok=["input_not_normalized"])
sat = ("criterion = nn.Cross", "for m in model.modules():\n    if isinstance(m, nn.Linear):\n        nn.init.normal_(m.weight, std={})\ncriterion = nn.Cross")
sig = [("    nn.Linear(64, 128),\n    nn.ReLU(),\n    nn.Linear(128, 64),\n    nn.ReLU(),\n", "    nn.Linear(64, 128),\n    nn.Tanh(),\n    nn.Linear(128, 64),\n    nn.Tanh(),\n"), ("lr=0.1", "lr=0.02")]
trio("saturated_activation", 2, base("digits_flat", *sig, (sat[0], sat[1].format("0.1"))), base("digits_flat", *sig, (sat[0], sat[1].format("15.0"))), "weights so large that each tanh sits at -1 or 1", culprit="nn.init.normal_(m.weight", parameter="0.weight", also_ok=["bad_initialization"])
twins("saturated_activation", 1, TABLE, "columns of hundreds reach tanh units", sick=both(table("blobs", train=all_scaled(300, 2000), val=all_scaled(300, 2000)), config(epochs=16, lr=2e-3, activation="tanh", normalize=False)), healthy=both(table("blobs", train=all_scaled(0.4), val=all_scaled(0.4)), config(epochs=16, lr=2e-3, activation="tanh", normalize=False)), at="train.csv", also_ok=["input_not_normalized"])

# missing_nonlinearity
twins("missing_nonlinearity", 1, TABLE, "the configured activation is the identity, the classes are rings", sick=both(rings(), config(epochs=20, lr=3e-3, activation="identity")), healthy=both(rings(), config(epochs=20, lr=3e-3, activation="relu")), at="config.json", also_ok=["underfitting_capacity"])
trio("missing_nonlinearity", 1, REG, base("reg_csv", ("nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 1)", "nn.Linear(n_in, width), nn.Linear(width, width), nn.Linear(width, 1)")), "three linear layers in a row", culprit="nn.Sequential(", data=regression(seed=4), also_ok=["underfitting_capacity"])
xor2 = [("target = raw.target.astype(\"float32\")\n", "bmi, age = raw.data[:, 2], raw.data[:, 0]\ntarget = (np.abs(bmi - 26) * 12 + np.abs(age - 48) * 4 + rng.normal(0, 8, len(bmi))).astype(\"float32\")\n"), ("range(1, 41)", "range(1, 61)")]
trio("missing_nonlinearity", 2, base("diabetes_manual", *xor2), base("diabetes_manual", *xor2, ("        h = torch.tanh(self.fc1(x))\n        h = torch.tanh(self.fc2(h))\n        return self.out(h)", "        return self.out(self.fc2(self.fc1(x)))")), "three linear layers in a row", culprit="return self.out(self.fc2(self.fc1(x)))", also_ok=["underfitting_capacity"])

# underfitting_capacity
twins("underfitting_capacity", 1, TABLE, "one hidden unit for four classes", sick=both(table("blobs"), config(epochs=16, lr=5e-3, hidden=[1])), healthy=both(table("blobs"), config(epochs=16, lr=5e-3, hidden=[64])), at="config.json")
twins("underfitting_capacity", 2, REG, "one hidden unit", sick=regression(seed=6), healthy=regression(seed=6), sick_args=["--width", "1"], healthy_args=["--width", "48"], culprit="get_model(x.shape[1], opt.width")
trio(
     "underfitting_capacity", 1, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", ("lr=0.1", "lr=0.05"), ("    nn.Linear(64, 128),\n    nn.ReLU(),\n    nn.Linear(128, 64),\n    nn.ReLU(),\n    nn.Linear(64, 10),\n", "    nn.Linear(64, 2),\n    nn.Tanh(),\n    nn.Linear(2, 10),\n")), "two hidden units for ten classes", culprit="nn.Linear(64, 2)")
trio("underfitting_capacity", 2, base("char_gru"), base("char_gru", ("SEQ, HIDDEN = 8, 24, 96", "SEQ, HIDDEN = 8, 24, 2")), "a recurrent state of two numbers for a language model", culprit="HIDDEN = 8, 24, 2", data=sonnets())

# over_regularization
trio("over_regularization", 1, base("digits_cnn"), base("digits_cnn", ("Dropout(0.25)", "Dropout(0.98)")), "98 percent of the features are dropped", culprit="Dropout(0.98)")
trio("over_regularization", 2, base("cancer_trainer"), base("cancer_trainer", ("weight_decay: float = 2e-3", "weight_decay: float = 2.0")), "weight decay of 2", culprit="weight_decay: float = 2.0", also_ok=["wrong_optimizer_hyperparameter"])
twins("over_regularization", 1, IMAGE, "configured weight decay of 300", sick=both(DATA, image_config(optim={"weight_decay": 300.0})), healthy=both(DATA, image_config(optim={"weight_decay": 0.01})), at="config.json", also_ok=["wrong_optimizer_hyperparameter"])
twins("over_regularization", 2, TABLE, "configured dropout of 0.97", sick=both(table("blobs"), config(epochs=16, lr=2e-3, dropout=0.97)), healthy=both(table("blobs"), config(epochs=16, lr=2e-3, dropout=0.05)), at="config.json")

# overfitting
twins("overfitting", 1, TABLE, "60 rows and 4000 steps for a wide network", sick=both(table("blobs", train=first(60, 0.15, 4)), config(epochs=250, lr=2e-3, hidden=[128, 128])), healthy=both(table("blobs"), config(epochs=16, lr=2e-3, hidden=[64])), at="train.csv", also_ok=["label_noise"])
twins("overfitting", 2, IMAGE, "100 training images, a quarter mislabelled, shown 120 times", also_ok=["label_noise"], sick=both(image_archives(train=first(100, 0.25)), image_config(epochs=120, model={"hidden": 256, "dropout": 0.0})), healthy=both(DATA, image_config(epochs=8, model={"hidden": 256})), at="train.npz")
trio("overfitting", 1, base("diabetes_manual"), base("diabetes_manual", ("perm[:350], perm[350:]", "perm[:70], perm[350:]"), ("d_hidden=24", "d_hidden=200"), ("lr=2e-3, weight_decay=1e-3", "lr=2e-3"), ("range(1, 41)", "range(1, 301)"), ("epoch % 5 == 0", "epoch % 30 == 0")), "70 patients, 200 units, 300 epochs", culprit="perm[:70]")
trio("overfitting", 2, base("char_gru"), base("char_gru", ("range(14)", "range(60)"), ("SEQ, HIDDEN = 8, 24, 96", "SEQ, HIDDEN = 8, 24, 160"), ("epoch % 2 == 1", "epoch % 6 == 5")), "60 passes over 40 lines", culprit="range(60)", data=sonnets(lines=slice(0, 60)))

# sync_bottleneck
track = ("class Net", "def track(model, stats):\n    \"\"\"Mean, spread and largest entry of each parameter and gradient.\"\"\"\n    for name, p in model.named_parameters():\n        for kind, tensor in ((\"weight\", p), (\"grad\", p.grad)):\n            values = [v.item() for v in tensor.detach().flatten()]\n            stats[f\"{name}/{kind}\"] = (sum(values) / len(values), max(values), min(values))\n\n\nclass Net")
call = lambda cond: ("        optimizer.step()\n", "        optimizer.step()\n        if batch_idx % " + cond + " == 0:\n            track(model, stats)\n")
dic = ("    model.train()\n", "    model.train()\n    stats = {}\n")
trio("sync_bottleneck", 1, base("digits_cnn", track, call("50"), dic), base("digits_cnn", track, call("1"), dic, ("default=8)", "default=5)")), "each weight and gradient is read one by one in each step", culprit="values = [v.item()")
every = base("digits_cnn", track, call("args.stats_interval"), dic, ('    parser.add_argument("--seed"', '    parser.add_argument("--stats-interval", type=int, default=50)\n    parser.add_argument("--seed"'))
twins("sync_bottleneck", 1, every, "statistics of all weights, number by number, in each step", sick_args=["--stats-interval", "1", "--epochs", "5"], healthy_args=["--stats-interval", "50", "--epochs", "8"], culprit="values = [v.item()")
save = [("        optimizer.step()\n", "        optimizer.step()\n        if step % {} == 0:\n            buffer = io.BytesIO()\n            torch.save({{\"model\": model.state_dict(), \"optimizer\": optimizer.state_dict(), \"step\": step}}, buffer)\n            digest = hashlib.sha256(zlib.compress(buffer.getvalue(), 9)).hexdigest()\n"), ("import math\n", "import hashlib\nimport io\nimport math\nimport zlib\n"), ("hidden=32, layers=1", "hidden=64, layers=1"), ("steps=350", "steps=250")]
trio("sync_bottleneck", 2, base("forecast_lstm", (save[0][0], save[0][1].format(100)), *save[1:]), base("forecast_lstm", (save[0][0], save[0][1].format(1)), *save[1:]), "a compressed checkpoint is made in each step", culprit="digest = ")

# device_underused
twins("device_underused", 1, base("reg_csv"), "a batch of one leaves the machine idle between tiny kernels", sick=regression(n=1500), healthy=regression(n=1500), sick_args=["--batch-size", "1", "--epochs", "4", "--lr", "0.0005", "--print-every", "1"], healthy_args=["--batch-size", "32", "--epochs", "20"], culprit="n_batches = len(x)", also_ok=["batch_size_too_small", "sync_bottleneck"])
trio("device_underused", 1, base("char_gru"), base("char_gru", ("        y, state = self.gru(self.embed(x), state)\n", "        rows = []\n        if state is None:\n            state = torch.zeros(1, len(x), HIDDEN)\n        for b in range(len(x)):\n            y, s, h = [], state[:, b : b + 1].contiguous(), None\n            for t in range(x.shape[1]):\n                o, s = self.gru(self.embed(x[b : b + 1, t : t + 1]), s)\n                y.append(o)\n            rows.append((torch.cat(y, dim=1), s))\n        y, state = torch.cat([r[0] for r in rows]), torch.cat([r[1] for r in rows], dim=1)\n"), ("range(14)", "range(2)")), "one token of one row at a time", culprit="o, s = self.gru(", data=sonnets(), also_ok=["sync_bottleneck", "insufficient_training"])

# memory_growth
keep = ("        total_loss += loss.item()\n", "        total_loss += loss.item()\n        {}\n")
new = ("# training\n", "# training\n{} = []\n")
big = ("    nn.Linear(64, 128),\n    nn.ReLU(),\n    nn.Linear(128, 64)", "    nn.Linear(64, 256),\n    nn.ReLU(),\n    nn.Linear(256, 64)")
grads = "snapshots.append([p.detach().clone() for p in model.parameters()])"
trio("memory_growth", 1, base("digits_flat", ("lr=0.1", "lr=0.05"), big, (new[0], new[1].format("snapshots")), (keep[0], keep[1].format(grads + "\n        del snapshots[:-3]"))), base("digits_flat", ("lr=0.1", "lr=0.05"), big, (new[0], new[1].format("snapshots")), (keep[0], keep[1].format(grads)), ("range(12)", "range(16)")), "a copy of all weights is kept in each step", culprit="snapshots.append(")
cache = base("digits_cnn", ("class DigitsDataset(Dataset):\n", "class DigitsDataset(Dataset):\n    seen = []\n\n"), ("        return image, int(self.labels[i])", "        enlarged = F.interpolate(image[None], size=(64, 64))[0]\n        self.seen.append(enlarged)\n        del self.seen[: -self.keep]\n        return image, int(self.labels[i])"), ("        self.transform = transform\n", "        self.transform = transform\n        self.keep = keep\n"), ("split, transform=None):", "split, transform=None, keep=100):"), ('DigitsDataset("train")', 'DigitsDataset("train", keep=args.keep)'), ('    parser.add_argument("--seed"', '    parser.add_argument("--keep", type=int, default=100)\n    parser.add_argument("--seed"'))
twins("memory_growth", 1, cache, "the preview list is never shortened", sick_args=["--keep", "10000000"], healthy_args=["--keep", "100"], culprit="self.seen.append(")
trio("memory_growth", 2, base("forecast_lstm"), base("forecast_lstm", ("def sample_batch(x: Tensor, y: Tensor, size: int) -> tuple[Tensor, Tensor]:\n    pick = torch.randint(len(x), (size,))\n    return x[pick], y[pick]", "BATCHES: dict[tuple[int, ...], tuple[Tensor, Tensor]] = {}\n\n\ndef sample_batch(x: Tensor, y: Tensor, size: int) -> tuple[Tensor, Tensor]:\n    pick = torch.randint(len(x), (size,))\n    key = tuple(pick.tolist())\n    if key not in BATCHES:\n        wide = x.repeat(1, 1, 8)[pick.repeat(8)]\n        BATCHES[key] = (x[pick], y[pick], wide)\n    return BATCHES[key][:2]")), "a cache whose keys never repeat", culprit="BATCHES[key] = (x[pick]")
