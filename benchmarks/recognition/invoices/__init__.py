"""Invoices in eight languages and six layouts, made anew from a seed, with what is printed on them as the truth."""
