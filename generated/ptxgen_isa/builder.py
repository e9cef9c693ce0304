class Instructions:
    pass
