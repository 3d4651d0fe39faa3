"""Schedules, batch size, clipping, accumulation, hyperparameters, number formats."""
from build import base, edited, trio, twins
from data import both, config, image_archives, image_config, table
from data_text import ini, sensors, settings, sonnets, waves
from recipes.r01_first import DATA, IMAGE

# lr_schedule_misuse
sched = ("# training\n", "scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size={}, gamma=0.5)\n\n# training\n")
trio("lr_schedule_misuse", 1, base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.03, momentum=0.9"), (sched[0], sched[1].format(4)), ("    model.eval()\n", "    scheduler.step()\n    model.eval()\n")),
     base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.03, momentum=0.9"), (sched[0], sched[1].format(4)), ("        optimizer.step()\n", "        optimizer.step()\n        scheduler.step()\n")), "a schedule meant for epochs is stepped on each batch", culprit="scheduler.step()")
decay = ("\n\n@torch.no_grad()", "\nscheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)\n\n\n@torch.no_grad()")
trio("lr_schedule_misuse", 2, base("char_gru", decay, ("    if epoch %", "    scheduler.step()\n    if epoch %")), base("char_gru", decay, ("        step += 1\n", "        scheduler.step()\n        step += 1\n")),
     "a decay per epoch is applied on each step", culprit="scheduler.step()", data=sonnets(), also_ok=["insufficient_training"])
twins("lr_schedule_misuse", 1, IMAGE, "the warm-up is 200 times longer than the run", sick=both(DATA, image_config(optim={"schedule": "warmup", "warmup_steps": 60000})),
      healthy=both(DATA, image_config(optim={"schedule": "warmup", "warmup_steps": 20})), at="config.json", also_ok=["lr_too_low"])
twins("lr_schedule_misuse", 2, IMAGE, "the rate falls to a third every 3 steps", sick=both(DATA, image_config(optim={"schedule": "step", "step_size": 3, "gamma": 0.3})),
      healthy=both(DATA, image_config(optim={"schedule": "step", "step_size": 150, "gamma": 0.3})), at="config.json")

# batch_size_too_large
trio("batch_size_too_large", 1, base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.05, momentum=0.9")), base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.05, momentum=0.9"), ("batch_size=32", "batch_size=1400")), "12 updates in the whole run", culprit="batch_size=1400", also_ok=["insufficient_training"])
trio("batch_size_too_large", 2, base("cancer_trainer"), base("cancer_trainer", ("train_batch_size: int = 16", "train_batch_size: int = 398")), "one update in an epoch", culprit="train_batch_size: int = 398", also_ok=["insufficient_training"])
twins("batch_size_too_large", 1, IMAGE, "one batch is the whole data set: 10 updates", sick=both(DATA, image_config(epochs=10, data={"batch_size": 1200})), healthy=both(DATA, image_config(epochs=10)), at="config.json", also_ok=["insufficient_training"])

# batch_size_too_small
noisy = [("torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-3)", "torch.optim.SGD(net.parameters(), lr=0.08)"), ("range(1, 41)", "range(1, 31)")]
trio("batch_size_too_small", 1, base("diabetes_manual", *noisy), base("diabetes_manual", *noisy, ("iterate(x_tr, y_tr, 16)", "iterate(x_tr, y_tr, 1)")),
     "single samples at a rate that suits 16", culprit="iterate(x_tr, y_tr, 1)", also_ok=["lr_too_high"])
trio("batch_size_too_small", 2, base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.05, momentum=0.9")), base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.05, momentum=0.9"), ("batch_size=32", "batch_size=2"), ("range(12)", "range(5)")), "two samples at a rate and momentum that suit 32",
     culprit="batch_size=2", also_ok=["lr_too_high"])
twins("batch_size_too_small", 1, IMAGE, "batches of one at the rate that suits 32", sick=both(DATA, image_config(epochs=3, data={"batch_size": 1}, optim={"lr": 0.008})), healthy=both(DATA, image_config(epochs=10, data={"batch_size": 32}, optim={"lr": 0.008})), at="config.json", also_ok=["lr_too_high"])

