"""Numbers, dates, money, units and words as documents print them. Nothing here knows of Django or of rows."""
