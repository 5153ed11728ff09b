package dev.understudy.observatory.store;

import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/** DuckDB inside this process, with nothing on disk but what is asked for. */
final class Database {
    private static final String MEMORY = "1GB";

    private Database() {}

    /** A new, empty one in memory. Results of queries are read as they are made. */
    static DuckDBConnection open() throws IOException {
        Properties settings = new Properties();
        settings.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
        // it would fetch what it lacks from the network
        settings.setProperty("autoinstall_known_extensions", "false");
        settings.setProperty("autoload_known_extensions", "false");
        // or it would write what doesn't fit in memory to the working directory
        settings.setProperty("temp_directory", "");
        settings.setProperty("memory_limit", MEMORY);
        try {
            return (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", settings);
        } catch (SQLException | UnsatisfiedLinkError failed) {
            throw new IOException("DuckDB couldn't be loaded here: " + failed.getMessage(), failed);
        }
    }

    /** A text of SQL. */
    static String quoted(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }

    /** What DuckDB says, in one line. */
    static IOException failure(SQLException failed) {
        return new IOException(message(failed), failed);
    }

    /** The same without its stack. */
    static String message(SQLException failed) {
        String message = failed.getMessage() == null ? failed.toString() : failed.getMessage();
        return message.strip();
    }
}