# batchnorm_small_batch
trio("batchnorm_small_batch", 1, base("cancer_trainer", ("nn.Linear(n_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()", "nn.Linear(n_features, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),\n                                  nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU()")),
     base("cancer_trainer", ("nn.Linear(n_features, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()", "nn.Linear(n_features, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),\n                                  nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU()"), ("train_batch_size: int = 16", "train_batch_size: int = 2"), ("num_train_epochs: int = 14", "num_train_epochs: int = 6")),
     "batch statistics of two samples", culprit="train_batch_size: int = 2", also_ok=["batch_size_too_small"])
trio("batchnorm_small_batch", 2, base("csv_rows", ("nn.Linear(64, 32), nn.ReLU()", "nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU()")), base("csv_rows", ("nn.Linear(64, 32), nn.ReLU()", "nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU()"), ("batch_size=32", "batch_size=2"), ("EPOCHS = 10", "EPOCHS = 4")), "batch statistics of two samples", culprit="batch_size=2",
     data=table("digits", 400, n_val=150), also_ok=["batch_size_too_small"])
sized = base("csv_rows", ("nn.Linear(64, 32), nn.ReLU()", "nn.Linear(64, 32), nn.BatchNorm1d(32), nn.ReLU()"), ("batch_size=32", "batch_size=args.batch_size"), ("import csv\n", "import argparse\nimport csv\n"),
             ("torch.manual_seed(9)\n", "parser = argparse.ArgumentParser()\nparser.add_argument(\"--batch-size\", type=int, default=32)\nparser.add_argument(\"--epochs\", type=int, default=10)\nargs = parser.parse_args()\ntorch.manual_seed(9)\n"), ("EPOCHS = 10\n", ""), ("range(EPOCHS)", "range(args.epochs)"))
twins("batchnorm_small_batch", 1, sized, "batch statistics of two rows", sick=table("digits", 400, n_val=150), healthy=table("digits", 400, n_val=150), sick_args=["--batch-size", "2", "--epochs", "5"], healthy_args=["--batch-size", "32", "--epochs", "12"],
      also_ok=["batch_size_too_small"], culprit="train = DataLoader(")

# grad_clip_too_tight
clip = ("        optimizer.step()\n", "        nn.utils.clip_grad_norm_(model.parameters(), {})\n        optimizer.step()\n")
trio("grad_clip_too_tight", 1, base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.02, momentum=0.9"), (clip[0], clip[1].format("5.0"))), base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.02, momentum=0.9"), (clip[0], clip[1].format("1e-3"))), "the threshold is 1000 times below the gradient", culprit="clip_grad_norm_(")
trio("grad_clip_too_tight", 2, base("cancer_trainer", ("clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)", "clip_grad_value_(self.model.parameters(), self.args.max_grad_norm)")),
     base("cancer_trainer", ("clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)", "clip_grad_value_(self.model.parameters(), self.args.max_grad_norm)"), ("max_grad_norm: float = 5.0", "max_grad_norm: float = 1e-5")), "each element is clipped to 1e-5", culprit="clip_grad_value_(")
sgd = {"name": "sgd", "lr": 0.03}
twins("grad_clip_too_tight", 1, IMAGE, "configured threshold far below the gradient norm", sick=both(DATA, image_config(epochs=12, optim={**sgd, "clip": 1e-4})), healthy=both(DATA, image_config(epochs=12, optim={**sgd, "clip": 2.0})), at="config.json")

# clip_misplaced
AMP = base("amp_train")
spiky = sensors(outliers=0.03)
sgd_args = ["--optimizer", "sgd", "--lr", "0.02", "--epochs", "20"]
trio("clip_misplaced", 1, AMP, base("amp_train", ("            scaler.scale(loss).backward()\n            scaler.unscale_(optimizer)\n            nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n", "            nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n            scaler.scale(loss).backward()\n            scaler.unscale_(optimizer)\n")),
     "clipping happens before backward", culprit="clip_grad_norm_(", data=spiky, args=sgd_args, also_ok=["exploding_gradient"])
trio("clip_misplaced", 2, AMP, base("amp_train", ("nn.utils.clip_grad_norm_(model.parameters(), args.clip)", "nn.utils.clip_grad_norm_(model.out.parameters(), args.clip)")),
     "only the last layer is clipped", culprit="clip_grad_norm_(", data=sensors(outliers=0.03, seed=2), args=sgd_args, also_ok=["exploding_gradient"])
