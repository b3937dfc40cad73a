"""The processes behind the api: fold, react and jobs."""
