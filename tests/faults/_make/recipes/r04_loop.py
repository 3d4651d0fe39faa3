"""Growth, modes, resets, recurrent state, metrics, early stopping, checkpoints, averages, axes, length of the run."""
from build import base, edited, trio, twins
from data import both, image_config
from data_text import checkpoint, experiment, metric_digits, settings, sonnets, stored_digits, streams, waves
from recipes.r01_first import DATA, IMAGE

# graph_growth
wide = [("lr=0.1", "lr=0.05"), ("    nn.Linear(64, 128),\n    nn.ReLU(),\n    nn.Linear(128, 64)", "    nn.Linear(64, 512),\n    nn.ReLU(),\n    nn.Linear(512, 64)"),
        ("# training\n", "# training\nstability = 0.0\n"), ("{acc:.4f}\")", "{acc:.4f} | stability {stability.item():.3f}\")")]
watch = ("        total_loss += loss.item()\n", "        total_loss += loss.item()\n{}        noisy = {}model(xb + 0.1 * torch.randn_like(xb))\n{}        stability += (noisy.softmax(1) - logits.detach().softmax(1)).abs().mean()\n")
trio("graph_growth", 1, base("digits_flat", *wide, (watch[0], watch[1].format("        with torch.no_grad():\n    ", "", "    "))), base("digits_flat", *wide, (watch[0], watch[1].format("", "", ""))),
     "the sum of a monitored quantity holds the graph of every step", culprit="stability += (noisy", also_ok=["memory_growth"])
check = [('hp["eval_every"] == 0:\n', 'hp["eval_every"] == 0:\n            print(f"mean valid mse {torch.stack(curve).mean().item():.4f}")\n'), ("    criterion = nn.MSELoss()\n", "    criterion = nn.MSELoss()\n    curve = []\n"),
         ("        optimizer.step()\n", "        optimizer.step()\n        if step % 5 == 0:\n            curve.append(criterion(model(x_valid[:200]), y_valid[:200]){})\n")]
trio("graph_growth", 2, base("forecast_lstm", *check[:2], (check[2][0], check[2][1].format(".detach()"))), base("forecast_lstm", *check[:2], (check[2][0], check[2][1].format(""))),
     "each entry of the validation curve keeps its graph", culprit="curve.append(", also_ok=["memory_growth"])
memory = base("digits_cnn", ("def train(args", "recent = []\n\n\ndef train(args"),
              ("        optimizer.step()\n", "        optimizer.step()\n        after = F.cross_entropy(model(data), target)\n        recent.append(after)\n        del recent[: -args.window]\n"),
              ("{loss.item():.6f}", "{loss.item():.6f} after step: {torch.stack(recent).mean().item():.6f}"), ("default=8)", "default=5)"),
              ('    parser.add_argument("--seed"', '    parser.add_argument("--window", type=int, default=10)\n    parser.add_argument("--seed"'))
twins("graph_growth", 1, memory, "the window of the running mean never closes, so all graphs stay", sick_args=["--window", "1000000"], healthy_args=["--window", "10"],
      culprit="recent.append(after)", also_ok=["memory_growth"])

# eval_mode_missing
trio("eval_mode_missing", 1, base("digits_cnn", ("default=357", "default=4"), ("Dropout(0.25)", "Dropout(0.5)")), base("digits_cnn", ("    model.eval()\n", ""), ("default=357", "default=4"), ("Dropout(0.25)", "Dropout(0.5)")),
     "no eval(): dropout and batch statistics of 4 images act on the test set", culprit="def test(")
bn = [("self.body = nn.Sequential(nn.Linear(n_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())",
       "self.body = nn.Sequential(\n            nn.Linear(n_features, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(0.4),\n            nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(), nn.Dropout(0.4),\n        )"),
      ("per_device_eval_batch_size: int = 64", "per_device_eval_batch_size: int = 3")]
trio("eval_mode_missing", 2, base("cancer_trainer", *bn), base("cancer_trainer", *bn, ("        self.model.eval()\n", "        training = self.model.training\n"), ("        return loss_sum / total, correct / total", "        self.model.train(training)\n        return loss_sum / total, correct / total")),
     "evaluation runs in train mode", culprit="def evaluate(self)")
no_eval = {**IMAGE, "engine.py": edited(IMAGE["engine.py"], [("    model.eval()\n", "")]), "data.py": edited(IMAGE["data.py"], [("DataLoader(val, batch_size=128)", "DataLoader(val, batch_size=cfg.get(\"val_batch_size\", 128))")])}
twins("eval_mode_missing", 1, no_eval, "eval() is never called: this network has dropout and batch normalisation", sick=both(DATA, image_config(model={"dropout": 0.6, "norm": True}, data={"val_batch_size": 2})),
      healthy=both(DATA, image_config(model={"dropout": 0.0, "norm": False}, data={"val_batch_size": 2})), culprit="def evaluate(", at="engine.py",
      why_good="eval() is not called either, but no layer depends on the mode")

