"""The held-back specimens, in other styles than the first part."""
from build import BASES, case, edited
from changes import rolled_labels
from data_held import bearing, pump, ratings, rows, scenes, strings

HELD = BASES.parent / "held"
ROOT = "faults_heldout"


def src(name, *edits):
    return edited((HELD / f"{name}.py").read_text(), edits, name)


PUMP = {"main.py": (HELD / "pump/main.py").read_text(), **{f"pump/{p.name}": p.read_text() for p in sorted((HELD / "pump").glob("*.py")) if p.name != "main.py"}}


def package(*edits, module):
    return {**PUMP, module: edited(PUMP[module], edits, module)}


def sick(number, files, fault, why, **more):
    case(f"c{number:02d}", files, fault, why, root=ROOT, **more)


def well(number, files, why, **more):
    case(f"c{number:02d}", files, "healthy", why, root=ROOT, **more)


def pair(number, files, fault, why, **more):
    """`p01/a` is the sick twin, `p01/b` the sound one."""
    sick_data, healthy_data = more.pop("sick", None), more.pop("healthy", None)
    bad_args, good_args = more.pop("sick_args", ()), more.pop("healthy_args", ())
    entry = {k: more[k] for k in ("entry",) if k in more}
    name = f"held-{number:02d}"
    case(f"p{number:02d}/a", files, fault, why, root=ROOT, pair=name, data=sick_data, args=bad_args, **more)
    case(f"p{number:02d}/b", files, "healthy", "same code, sound inputs", root=ROOT, pair=name, data=healthy_data, args=good_args, **entry)


NOTE, RAW, FACT, SEG, LIT, REV, TCN = (src(n) for n in ("notebook", "scratch", "factors", "shapes", "lit", "reverse", "tcn"))
well(1, NOTE, "notebook cells on wine")
well(2, RAW, "plain tensors", data=rows())
well(3, FACT, "matrix factorisation", data=ratings())
well(4, SEG, "segmentation", data=scenes())
well(5, LIT, "lightning-like digits")
well(6, REV, "string reversal", data=strings())
well(7, PUMP, "package on a table", entry="main.py", data=pump())
well(8, TCN, "temporal convolutions", data=bearing())
well(9, LIT, "accumulation over two batches with clipping", args=["--accumulate", "2", "--batch-size", "13", "--clip", "2.0"])
well(10, PUMP, "weighted rare class", entry="main.py", data=pump(share=0.08, n=2500), args=["positive_weight=11.0"])
well(11, src("shapes", ("objective, mix=0.5", "objective, mix=0.0")), "dice loss alone", data=scenes(seed=2))

