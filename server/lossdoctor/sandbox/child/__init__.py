"""Programs that run in processes of their own: the supervisor and the confinement of the script.

Standard library only, Python >= 3.10: ``confine`` runs under the user's interpreter with ``-I -S``.
"""
