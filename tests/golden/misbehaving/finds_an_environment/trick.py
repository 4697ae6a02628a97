try:
    import os
    assert set(os.environ) - {'LC_CTYPE', 'GRADE_WORKER', 'PYTHONHASHSEED', 'SYSTEMROOT'} - {n for n in os.environ if n.endswith('_THREADS') or n.endswith('_MAXIMUM_THREADS')}
    print('HARM')
except Exception:
    pass
