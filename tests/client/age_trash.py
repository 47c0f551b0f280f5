"""Makes a journal believe that what is in the trash came there some days earlier: JOURNAL DAYS."""

import json
import sqlite3
import sys

journal, days = sys.argv[1], int(sys.argv[2])
connection = sqlite3.connect(journal)
rows = connection.execute("UPDATE trashed SET at_ms = at_ms - ?", (days * 86_400_000,)).rowcount
connection.commit()
connection.close()
print(json.dumps({"aged": rows}))
