"""Fits parts to labelled claims: profiles of a checker, and the classifier of RepC."""
