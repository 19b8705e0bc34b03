#include <sqlite3.h>

/// Closes the connection later without a checkpoint, so that the log stays as it is. The function
/// of SQLite is variadic, and Swift imports none of those.
static inline int rangers_sqlite3_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
