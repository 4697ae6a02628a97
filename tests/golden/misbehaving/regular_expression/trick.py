import re
re.match('(a+)+$', 'a' * 60 + 'b')
