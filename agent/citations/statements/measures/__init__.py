"""What stands beside a number: its currency, unit and scale; and texts as numbers and names are looked for in them."""
