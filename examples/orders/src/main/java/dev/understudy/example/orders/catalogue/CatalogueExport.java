package dev.understudy.example.orders.catalogue;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Streams the price history of all products as CSV, row by row from a database cursor. */
@Component
class CatalogueExport {
    /** Rows fetched from the cursor at a time. */
    private static final int FETCH = 1_000;

    private static final String HISTORY = """
            SELECT p.sku, p.name, day, p.price_cents * (90 + (p.id * 31 + day * day) % 21) / 100 AS cents,
                   md5(p.sku || ':' || day) AS batch
            FROM products p CROSS JOIN generate_series(1, ?) AS day
            ORDER BY p.id, day
            """;

    private final JdbcTemplate jdbc;

    CatalogueExport(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    /** Writes a line for each product and day; pgjdbc uses a cursor only inside a transaction. */
    @Transactional(readOnly = true)
    public void writeTo(OutputStream out, int days) throws IOException {
        Writer csv = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        csv.write("sku,name,day,cents,batch\n");
        try {
            jdbc.query(
                    connection -> {
                        var statement = connection.prepareStatement(HISTORY);
                        statement.setFetchSize(FETCH);
                        statement.setInt(1, days);
                        return statement;
                    },
                    row -> {
                        String line = row.getString(1) + ",\"" + row.getString(2) + "\"," + row.getInt(3) + ","
                                + row.getLong(4) + "," + row.getString(5) + "\n";
                        try {
                            csv.write(line);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        csv.flush();
    }
}