before = base("amp_train", ("            scaler.unscale_(optimizer)\n            nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n", "            nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n"))
twins("clip_misplaced", 1, before, "under the scaler, scaled gradients are clipped", sick=sensors(), healthy=sensors(), sick_args=[*sgd_args, "--precision", "fp16"], healthy_args=[*sgd_args, "--precision", "bf16"], culprit="clip_grad_norm_(", also_ok=["grad_clip_too_tight"])

# grad_accumulation_misuse
acc = [("    for xb, yb in train_loader:\n        optimizer.zero_grad()\n", "    optimizer.zero_grad()\n    for i, (xb, yb) in enumerate(train_loader):\n"), ("        optimizer.step()\n", "        if (i + 1) % ACCUMULATE == 0:\n            optimizer.step()\n            optimizer.zero_grad()\n"), ("# training\n", "# training\nACCUMULATE = 8\n"), ("batch_size=32", "batch_size=8")]
trio("grad_accumulation_misuse", 1, base("digits_flat", *acc, ("        loss.backward()\n", "        (loss / ACCUMULATE).backward()\n"), ("range(12)", "range(8)")), base("digits_flat", *acc, ("range(12)", "range(8)")), "gradients of 8 micro-batches are summed, not averaged", culprit="loss.backward()", also_ok=["lr_too_high"])
micro = [("            for batch in self.train_loader:\n                loss = self.training_step(batch)\n", "            for i, batch in enumerate(self.train_loader):\n                loss = self.training_step(batch, i)\n"), ("def training_step(self, batch):", "def training_step(self, batch, i):"),
         ("train_batch_size: int = 16", "train_batch_size: int = 4\n    gradient_accumulation_steps: int = 4"), ("        loss.backward()\n", "        (loss / self.args.gradient_accumulation_steps).backward()\n")]
good_micro = [("        self.optimizer.zero_grad()\n", ""), ("        nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)\n        self.optimizer.step()\n        self.global_step += 1\n", "        if (i + 1) % self.args.gradient_accumulation_steps == 0:\n            nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)\n            self.optimizer.step()\n            self.optimizer.zero_grad()\n            self.global_step += 1\n")]
bad_micro = [("        nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)\n        self.optimizer.step()\n        self.global_step += 1\n", "        if (i + 1) % self.args.gradient_accumulation_steps == 0:\n            nn.utils.clip_grad_norm_(self.model.parameters(), self.args.max_grad_norm)\n            self.optimizer.step()\n            self.global_step += 1\n"),
             ("accumulation_steps: int = 4", "accumulation_steps: int = 32")]
trio("grad_accumulation_misuse", 2, base("cancer_trainer", *micro, *good_micro), base("cancer_trainer", *micro, *bad_micro), "each micro-batch clears what the earlier ones accumulated", culprit="self.optimizer.zero_grad()")
undivided = {**IMAGE, "engine.py": edited(IMAGE["engine.py"], [("(loss / accumulate).backward()", "loss.backward()")])}
twins("grad_accumulation_misuse", 1, undivided, "gradients of 19 micro-batches are summed, not averaged", sick=both(DATA, image_config(epochs=40, optim={**sgd, "lr": 0.05, "accumulate": 19})),
      healthy=both(DATA, image_config(epochs=8, optim={**sgd, "lr": 0.05, "accumulate": 1})), culprit="loss.backward()", at="engine.py", also_ok=["lr_too_high"])

# wrong_optimizer_hyperparameter
trio("wrong_optimizer_hyperparameter", 1, base("digits_flat", ("lr=0.1", "lr=0.05")), base("digits_flat", ("lr=0.1, momentum=0.9", "lr=0.05, momentum=0.9995")), "momentum 0.9995", culprit="momentum=0.9995", also_ok=["lr_too_high"])
trio("wrong_optimizer_hyperparameter", 2, base("forecast_lstm"), base("forecast_lstm", ("optim.Adam(model.parameters(), lr=hp[\"lr\"])", "optim.Adam(model.parameters(), lr=hp[\"lr\"], eps=10.0)")), "eps of 10 drowns the second moment", culprit="eps=10.0")
twins("wrong_optimizer_hyperparameter", 1, base("table_config"), "eps of 100 drowns the second moment", sick=both(table("wine", seed=2), config(epochs=14, lr=2e-3, eps=100.0)), healthy=both(table("wine", seed=2), config(epochs=14, lr=2e-3, eps=1e-8)), at="config.json")
twins("wrong_optimizer_hyperparameter", 2, IMAGE, "momentum of 0.999 in a run of 300 steps", sick=both(DATA, image_config(optim={"name": "sgd", "lr": 0.03, "momentum": 0.9995})), healthy=both(DATA, image_config(optim={"name": "sgd", "lr": 0.03, "momentum": 0.9})), at="config.json", also_ok=["lr_too_high"])

