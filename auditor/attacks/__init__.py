"""Attacks on a release: what somebody who holds it can learn, and how often."""