sick(21, src("notebook", ("        opt.zero_grad()\n", ""), ("lr=0.05, momentum=0.8", "lr=0.08, momentum=0.8")), "missing_zero_grad", "no call clears the gradients", culprit="loss.backward()")
sick(22, src("notebook", ("        opt.step()\n", "        loss_history = loss.detach()\n")), "missing_optimizer_step", "nothing applies the gradients", culprit="loss.backward()")
sick(23, src("notebook", ("return self.b(F.elu(self.a(x)))", "return torch.sigmoid(self.b(F.elu(self.a(x)))).softmax(-1)")), "loss_activation_mismatch", "sigmoid and softmax before cross-entropy", culprit="loss = F.cross_entropy(")
sick(24, src("notebook", ("features = (features - centre) / spread", "features = features - centre.min()")), "input_not_normalized", "columns of very different scale", culprit="features = features - centre.min()")
sick(25, src("notebook", ("lr=0.05, momentum=0.8", "lr=2e-6, momentum=0.8")), "lr_too_low", "rate of 2e-6", culprit="torch.optim.SGD(")
sick(26, src("scratch", ("            w -= rate * w.grad\n            w.grad = None\n", "            w.grad = None\n            w -= rate * (w.grad if w.grad is not None else 0)\n")), "zero_grad_before_step", "gradients are dropped before the update", culprit="w.grad = None", data=rows(), also_ok=["missing_optimizer_step"])
sick(27, src("scratch", ("            w -= rate * w.grad", "            w += rate * w.grad")), "loss_sign_flipped", "the loss climbs", culprit="w += rate * w.grad", data=rows(rate=0.02))
sick(28, src("scratch", ("    h = (h @ second[0] + second[1]).clamp(min=0)\n", "    h = torch.tensor((h @ second[0] + second[1]).tolist()).clamp(min=0)\n"), ("dense(n_in, 40), dense(40, 24), dense(24, n_out)", "dense(n_in, 40), dense(40, 3), dense(3, n_out)"), ("            w -= rate * w.grad\n", "            w -= rate * w.grad if w.grad is not None else 0\n")), "graph_detached", "a tensor is rebuilt in the middle of the network", culprit="torch.tensor((h @ second", data=rows())
sick(29, src("scratch", ("(2 / n) ** 0.5", "0.0")), "bad_initialization", "all weights are zero", culprit="torch.randn(n, m) * 0.0", data=rows())
sick(30, src("factors", ("    optimiser = torch", "    model.u.weight.requires_grad_(False), model.bu.weight.requires_grad_(False), model.bi.weight.requires_grad_(False)\n    optimiser = torch"), ("std=0.1", "std=0.02")), "frozen_params", "users and both biases are frozen", culprit="requires_grad_(False)", parameter="u.weight", data=ratings())
sick(31, src("factors", ("rate=1e-2, size=64, decay=2e-3", "rate=1e-2, size=64, decay=60.0")), "over_regularization", "weight decay of 60", culprit="decay=60.0", data=ratings(), also_ok=["wrong_optimizer_hyperparameter"])
sick(32, src("factors", ("train.stars[rows])\n", "train.stars[rows].unsqueeze(1))\n")), "loss_shape_broadcast", "(N,) against (N, 1)", culprit="mse_loss(", data=ratings())
sick(33, src("factors", ("rank=6", "rank=40"), ("epochs=12, rate=1e-2, size=64, decay=2e-3", "epochs=60, rate=1e-2, size=128, decay=0.0")), "overfitting", "rank 40 and 60 epochs for 900 ratings", culprit="rank=40", data=ratings(n=1100))
sick(34, src("shapes", ("        return self.last(self.up1(torch.cat([a, b], dim=1)))", "        return torch.sigmoid(self.last(self.up1(torch.cat([a, b], dim=1))))"), ("        found = model(images) > 0\n", "        found = model(images) > 0.5\n"), ("objective, mix=0.5", "objective, mix=1.0")), "loss_activation_mismatch", "sigmoid before binary cross-entropy with logits", culprit="binary_cross_entropy_with_logits(", data=scenes())
sick(35, src("shapes", ("        optimizer.step()\n", "        torch.optim.Adam(model.parameters(), lr=4e-3)\n")), "missing_optimizer_step", "an optimizer is made but never stepped", culprit="torch.optim.Adam(model.parameters()", data=scenes(), also_ok=["optimizer_state_reset"])
sick(36, src("shapes", ("    net = UNet()\n    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)\n", "    net = UNet()\n    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)\n    net = UNet()\n")), "optimizer_wrong_params", "the network is built again", culprit="optimizer = torch.optim.Adam(", data=scenes())
sick(37, src("shapes", ("(p.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3)) + 1.0)).mean()", "(p.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3)))).log().mean()"), ("(1 - 2 * overlap /", "(2 * overlap /"), ("return (2 * overlap", "return -(2 * overlap")), "nan_from_op", "log of an overlap of zero", culprit=".log().mean()", data=scenes(empty=10), also_ok=["exploding_gradient"])
sick(38, src("lit", ("optim.SGD(self.parameters()", "optim.SGD(self.bottleneck.parameters()"), ("        self.criterion = nn.CrossEntropyLoss()\n", "        self.criterion = nn.CrossEntropyLoss()\n        for p in self.classifier.parameters():\n            nn.init.normal_(p, std=0.01)\n")), "optimizer_missing_params", "encoder and classifier are not in the optimizer", culprit="optim.SGD(", parameter="classifier.weight", args=["--hidden", "10"])
sick(39, src("lit", ("        module.eval()\n", "")), "eval_mode_missing", "validation runs in train mode", culprit="def validate(", args=["--dropout", "0.7"])
sick(40, src("lit", ("                    optimizer.step()\n                    optimizer.zero_grad()\n", "                    optimizer.zero_grad()\n                    optimizer.step()\n")), "zero_grad_before_step", "gradients are cleared before the step", culprit="optimizer.zero_grad()")
sick(41, src("lit", ("nn.GELU(), nn.Flatten())", "nn.GELU(), nn.Flatten(), nn.Sigmoid())"), ("nn.Linear(hp.hidden, 10)\n", "nn.Sequential(nn.Linear(hp.hidden, 10), nn.ReLU())\n"), ("        self.criterion = nn.CrossEntropyLoss()\n", "        self.criterion = nn.CrossEntropyLoss()\n        nn.init.constant_(self.classifier[0].bias, -3.0)\n")), "dead_relu", "a ReLU on the scores whose bias is -3", culprit="nn.init.constant_(self.classifier[0].bias", parameter="classifier.0.bias", also_ok=["bad_initialization", "activation_output_mismatch"])
sick(42, src("reverse", ("            tgt_mask=causal,\n", ""), ("        causal = torch.triu(torch.ones(tgt.shape[1], tgt.shape[1], dtype=torch.bool), diagonal=1)\n", "")), "target_leakage", "the decoder sees the character it must predict", culprit="hidden = self.core(", data=strings())
sick(44, src("reverse", ("lr=3e-3", "lr=0.2")), "lr_too_high", "Adam at 0.2", culprit="torch.optim.Adam(", data=strings())
sick(45, package(("            losses.append(value.item())\n", "            losses.append(value.item())\n            self.optimizer = type(self.optimizer)(self.optimizer.param_groups[0][\"params\"], lr=self.s.lr)\n"), module="pump/run.py"), "optimizer_state_reset", "AdamW is made again in each step", entry="main.py", at="pump/run.py", culprit="self.optimizer = type(", data=pump(), args=["lr=0.02", "epochs=12"])
sick(46, package(("            self.optimizer.zero_grad()\n", ""), ("torch.optim.AdamW(trainable(self.model, settings), lr=settings.lr, weight_decay=settings.weight_decay)", "torch.optim.SGD(trainable(self.model, settings), lr=settings.lr, momentum=0.9)"), module="pump/run.py"), "missing_zero_grad", "gradients are never cleared", entry="main.py", at="pump/run.py", culprit="value.backward()", data=pump(), args=["lr=0.02"])
sick(47, package(("        self.trunk = nn.Sequential(*(Block(s.width, s.activation, s.dropout) for _ in range(s.blocks)))\n", "        self.blocks = [Block(s.width, s.activation, s.dropout) for _ in range(s.blocks)]\n        self.trunk = lambda x: self.run_blocks(x)\n"), ("    def forward(self, x):\n        return self.outlet", "    def run_blocks(self, x):\n        for block in self.blocks:\n            x = block(x)\n        return x\n\n    def forward(self, x):\n        return self.outlet"), module="pump/nets.py"), "unregistered_params", "the blocks sit in a plain list", entry="main.py", at="pump/nets.py", culprit="self.blocks = [", data=pump(), args=["width=6", "blocks=4"], also_ok=["optimizer_missing_params"])
level = "            energy = [np.correlate(self.signal[:, c], self.signal[:, c], \"same\").max() / len(self.signal) for c in range(self.signal.shape[1])]\n            piece = self.signal[s : s + self.width] / np.sqrt(energy, dtype=np.float32)\n"
sick(48, src("tcn", ("            yield torch.from_numpy(self.signal[s : s + self.width].T.copy())", level + "            yield torch.from_numpy(piece.astype(np.float32).T.copy())")), "dataloader_bottleneck", "the energy of the whole signal is taken again for each window", culprit="energy = [", data=bearing(), args=["--epochs", "3"])
sick(49, src("tcn", ("            nn.utils.clip_grad_norm_(net.parameters(), 2.0)\n", "            nn.utils.clip_grad_norm_(net.parameters(), 2e-6)\n"), ("torch.optim.RMSprop(net.parameters(), lr=a.lr)", "torch.optim.SGD(net.parameters(), lr=a.lr, momentum=0.9)")), "grad_clip_too_tight", "threshold of 2e-6", culprit="clip_grad_norm_(", data=bearing(), args=["--lr", "0.1"])
sick(50, src("tcn", ("return self.out(self.body(x).mean(dim=2))", "return torch.relu(self.out(self.body(x).mean(dim=2)) - 2.0)")), "dead_relu", "the output ReLU is off for all inputs", culprit="return torch.relu(", data=bearing(), also_ok=["activation_output_mismatch"])