# fp16_underflow
weighted = [("                loss = nn.functional.mse_loss(model(x), y)\n", "                error = (model(x) - y) ** 2\n                loss = (error * w[:, None]).mean()\n"), ("for x, y in train:\n            x, y = x.to(device), y.to(device)", "for x, y, w in train:\n            x, y, w = x.to(device), y.to(device), w.to(device)"),
            ('TensorDataset(tensors["x"], tensors["y"])', 'TensorDataset(tensors["x"], tensors["y"], tensors["w"])')]
plain = [("            scaler.scale(loss).backward()\n            scaler.unscale_(optimizer)\n            nn.utils.clip_grad_norm_(model.parameters(), args.clip)\n            scaler.step(optimizer)\n            scaler.update()\n", "            loss.backward()\n            optimizer.step()\n"), ('    scaler = torch.amp.GradScaler(device, enabled=args.precision == "fp16")\n', "")]


def weights(scale: float, seed: int = 0):
    import numpy as np

    def write(folder):
        sensors(seed=seed)(folder)
        with np.load(folder / "sensors.npz") as f:
            arrays = {k: f[k] for k in f.files}
        arrays["w"] = (scale * np.random.default_rng(5).uniform(0.5, 1.5, len(arrays["x"]))).astype(np.float32)
        np.savez_compressed(folder / "sensors.npz", **arrays)
    return write


noscaler = base("amp_train", *weighted, *plain)
trio("fp16_underflow", 1, base("amp_train", *weighted), noscaler, "fp16 without loss scaling: weights of 1e-6 flush the gradients to zero", culprit="loss.backward()", data=weights(1e-6), args=["--precision", "fp16"])
sq = ("                loss = nn.functional.mse_loss(model(x), y)\n", "                loss = nn.functional.mse_loss(model(x), y) / 1e6  # mV**2 to V**2\n")
trio("fp16_underflow", 2, base("amp_train", sq), base("amp_train", *plain, sq), "fp16 without loss scaling: the divided loss has gradients below 6e-8", culprit="loss.backward()", data=sensors(seed=3), args=["--precision", "fp16", "--optimizer", "adam"])
twins("fp16_underflow", 1, noscaler, "the same weights train in fp32 and flush to zero in fp16", sick=weights(1e-6), healthy=weights(1e-6), sick_args=["--precision", "fp16"], healthy_args=["--precision", "fp32"], culprit="loss.backward()")
twins("fp16_underflow", 2, noscaler, "weights of 1e-6 flush the fp16 gradients to zero, weights around 1 do not", sick=weights(1e-6), healthy=weights(1.0), sick_args=["--precision", "fp16"], healthy_args=["--precision", "fp16"], culprit="loss.backward()")

# fp16_overflow
grow = ('torch.amp.GradScaler(device, enabled', 'torch.amp.GradScaler(device, init_scale=2.0**16, growth_factor=2.0**10, growth_interval=1, enabled')
trio("fp16_overflow", 1, AMP, base("amp_train", grow), "the scale grows a thousandfold after each good step, most steps overflow and are skipped", culprit="growth_factor", data=sensors(seed=1), args=["--precision", "fp16"])
norm = ("nn.Linear(d_in, width), nn.ReLU(), nn.Linear(width, width)", "nn.Linear(d_in, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, width)")
trio("fp16_overflow", 2, base("amp_train", norm, ('"fp16": torch.float16', '"fp16": torch.bfloat16')), base("amp_train", norm), "readings of 1e5 overflow in the first fp16 layer: every step is skipped", culprit="with torch.autocast(", data=sensors(x_scale=1e5), args=["--precision", "fp16"], also_ok=["input_not_normalized"])
twins("fp16_overflow", 1, base("amp_train", norm), "readings of 1e5 overflow in fp16, not in bf16", sick=sensors(x_scale=1e5), healthy=sensors(x_scale=1e5), sick_args=["--precision", "fp16"], healthy_args=["--precision", "bf16"], culprit="with torch.autocast(", also_ok=["input_not_normalized"])
twins("fp16_overflow", 2, base("amp_train", norm), "readings in the wrong unit overflow in fp16", sick=sensors(x_scale=2e5, seed=4), healthy=sensors(seed=4), sick_args=["--precision", "fp16"], healthy_args=["--precision", "fp16"], culprit="with torch.autocast(", also_ok=["input_not_normalized"])

