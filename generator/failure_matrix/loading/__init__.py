"""Data of files to the model: what refers to what, what statements name, what ranges mean."""
