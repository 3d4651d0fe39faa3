import logging

import torch
import torch.nn.functional as F

log = logging.getLogger("gan")


class GANTrainer:
    def __init__(self, gen, disc, data, latent=8, batch=128, lr_g=1e-3, lr_d=1e-3):
        self.gen, self.disc, self.data = gen, disc, data
        self.latent, self.batch = latent, batch
        self.opt_g = torch.optim.Adam(gen.parameters(), lr=lr_g, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(disc.parameters(), lr=lr_d, betas=(0.5, 0.99))

    def z(self, n=None):
        return torch.randn(n or self.batch, self.latent)

    def clear(self):
        """Drop whatever the last backward left in either network."""
        for net in (self.gen, self.disc):
            net.zero_grad(set_to_none=False)

    def discriminator_step(self):
        real, fake = self.data.sample(self.batch), self.gen(self.z())
        d_real, d_fake = self.disc(real), self.disc(fake)
        loss = (F.binary_cross_entropy_with_logits(d_real, torch.ones_like(d_real))
                + F.binary_cross_entropy_with_logits(d_fake, torch.zeros_like(d_fake)))
        loss.backward()
        # the fake branch also reached the generator, which must not move here
        self.clear()
        self.opt_d.step()
        return loss.item()

    def generator_step(self):
        self.clear()
        out = self.disc(self.gen(self.z()))
        loss = F.binary_cross_entropy_with_logits(out, torch.ones_like(out))
        loss.backward()
        self.opt_g.step()
        self.clear()
        return loss.item()

    @torch.no_grad()
    def quality(self, n=1000):
        """Energy distance between generated and real samples."""
        x, y, x2, y2 = self.gen(self.z(n)), self.data.sample(n), self.gen(self.z(n)), self.data.sample(n)
        return (2 * torch.cdist(x, y).mean() - torch.cdist(x, x2).mean() - torch.cdist(y, y2).mean()).item()

    def fit(self, steps, every=200):
        for step in range(1, steps + 1):
            d = self.discriminator_step()
            g = self.generator_step()
            if step % every == 0:
                log.info("step %5d  loss_d %.3f  loss_g %.3f  energy distance %.4f", step, d, g, self.quality())