# optimizer_state_reset
trio("optimizer_state_reset", 1, base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.004, momentum=0.95"), ("range(12)", "range(16)")), base("digits_flat", ("optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)\n", ""),
     ("        optimizer.zero_grad()\n", "        optimizer = torch.optim.SGD(model.parameters(), lr=0.004, momentum=0.95)\n        optimizer.zero_grad()\n"), ("range(12)", "range(16)")),
     "a new optimizer each step has no momentum", culprit="optimizer = torch.optim.SGD")
trio("optimizer_state_reset", 2, base("seq_class"), base("seq_class", ("                optimizer.zero_grad()\n", "                optimizer = torch.optim.Adam(model.parameters(), lr=optimizer.param_groups[0][\"lr\"])\n                optimizer.zero_grad()\n")),
     "Adam is made again each step, so its update is the sign of the gradient", culprit="optimizer = torch.optim.Adam(model.parameters(), lr=optimizer", data=both(waves(noise=0.3), settings(lr=0.02, epochs=8)))
restarts = base("diabetes_manual", ("import numpy as np\n", "import json\nfrom pathlib import Path\n\nimport numpy as np\n"), ("for epoch in range(1, 41):\n    net.train()\n", "settings = json.loads((Path(__file__).parent / \"settings.json\").read_text())\nstep = 0\nfor epoch in range(1, settings[\"epochs\"] + 1):\n    net.train()\n"),
                ("        opt.step()\n", "        opt.step()\n        step += 1\n        if step % settings[\"restart_every\"] == 0:\n            opt.state.clear()\n"),
                ("torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-3)", "torch.optim.SGD(net.parameters(), lr=5e-4, momentum=0.98)"))
twins("optimizer_state_reset", 1, restarts, "the restart empties the optimizer's state after each step", sick=settings(epochs=40, restart_every=1), healthy=settings(epochs=40, restart_every=400),
      culprit="opt.state.clear()")

# hidden_state_misuse
stepwise = ("        out, _ = self.rnn(x)\n        return self.readout(out[:, -1])", "        state = None\n        for t in range(x.shape[1]):\n            out, state = self.rnn(x[:, t : t + 1], state)\n        return self.readout(out[:, -1])")
trio("hidden_state_misuse", 1, base("forecast_lstm", stepwise), base("forecast_lstm", (stepwise[0], stepwise[1].replace("        state = None\n", "").replace("out, state = self.rnn(x[:, t : t + 1], state)", "out, _ = self.rnn(x[:, t : t + 1])"))),
     "each time step starts from an empty state", culprit="self.rnn(x[:, t : t + 1]")
trio(
     "hidden_state_misuse", 2, base("stream_rnn"), base("stream_rnn", ("            state = detach(state)\n", "            state = None\n")),
     "the state is thrown away after each window in training although it should carry", culprit="            state = None", data=streams())
twins(
      "hidden_state_misuse", 1, base("stream_rnn"), "the windows of a stream are stored in mixed order, so the carried state belongs to another time",
      sick=streams(shuffled=True), healthy=streams(), at="streams.npz")

# metric_misreported
trio("metric_misreported", 1, base("digits_cnn"), base("digits_cnn", ("            correct += output.argmax(dim=1).eq(target).sum().item()\n    test_loss", "    correct += output.argmax(dim=1).eq(target).sum().item()\n    test_loss"), ("default=357", "default=32")),
     "only the last batch is counted", culprit="correct += output")
trio("metric_misreported", 2, base("cancer_trainer"), base("cancer_trainer", ("correct += ((outputs > 0).float() == labels).sum().item()", "correct += ((outputs > 0).float() == labels).float().mean().item()")),
     "a sum of batch means is divided by the number of samples", culprit="correct += ((outputs > 0)")
split = base("callbacks", ("            for x, y in self.val_loader:\n", "            for x, y in self.loaders[self.cfg.get(\"evaluate_on\", \"val\")]:\n"), ("        self.model = nn.Sequential(nn.Linear(64, 64)", "        self.loaders = {\"train\": self.train_loader, \"val\": self.val_loader}\n        self.model = nn.Sequential(nn.Linear(64, 64)"),
             ("test_size=0.25", "train_size=0.12"), ("nn.Dropout(0.1), ", ""))
twins("metric_misreported", 1, split, "the validation metric is computed on the training split", sick=experiment(epochs=40, evaluate_on="train"), healthy=experiment(epochs=40, evaluate_on="val"),
      culprit="self.loaders[self.cfg.get(", also_ok=["train_val_leakage"])