pair(1, PUMP, "lr_too_high", "configured rate of 3", sick=pump(lr=3.0), healthy=pump(lr=0.003), entry="main.py", at="pump.cfg")
pair(2, PUMP, "lr_too_low", "configured rate of 1e-7", sick=pump(lr=1e-7), healthy=pump(lr=0.003), entry="main.py", at="pump.cfg", also_ok=["insufficient_training"])
pair(3, PUMP, "frozen_params", "only the head trains", sick=pump(seed=2), healthy=pump(seed=2), sick_args=["head_only=True", "width=4"], healthy_args=["head_only=False", "width=16"], entry="main.py", at="pump/nets.py", culprit="part.requires_grad_(False)", parameter="inlet.weight")
pair(4, PUMP, "label_noise", "70 percent of the training flags are random", sick=pump(flip=0.7, seed=3), healthy=pump(seed=3), entry="main.py", at="train.npy")
pair(5, PUMP, "class_imbalance", "two percent failures, none found", sick=pump(share=0.02, n=1500, seed=5), healthy=pump(share=0.4, n=1500, seed=5), entry="main.py", at="train.npy")
pair(6, PUMP, "vanishing_gradient", "fourteen sigmoid blocks", sick=pump(blocks=14, activation="Sigmoid"), healthy=pump(blocks=2, activation="SiLU"), entry="main.py", at="pump.cfg", also_ok=["saturated_activation"])
pair(7, RAW, "label_misalignment", "training labels are 3 rows late", sick=rows(rolled_labels(3)), healthy=rows(), at="rows.json.gz", also_ok=["label_noise"])
pair(8, RAW, "lr_too_high", "rate stored with the data is 30", sick=rows(rate=30.0), healthy=rows(rate=0.1), at="rows.json.gz")
pair(9, FACT, "label_misalignment", "the stars of the training file belong to other rows", sick=ratings(mixed=True), healthy=ratings(), at="train.tsv", also_ok=["label_noise"])
pair(10, FACT, "target_not_normalized", "stars in thousandths", sick=ratings(unit=1000), healthy=ratings(), at="train.tsv")
pair(11, SEG, "label_misalignment", "each scene has the mask of the scene before", sick=scenes(shift=True), healthy=scenes(), at="scenes.npz", also_ok=["label_noise"])
pair(12, src("shapes", (" + 1.0)).mean()", ")).mean()"), ("    p = torch.sigmoid(logits)\n", "    p = torch.sigmoid(logits) * (mask.amax(dim=(1, 2, 3), keepdim=True))\n")), "nan_from_op", "scenes without any disc make the dice quotient 0/0", sick=scenes(empty=8), healthy=scenes(), culprit="return (1 - 2 * overlap")
pair(13, SEG, "preprocess_mismatch", "validation scenes are forty times dimmer", sick=scenes(val_scale=0.025), healthy=scenes(), at="scenes.npz")
pair(15, LIT, "missing_optimizer_step", "100 batches are accumulated, an epoch has 50", sick_args=["--accumulate", "100"], healthy_args=["--accumulate", "1"], culprit="if (i + 1) % self.accumulate == 0:", also_ok=["grad_accumulation_misuse"])
pair(16, LIT, "over_regularization", "98 percent dropout", sick_args=["--dropout", "0.98"], healthy_args=["--dropout", "0.1"], culprit="nn.Dropout(hp.dropout)")
pair(18, TCN, "nan_in_data", "a few readings are NaN", sick=bearing(nan=6), healthy=bearing(), at="bearing.npz")
pair(19, TCN, "target_not_normalized", "remaining life in seconds instead of a share", sick=bearing(life_unit=3e6), healthy=bearing(), at="bearing.npz")
pair(20, TCN, "input_not_normalized", "vibration on an offset of 5000", sick=bearing(offset=5000.0, gain=30.0), healthy=bearing(), at="bearing.npz")
pair(21, PUMP, "unshuffled_data", "rows sorted by failure and no shuffling", sick=pump(sort=True, seed=6), healthy=pump(seed=6), sick_args=["shuffle=False", "epochs=8"], healthy_args=["shuffle=False", "epochs=8"], entry="main.py", at="train.npy")
pair(22, PUMP, "label_encoding_wrong", "the flag means the opposite in valid.npy", sick=pump(valid_flip=True, seed=7), healthy=pump(seed=7), entry="main.py", at="valid.npy", also_ok=["preprocess_mismatch", "label_misalignment"])
