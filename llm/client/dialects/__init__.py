"""Servers and models write otherwise than OpenAI's API says: each form is put into that one."""