# early_stopping_misconfigured
CB = base("callbacks")
stop = ("self.stopper = EarlyStopping(**cfg.get(\"early_stopping\", {}))", "self.stopper = EarlyStopping({})")
trio("early_stopping_misconfigured", 1, base("callbacks", (stop[0], stop[1].format('monitor="val_acc", mode="max", patience=6'))), base("callbacks", (stop[0], stop[1].format('monitor="val_acc", patience=3'))),
     "accuracy is watched as if lower were better", culprit='EarlyStopping(monitor="val_acc"', data=experiment(epochs=16, lr=1e-3))
patience = [("            metrics = self.evaluate()\n", "            metrics = self.evaluate()\n            if metrics[0] < self.best - {}:\n                self.best, self.waited = metrics[0], 0\n            else:\n                self.waited += 1\n"),
            ("        self.global_step = 0\n", "        self.global_step = 0\n        self.best, self.waited = float(\"inf\"), 0\n"),
            ('eval_accuracy\': %.4f}", epoch + 1, *metrics)\n', 'eval_accuracy\': %.4f}", epoch + 1, *metrics)\n            if self.waited >= 2:\n                log.info("no improvement, stopping")\n                break\n')]
es = lambda d: base("cancer_trainer", (patience[0][0], patience[0][1].format(d)), *patience[1:])
trio("early_stopping_misconfigured", 2, es("1e-4"), es("0.5"), "an improvement below 0.5 does not count", culprit="if metrics[0] < self.best")
twins("early_stopping_misconfigured", 1, CB, "the configured mode is wrong for accuracy", sick=experiment(epochs=16, early_stopping={"monitor": "val_acc", "mode": "min", "patience": 2}),
      healthy=experiment(epochs=16, early_stopping={"monitor": "val_acc", "mode": "max", "patience": 5}), at="experiment.json")
twins("early_stopping_misconfigured", 2, CB, "the configured least improvement is never reached", sick=experiment(epochs=16, early_stopping={"monitor": "val_loss", "mode": "min", "patience": 2, "min_delta": 1.0}),
      healthy=experiment(epochs=16, early_stopping={"monitor": "val_loss", "mode": "min", "patience": 3, "min_delta": 0.001}), at="experiment.json")

# checkpoint_restore_misuse
FT = base("finetune")
weights = metric_digits(n=400)
trio("checkpoint_restore_misuse", 1, FT, base("finetune", ("    model.load_state_dict(state, strict=False)\n", "    model.load_state_dict({k.replace(\"backbone.\", \"\"): v for k, v in state.items()}, strict=False)\n")),
     "the renamed keys match nothing and strict=False hides it", culprit="model.load_state_dict(", data=both(weights, checkpoint()))
again = ("    optimizer = torch.optim.AdamW([", "    model.apply(init_weights)\n    optimizer = torch.optim.AdamW([")
init = ("def load_pretrained", "def init_weights(module):\n    if isinstance(module, nn.Linear):\n        nn.init.xavier_uniform_(module.weight)\n        nn.init.zeros_(module.bias)\n\n\ndef load_pretrained")
trio("checkpoint_restore_misuse", 2, base("finetune", init, ("    optimizer = torch.optim.AdamW([", "    model.head.apply(init_weights)\n    optimizer = torch.optim.AdamW([")), base("finetune", init, again),
     "the initialiser overwrites the restored weights", culprit="model.apply(init_weights)", data=both(weights, checkpoint()))
twins("checkpoint_restore_misuse", 1, FT, "the checkpoint's keys carry a prefix of DataParallel and match nothing", sick=both(weights, checkpoint(rename="module.")), healthy=both(weights, checkpoint()),
      culprit="model.load_state_dict(")
twins("checkpoint_restore_misuse", 2, FT, "the weights lie one level deeper in the checkpoint and match nothing", sick=both(weights, checkpoint(wrap="model")), healthy=both(weights, checkpoint()),
      culprit="model.load_state_dict(")

# ema_misconfigured
ema = [("def train(args, model, device, train_loader, optimizer, epoch):", "@torch.no_grad()\ndef update_average(average, model, decay):\n    for a, p in zip(average.state_dict().values(), model.state_dict().values()):\n        if a.dtype.is_floating_point:\n            a.mul_(decay).add_(p, alpha=1 - decay)\n        else:\n            a.copy_(p)\n\n\ndef train(args, model, average, device, train_loader, optimizer, epoch):"),
       ("        optimizer.step()\n", "        optimizer.step()\n        update_average(average, model, args.ema_decay)\n"), ("train(args, model, device, train_loader, optimizer, epoch)\n        test(model,", "train(args, model, average, device, train_loader, optimizer, epoch)\n        test(average,"),
       ("    optimizer = torch", "    average = copy.deepcopy(model)\n    optimizer = torch"), ("import argparse\n", "import argparse\nimport copy\n"),
       ('    parser.add_argument("--seed"', '    parser.add_argument("--ema-decay", type=float, default=0.98)\n    parser.add_argument("--seed"')]
