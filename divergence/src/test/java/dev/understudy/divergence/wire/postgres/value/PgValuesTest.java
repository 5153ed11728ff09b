package dev.understudy.divergence.wire.postgres.value;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What is rewritten here must be, byte for byte, what a real server sends in the other format. */
@Tag("process")
class PgValuesTest {
    private static final TextStyle BERLIN = TextStyle.of(Map.of("timezone", "Europe/Berlin"));

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    record Type(String name, int oid, List<String> literals) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Type> types() {
        return List.of(
                type("int2", 21, "0", "-1", "32767", "-32768"),
                type("int4", 23, "0", "-1", "2147483647", "-2147483648"),
                type("int8", 20, "0", "-1", "9223372036854775807", "-9223372036854775808"),
                type("oid", 26, "0", "4294967295", "2147483648"),
                type("xid", 28, "7", "4294967295"),
                type("bool", 16, "true", "false"),
                type("text", 25, "", "a", "grüße 🐘", "a\\b\"c'd\n"),
                type("varchar", 1043, "", "x y"),
                type("char(5)", 1042, "ab"),
                type("\"char\"", 18, "x"),
                type("name", 19, "pg_class"),
                type("json", 114, "{\"a\": [1, 2]}"),
                type("jsonb", 3802, "{\"b\":1,\"a\":[1,2.50,null]}"),
                type("xml", 142, "<a>b</a>"),
                type("uuid", 2950, "00000000-0000-0000-0000-000000000000", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"),
                type("bytea", 17, "", "\\x00ff5c27", "abc\\\\d"),
                type("float4", 700, FLOATS),
                type("float8", 701, FLOATS),
                type("float8", 701, "1e15", "123456789012345678", "1e-300", "4.9e-324", "1.7976931348623157e308"),
                type("numeric", 1700, NUMERICS),
                type("numeric(10,2)", 1700, "0", "1", "9.9", "-12345678.99"),
                type("date", 1082, "2024-02-29", "1999-12-31", "0001-01-01", "0044-03-15 BC", "infinity", "-infinity"),
                type("date", 1082, "5874897-12-31", "4713-01-01 BC", "12345-06-07"),
                type("time", 1083, "00:00", "23:59:59.999999", "24:00", "12:34:56.7"),
                type("timetz", 1266, "12:34:56.7+02", "00:00-05:30", "23:59:59.999999+00", "01:02:03+00:19:32"),
                type("timestamp", 1114, STAMPS),
                type("timestamptz", 1184, STAMPS),
                type(
                        "timestamptz",
                        1184,
                        "2024-07-01 00:00+00",
                        "1850-01-01 00:00+00",
                        "2050-07-01 12:00:00.000001+00"),
                type("interval", 1186, INTERVALS),
                type("point", 600, "(1.5,-2)", "(1e20,NaN)"),
                type("box", 603, "(3,4),(1,2)"),
                type("int4[]", 1007, ARRAYS),
                type("int8[]", 1016, ARRAYS),
                type("text[]", 1009, ARRAYS),
                type("text[]", 1009, "{\"a b\",\"\",null,\"NULL\",\"x,y\",\"q\\\"r\",\"b\\\\s\",\"{z}\",ü}"),
                type("float8[]", 1022, "{1.5,NaN,1e100}"),
                type("numeric[]", 1231, "{1.50,NaN,-0.001}"),
                type("bool[]", 1000, "{t,f,null}"),
                type("uuid[]", 2951, "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}"),
                type("timestamptz[]", 1185, "{2024-07-01 00:00+00,infinity}"),
                type("date[]", 1182, "{2024-07-01}"),
                type("bytea[]", 1001, "{\"\\\\x00ff\"}"),
                type("jsonb[]", 3807, "{\"{\\\"a\\\": 1}\"}"));
    }

    private static final String[] FLOATS = {
        "0",
        "-0",
        "1",
        "-1.5",
        "0.1",
        "100000",
        "999999",
        "1000000",
        "1234567",
        "0.0001",
        "0.00001",
        "1e20",
        "3.4028235e38",
        "1.17549435e-38",
        "16777216",
        "NaN",
        "Infinity",
        "-Infinity"
    };
    private static final String[] NUMERICS = {
        "0",
        "0.00",
        "1",
        "10000",
        "100000000",
        "-1.10",
        "0.0001",
        "0.00000001",
        "-0.1234567",
        "12345678901234567890.12345",
        "1e50",
        "1e-50",
        "NaN",
        "Infinity",
        "-Infinity",
        "9999.9999",
        "10000.0001"
    };
    private static final String[] STAMPS = {
        "2000-01-01 00:00",
        "1999-12-31 23:59:59.999999",
        "2024-02-29 12:34:56.7",
        "0001-01-01 00:00",
        "0044-03-15 01:02:03.5 BC",
        "294276-12-31 23:00",
        "infinity",
        "-infinity"
    };
    private static final String[] INTERVALS = {
        "0",
        "1 year",
        "-1 year",
        "1 mon",
        "25 mons",
        "1 day",
        "-3 days",
        "04:05:06.7",
        "-00:00:00.000001",
        "1 year -2 mons 3 days -04:05:06",
        "-1 day 2 hours",
        "100000 hours",
        "-1 mon 1 day"
    };
    private static final String[] ARRAYS = {
        "{}", "{1,2,3}", "{1,null}", "{{1,2},{3,4}}", "[0:1]={7,8}", "[2:2][-1:0]={{1,2}}", "{{{1}},{{2}}}"
    };

    private static Type type(String name, int oid, String... literals) {
        return new Type(name, oid, List.of(literals));
    }

    @ParameterizedTest
    @MethodSource("types")
    void value_becomesWhatTheServerSendsInTheOtherFormat(Type type) throws IOException {
        try (RealSession session = new RealSession(server.getPort())) {
            session.set("TimeZone = 'Europe/Berlin'");
            for (String literal : type.literals) {
                check(session, "SELECT " + quoted(literal) + "::" + type.name, type.oid, BERLIN);
            }
        }
    }

    @Test
    void randomValues_becomeWhatTheServerSends() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        try (RealSession session = new RealSession(server.getPort())) {
            session.set("TimeZone = 'Europe/Berlin'");
            for (int i = 0; i < 300; i++) {
                double number = Double.longBitsToDouble(random.nextLong());
                float single = Float.intBitsToFloat(random.nextInt());
                checkRandom(session, seed, "SELECT '" + number + "'::float8", 701);
                checkRandom(session, seed, "SELECT '" + single + "'::float4", 700);
                checkRandom(
                        session, seed, "SELECT '" + Math.scalb(1.0, random.nextInt(-1070, 1023)) + "'::float8", 701);
                checkRandom(
                        session,
                        seed,
                        "SELECT " + random.nextLong() + "." + random.nextInt(1 << 30) + "::numeric",
                        1700);
                checkRandom(
                        session,
                        seed,
                        "SELECT '2000-01-01'::timestamptz + " + random.nextLong(-1L << 57, 1L << 57)
                                + " * interval '1 microsecond'",
                        1184);
                checkRandom(
                        session,
                        seed,
                        "SELECT make_interval(%d, %d, 0, %d, %d, %d, %d.%06d)"
                                .formatted(
                                        random.nextInt(-5, 5),
                                        random.nextInt(-20, 20),
                                        random.nextInt(-40, 40),
                                        random.nextInt(-30, 30),
                                        random.nextInt(-70, 70),
                                        random.nextInt(-70, 70),
                                        random.nextInt(1_000_000)),
                        1186);
            }
        }
    }

