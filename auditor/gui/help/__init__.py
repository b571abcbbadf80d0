"""Offline help and the guided tour."""
