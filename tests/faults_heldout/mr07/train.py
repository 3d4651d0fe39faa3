import torch

from data import EightGaussians
from nets import Average, Critic, Generator
from objectives import critic_loss, generator_loss, gradient_penalty
from report import coverage, sliced_distance

SEED = 30
STEPS = 1600
BATCH = 128
GP_WEIGHT = 0.05

torch.manual_seed(SEED)
data = EightGaussians()
gen, critic = Generator(), Critic()
smooth = Average(gen, decay=0.99)
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))

for step in range(1, STEPS + 1):
    # critic
    real = data.sample(BATCH).requires_grad_(True)
    with torch.no_grad():
        fake = gen(BATCH)
    real_score = critic(real)
    loss_c = critic_loss(real_score, critic(fake))
    total_c = loss_c + GP_WEIGHT * gradient_penalty(real_score, real)
    opt_c.zero_grad()
    total_c.backward()
    opt_c.step()

    # generator
    loss_g = generator_loss(critic(gen(BATCH)))
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    smooth.update(gen)

    if step % 100 == 0 or step == 1:
        with torch.no_grad():
            samples, ref = smooth.model(2000), data.sample(2000)
        modes, quality = coverage(samples, data)
        print(f"{step:5d}  critic {loss_c.item():.3f}  generator {loss_g.item():.3f}  "
              f"modes {modes}/8  on-mode {quality:.2f}  distance {sliced_distance(samples, ref):.3f}")
