"""What models make of readings for a question: what one says to it, a summary, an order. Each works without one."""