# low_precision_optimizer, low_precision_stall
HALF = base("half_table")
trio("low_precision_optimizer", 1, base("digits_flat", ("optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)", "model = model.half()\noptimizer = torch.optim.Adam(model.parameters(), lr=1e-3, eps=1e-4)"), ("logits = model(xb)", "logits = model(xb.half()).float()"), ("model(X_test)", "model(X_test.half())")),
     base("digits_flat", ("optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)", "model = model.half()\noptimizer = torch.optim.Adam(model.parameters(), lr=1e-3)"), ("logits = model(xb)", "logits = model(xb.half()).float()"), ("model(X_test)", "model(X_test.half())")),
     "Adam's eps of 1e-8 is zero in fp16", culprit="torch.optim.Adam(", also_ok=["nan_from_op"])
twins("low_precision_optimizer", 1, HALF, "eps of 1e-8 is zero in fp16", sick=ini(dtype="float16", lr=1e-3, eps="1e-8", epochs=10), healthy=ini(dtype="float16", lr=1e-3, eps="1e-4", epochs=10), at="train.ini", also_ok=["nan_from_op"])
twins("low_precision_optimizer", 2, HALF, "the same eps works in fp32 and is zero in fp16", sick=ini(dtype="float16", lr=1e-3, eps="1e-8", epochs=10), healthy=ini(dtype="float32", lr=1e-3, eps="1e-8", epochs=10), at="train.ini", also_ok=["nan_from_op"])
trio("low_precision_optimizer", 2, base("diabetes_manual", ("net = Regressor(features.shape[1]).to(device)", "net = Regressor(features.shape[1]).to(device, torch.float16)"), ("net(xb)", "net(xb.half()).float()"), ("net(x_va)", "net(x_va.half()).float()"), ("lr=2e-3, weight_decay=1e-3", "lr=2e-3, eps=1e-4")),
     base("diabetes_manual", ("net = Regressor(features.shape[1]).to(device)", "net = Regressor(features.shape[1]).to(device, torch.float16)"), ("net(xb)", "net(xb.half()).float()"), ("net(x_va)", "net(x_va.half()).float()"), ("torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-3)", "torch.optim.RMSprop(net.parameters(), lr=2e-3)")),
     "RMSprop's eps of 1e-8 is zero in fp16", culprit="torch.optim.RMSprop(", also_ok=["nan_from_op"])
trio("low_precision_stall", 1, base("digits_flat", ("optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)", "optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)"), ("range(12)", "range(45)")),
     base("digits_flat", ("optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)", "model = model.bfloat16()\noptimizer = torch.optim.Adam(model.parameters(), lr=1e-4)"), ("range(12)", "range(45)"), ("logits = model(xb)", "logits = model(xb.bfloat16()).float()"), ("model(X_test)", "model(X_test.bfloat16())")),
     "updates of 1e-4 are rounded away in bf16 weights", culprit="torch.optim.Adam(", also_ok=["lr_too_low"])
trio("low_precision_stall", 2, base("diabetes_manual", ("torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-3)", "torch.optim.SGD(net.parameters(), lr=2e-4, momentum=0.9)"), ("range(1, 41)", "range(1, 121)")),
     base("diabetes_manual", ("torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-3)", "torch.optim.SGD(net.parameters(), lr=2e-4, momentum=0.9)"), ("range(1, 41)", "range(1, 121)"), ("net = Regressor(features.shape[1]).to(device)", "net = Regressor(features.shape[1]).to(device=device, dtype=torch.bfloat16)"), ("net(xb)", "net(xb.bfloat16()).float()"), ("net(x_va)", "net(x_va.bfloat16()).float()")),
     "small SGD updates are rounded away in bf16 weights", culprit="torch.optim.SGD(", also_ok=["lr_too_low"])
twins("low_precision_stall", 1, HALF, "updates of 1e-4 are rounded away in bf16 weights", sick=ini(dtype="bfloat16", lr=1e-4, epochs=40), healthy=ini(dtype="float32", lr=1e-4, epochs=40), at="train.ini", also_ok=["lr_too_low"])
