"""Language models: one client over litellm, prompts, reading answers without eval, a cache of answers."""