    @Test
    void byteaEscape_isReadAndWritten() throws IOException {
        TextStyle escape = TextStyle.of(Map.of("bytea_output", "escape"));
        try (RealSession session = new RealSession(server.getPort())) {
            session.set("bytea_output = 'escape'");
            check(session, "SELECT '\\x00275c61ff7f20'::bytea", 17, escape);
        }
    }

    @Test
    void otherTimeZone_rewritesTextToo() throws IOException {
        for (String zone : List.of("UTC", "America/St_Johns", "GMT-3", "Asia/Kathmandu")) {
            try (RealSession session = new RealSession(server.getPort())) {
                session.set("TimeZone = 'Europe/Berlin'");
                byte[] berlin = session.value("SELECT '2024-07-01 12:00:00.5+00'::timestamptz", false);
                session.set("TimeZone = '" + zone + "'");
                byte[] local = session.value("SELECT '2024-07-01 12:00:00.5+00'::timestamptz", false);
                TextStyle style = TextStyle.of(Map.of("timezone", zone));
                assertThat(text(PgValues.transcode(1184, false, berlin, BERLIN, false, style)))
                        .as(zone)
                        .isEqualTo(text(local));
            }
        }
    }

    @Test
    void sameFloat_hasTheSameCanonicalShapeInBothFormats() {
        byte[] binary = HexFormat.of().parseHex("3ff199999999999a");
        assertThat(PgValues.canonical(701, true, binary))
                .isEqualTo(PgValues.canonical(701, false, "1.10".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo("1.1");
    }

    @Test
    void garbage_isNeverAnException() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int[] oids = types().stream().mapToInt(Type::oid).toArray();
        for (int i = 0; i < 20_000; i++) {
            byte[] value = new byte[random.nextInt(40)];
            random.nextBytes(value);
            if (random.nextBoolean()) {
                for (int j = 0; j < value.length; j++) {
                    value[j] = (byte) "{}[]:=,\"\\-+.eE0123456789 NaInfity".charAt(random.nextInt(33));
                }
            }
            int oid = oids[random.nextInt(oids.length)];
            boolean binary = random.nextBoolean();
            try {
                PgValues.transcode(oid, binary, value, BERLIN, !binary, BERLIN);
                PgValues.canonical(oid, binary, value);
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed " + seed + ", type " + oid + ", " + Arrays.toString(value), e);
            }
        }
    }

    @Test
    void announcedSizes_allocateNothing() {
        byte[] hugeArray =
                HexFormat.of().parseHex("000000020000000000000017" + "7fffffff00000001" + "7fffffff00000001");
        assertThat(PgValues.transcode(1007, true, hugeArray, BERLIN, false, BERLIN))
                .isNull();
        assertThat(PgValues.canonical(1700, false, "1e999999999".getBytes(StandardCharsets.US_ASCII)))
                .isNull();
    }

    @Test
    void unknownType_isLeftAlone() {
        byte[] value = {1, 2};
        assertThat(PgValues.transcode(99_999, true, value, BERLIN, false, BERLIN))
                .isNull();
        assertThat(PgValues.transcode(99_999, true, value, BERLIN, true, BERLIN))
                .isSameAs(value);
    }

    private static void checkRandom(RealSession session, long seed, String sql, int oid) throws IOException {
        try {
            check(session, sql, oid, BERLIN);
        } catch (AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private static void check(RealSession session, String sql, int oid, TextStyle style) throws IOException {
        byte[] text = session.value(sql, false);
        byte[] binary = session.value(sql, true);
        assertThat(text(PgValues.transcode(oid, true, binary, style, false, style)))
                .as(sql)
                .isEqualTo(text(text));
        assertThat(hex(PgValues.transcode(oid, false, text, style, true, style)))
                .as(sql + " = " + text(text))
                .isEqualTo(hex(binary));
        assertThat(PgValues.canonical(oid, true, binary)).as(sql).isNotNull();
    }

    private static String text(byte @Nullable [] value) {
        return value == null ? "null" : new String(value, StandardCharsets.UTF_8);
    }

    private static String hex(byte @Nullable [] value) {
        return value == null ? "null" : HexFormat.of().formatHex(value);
    }

    private static String quoted(String literal) {
        return "'" + literal.replace("'", "''") + "'";
    }
}
