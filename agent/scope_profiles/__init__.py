"""Scope profiles: what an assistant is for, and how requests and results are judged by one."""
