"""The page: Turnfold for people with a browser, rendered here, alive through htmx and the feeds."""
