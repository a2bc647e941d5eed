"""Language models: one client over litellm, prompt templates, parsing of answers without eval, a cache of answers."""
