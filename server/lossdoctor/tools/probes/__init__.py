"""The probes of ``run_probe``: which experiments each kind makes, and what is read from their traces."""
