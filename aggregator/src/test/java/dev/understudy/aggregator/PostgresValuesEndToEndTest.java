package dev.understudy.aggregator;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.aggregator.PostgresSides.rows;
import static org.assertj.core.api.Assertions.assertThat;

/** Values of all common types as parameters and results, in text on one side and in binary on the other. */
@Tag("process")
class PostgresValuesEndToEndTest {
    private static final String SELECT = """
            SELECT 1::int2 AS a, 2::int4 AS b, 3::int8 AS c, 1.5::float4 AS d, 0.1::float8 AS e, 12.340::numeric AS f,
             true AS g, 'text'::text AS h, 'v'::varchar AS i, 'c'::char(3) AS j, '\\x00ff'::bytea AS k,
             'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid AS l, '2024-02-29'::date AS m, '12:34:56.7'::time AS n,
             '2024-02-29 12:34:56.123456'::timestamp AS o, '2024-02-29 12:34:56.1+05'::timestamptz AS p,
             '{"a": 1}'::json AS q, '{"a": 1}'::jsonb AS r, '{1,2,NULL}'::int4[] AS s, '{"x y",z}'::text[] AS t,
             '1 day 2 hours'::interval AS u, NULL::int4 AS v, NULL::text AS w, 'NaN'::float8 AS x, '(1,2)'::point AS y,
             '12:34:56+02'::timetz AS z, 'a'::name AS aa, 7::oid AS bb
            """;

    @ParameterizedTest
    @CsvSource({"5,5", "0,-1", "-1,0", "1,0", "0,1"})
    void results_areTheSameInEitherFormat(int production, int debug) throws Exception {
        try (PostgresSides sides = new PostgresSides("wait: 30s")) {
            sides.sameOnBothSides("prepareThreshold=" + production, "prepareThreshold=" + debug, connection -> {
                List<String> seen = new ArrayList<>();
                for (int i = 0; i < 7; i++) {
                    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
                        seen.addAll(rows(select.executeQuery()));
                    }
                    try (PreparedStatement select = connection.prepareStatement(SELECT)) {
                        seen.addAll(javaTimes(select.executeQuery()));
                    }
                }
                return seen;
            });
        }
    }

    private static List<String> javaTimes(ResultSet rows) throws SQLException {
        rows.next();
        return List.of(
                rows.getObject("p", OffsetDateTime.class).toString(),
                rows.getObject("o", LocalDateTime.class).toString(),
                rows.getObject("m", LocalDate.class).toString(),
                rows.getString("p"),
                rows.getString("f"));
    }

    @ParameterizedTest
    @CsvSource({
        "prepareThreshold=5,prepareThreshold=5",
        "prepareThreshold=1,prepareThreshold=0",
        "prepareThreshold=0,prepareThreshold=1",
        "prepareThreshold=1&stringtype=unspecified,stringtype=unspecified",
        "stringtype=unspecified,prepareThreshold=1&stringtype=unspecified",
        "binaryTransfer=true,binaryTransfer=false",
        "binaryTransfer=false,binaryTransfer=true",
        "preferQueryMode=simple,preferQueryMode=simple",
        "preferQueryMode=extendedForPrepared,preferQueryMode=extended"
    })
    void parameters_areRecognisedInEitherFormat(String production, String debug) throws Exception {
        PostgresSides.direct("DROP TABLE IF EXISTS typed", """
                CREATE TABLE typed (id serial PRIMARY KEY, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric,
                 b bool, t text, by bytea, u uuid, d date, ts timestamp, tz timestamptz, tz2 timestamptz, j jsonb)""");
        try (PostgresSides sides = new PostgresSides("wait: 30s")) {
            sides.sameOnBothSides(production, debug, connection -> {
                List<String> seen = new ArrayList<>();
                for (int i = 0; i < 7; i++) {
                    seen.addAll(insert(connection, i, !production.startsWith("binaryTransfer")));
                }
                return seen;
            });
            assertThat(TestAggregator.status(sides.aggregator)).contains("\"missed\":0");
        }
    }

    private static List<String> insert(Connection connection, int i, boolean floats) throws SQLException {
        String sql = "INSERT INTO typed (i2, i4, i8, f4, f8, n, b, t, by, u, d, ts, tz, tz2, j)"
                + " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?::jsonb) RETURNING *";
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            if (i == 3) {
                for (int p = 1; p <= 15; p++) {
                    insert.setNull(p, Types.NULL);
                }
                return rows(insert.executeQuery());
            }
            insert.setShort(1, (short) i);
            insert.setInt(2, i);
            insert.setLong(3, i * 10_000_000_000L);
            if (floats) {
                insert.setFloat(4, i + 0.1f);
            } else {
                insert.setDouble(4, i + 0.1); // the driver sends a float as float4 in binary, as float8 in text
            }
            insert.setDouble(5, i / 3.0);
            insert.setBigDecimal(6, new BigDecimal("1.10").scaleByPowerOfTen(i));
            insert.setBoolean(7, i % 2 == 0);
            insert.setString(8, "grüße " + i);
            insert.setBytes(9, new byte[] {(byte) i, 0, -1});
            insert.setObject(10, new UUID(i, i));
            insert.setDate(11, Date.valueOf(LocalDate.of(2024, 1, 1 + i)));
            insert.setObject(12, LocalDateTime.of(2024, 1, 1 + i, 12, 0));
            insert.setTimestamp(13, Timestamp.valueOf("2024-06-0" + (1 + i) + " 12:00:00.5"));
            insert.setObject(14, OffsetDateTime.of(2024, 1, 1 + i, 12, 0, 0, 0, ZoneOffset.ofHours(i)));
            insert.setString(15, "{\"i\": " + i + "}");
            return rows(insert.executeQuery());
        }
    }
}