twins("ema_misconfigured", 1, base("digits_cnn", *ema), "an average over 20000 steps in a run of 360", sick_args=["--ema-decay", "0.99995"], healthy_args=["--ema-decay", "0.98"], culprit="a.mul_(decay)")
avg = [("optimizer = torch.optim.SGD", "averaged = torch.optim.swa_utils.AveragedModel(model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn({0}))\noptimizer = torch.optim.SGD"), ("        total_loss += loss.item()\n", "        averaged.update_parameters(model)\n        total_loss += loss.item()\n"),
       ("model(X_test)", "averaged(X_test)")]
sw = lambda d, lr: base("digits_flat", (avg[0][0], avg[0][1].format(d)), *avg[1:], ("lr=0.1", "lr=0.05"))
trio("ema_misconfigured", 1, sw(0.97, 0), sw(0.9999, 0), "the average barely leaves the first weights", culprit="averaged = torch")
shadow = [("opt = torch.optim.Adam(net", "shadow = {k: v.detach().clone() for k, v in net.state_dict().items()}\ndecay = 0.99\nopt = torch.optim.Adam(net")]
upd = "{0}for k, v in net.state_dict().items():\n{0}    shadow[k] = decay * shadow[k] + (1 - decay) * v\n"
evalnet = ("        net.eval()\n", "        live = {k: v.clone() for k, v in net.state_dict().items()}\n        net.load_state_dict(shadow)\n        net.eval()\n")
back = ('        print(f"{epoch:3d}', '        net.load_state_dict(live)\n        print(f"{epoch:3d}')
trio("ema_misconfigured", 2, base("diabetes_manual", *shadow, evalnet, back, ("        losses.append(loss.item())\n", "        losses.append(loss.item())\n" + upd.format("        "))),
     base("diabetes_manual", *shadow, evalnet, back, ("        losses.append(loss.item())\n", "        losses.append(loss.item())\n" + upd.format("    "))), "the average is updated once an epoch", culprit="shadow[k] = decay")

# tensor_layout_bug
trio("tensor_layout_bug", 1, base("forecast_lstm"), base("forecast_lstm", (", batch_first=True", "")), "the LSTM reads the batch axis as time", culprit="self.rnn = nn.LSTM(")
maps = "        x = self.dropout(torch.flatten(x, 1))\n"
trio("tensor_layout_bug", 2, base("digits_cnn", ("        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)\n", "        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)\n        x = x.permute(2, 3, 0, 1).flatten(0, 1)\n"), (maps, "        x = self.dropout(x.transpose(0, 1).flatten(1))\n")),
     base("digits_cnn", ("        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)\n", "        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)\n        x = x.permute(2, 3, 0, 1).flatten(0, 1)\n"), (maps, "        x = self.dropout(x.reshape(x.shape[1], -1))\n")),
     "reshape instead of transpose mixes the images of a batch", culprit="x.reshape(x.shape[1], -1)")
twins("tensor_layout_bug", 1, base("seq_class"), "the recurrent layer reads the batch axis as time", sick=both(waves(), settings(batch_first=False)), healthy=both(waves(), settings(batch_first=True)),
      culprit="self.rnn = rnn(")
stored = base("digits_flat", ("from sklearn.datasets import load_digits\n", "from pathlib import Path\n"), ("X, y = load_digits(return_X_y=True)\nX = (X / 16.0).astype(np.float32)\n", "archive = np.load(Path(__file__).parent / \"digits.npz\")\nX = archive[\"pixels\"].reshape(-1, 64).astype(np.float32) / 16.0\ny = archive[\"labels\"].astype(np.int64)\n"))
twins("tensor_layout_bug", 2, stored, "the archive holds pixels x images, reshape mixes the images", sick=stored_digits(True), healthy=stored_digits(False), culprit=".reshape(-1, 64)",
      also_ok=["label_misalignment", "label_noise"])

# insufficient_training
trio("insufficient_training", 1, base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.05, momentum=0.9")), base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.05, momentum=0.9"), ("range(12)", "range(1)")), "one epoch, the loss still falls steeply", culprit="for epoch in range(1)")
trio("insufficient_training", 2, base("char_gru"), base("char_gru", ("range(14)", "range(2)")), "two passes over a short text", culprit="for epoch in range(2)", data=sonnets())
twins("insufficient_training", 1, IMAGE, "the run ends after one epoch", sick=both(DATA, image_config(epochs=1)), healthy=both(DATA, image_config(epochs=8)), at="config.json")
