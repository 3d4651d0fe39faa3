import torch

from cl import Learner, TaskStream

EPOCHS = 16

torch.manual_seed(8)
stream = TaskStream()
learner = Learner(seed=8)
for t in range(len(stream.tasks)):
    sums = {}
    for ep, x, y in stream.train(t, EPOCHS, 16):
        # samples enter the memory once, during the last pass over their task
        new, total = learner.observe(x, y, insert=(ep == EPOCHS - 1))
        s = sums.setdefault(ep, [0.0, 0.0, 0])
        s[0] += new; s[1] += total; s[2] += 1
    for ep in (0, EPOCHS // 2, EPOCHS - 1):
        a, b, n = sums[ep]
        print(f"task {t} epoch {ep:2d} new-task loss {a/n:.4f} total {b/n:.4f}")
    accs = [learner.accuracy(*stream.test(k)) for k in range(t + 1)]
    print("   accuracy per seen task:", " ".join(f"{a:.3f}" for a in accs), f"mean {sum(accs)/len(accs):.4f}")
print(f"all ten classes together: {learner.accuracy(stream.xt, stream.yt):.4f}  memory {len(learner.mem.items)}")
