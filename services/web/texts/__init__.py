"""All texts of the page and of the games, found for who translates them."""
