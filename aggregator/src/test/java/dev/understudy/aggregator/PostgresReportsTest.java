package dev.understudy.aggregator;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a server reports of settings that a session changes, message by message: drivers read and write by that. */
@Tag("process")
class PostgresReportsTest {
    private static final List<String> KNOWN = List.of(
            "SET datestyle = 'german'",
            "SET datestyle = 'german'",
            "SET datestyle = 'SQL'",
            "SHOW datestyle",
            "SET DateStyle TO postgres, ymd",
            "SET datestyle = 'ISO', 'european'",
            "SET datestyle = us",
            "SET datestyle = 'iso,nothing'",
            "RESET datestyle",
            "SET timezone = 'asia/tokyo'",
            "SHOW timezone",
            "SET timezone = utc",
            "SET TIME ZONE -7",
            "SET TIME ZONE 5.5",
            "SET TIME ZONE '+3'",
            "SHOW TIME ZONE",
            "SET TIME ZONE 'EST5EDT'",
            "SET TIME ZONE 'est'",
            "SET TIME ZONE 'FOO5'",
            "SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE",
            "SET TIME ZONE LOCAL",
            "SET TIME ZONE DEFAULT",
            "SET client_encoding = 'latin1'",
            "SET client_encoding = 'utf-8'",
            "SET NAMES 'iso-8859-1'",
            "SHOW client_encoding",
            "SET client_encoding = UNICODE",
            "SET intervalstyle = 'ISO_8601'",
            "SHOW intervalstyle",
            "SET intervalstyle = POSTGRES_verbose",
            "SET application_name = 'it''s Till 4'",
            "SHOW application_name",
            "SET application_name = Till",
            "SET application_name = \"Till\"",
            "SET application_name = 5",
            "SET standard_conforming_strings = false",
            "SHOW standard_conforming_strings",
            "SET standard_conforming_strings = '1'",
            "SET standard_conforming_strings TO yes",
            "SET default_transaction_read_only = yes",
            "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
            "BEGIN",
            "SET LOCAL intervalstyle = 'sql_standard'",
            "SET application_name = 'in a block'",
            "SAVEPOINT one",
            "SET application_name = 'deeper'",
            "ROLLBACK TO one",
            "ROLLBACK",
            "BEGIN; SET LOCAL datestyle = german; COMMIT",
            "SET datestyle = german; SET datestyle = DEFAULT",
            "SELECT set_config('timezone', 'Europe/Berlin', false)",
            "DISCARD ALL");

    private PostgresSides sides;

    @BeforeEach
    void open() throws Exception {
        sides = new PostgresSides("wait: 30s");
    }

    @AfterEach
    void close() {
        sides.close();
    }

    @Test
    void changedSettings_areReportedAsTheServerDoes_beforeProductionHasSetThem() throws Exception {
        String[] work = KNOWN.stream()
                .filter(one -> !one.startsWith("SELECT") && !one.contains("nothing"))
                .toArray(String[]::new);
        assertThat(all(sides.productionPort())).isEmpty();
        List<String> debug = all(sides.debugPort(), work);
        assertThat(debug).contains("S DateStyle German, DMY", "S TimeZone <+05:30>-05:30", "S application_name Till");
        assertThat(all(sides.productionPort(), work)).isEqualTo(debug);
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0");
    }

    @Test
    void changedSettings_areReportedAsProductionsWere() throws Exception {
        String[] work = KNOWN.toArray(String[]::new);
        List<String> production = all(sides.productionPort(), work);
        assertThat(production).contains("S TimeZone Europe/Berlin");
        assertThat(all(sides.debugPort(), work)).isEqualTo(production);
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0");
    }

    @Test
    void whoTheSessionIs_isReportedAsProductionsServerDid() throws Exception {
        all(sides.productionPort(), "DROP ROLE IF EXISTS understudy_reader", "CREATE ROLE understudy_reader");
        String[] work = {
            "SET ROLE understudy_reader",
            "SET ROLE NONE",
            "SET ROLE 'understudy_reader'",
            "RESET ROLE",
            "SET SESSION AUTHORIZATION Understudy_Reader",
            "SET SESSION AUTHORIZATION DEFAULT",
            "SET session_authorization = 'understudy_reader'",
            "RESET SESSION AUTHORIZATION",
            "BEGIN",
            "SET LOCAL ROLE understudy_reader",
            "COMMIT",
            "BEGIN",
            "SET LOCAL SESSION AUTHORIZATION understudy_reader",
            "SAVEPOINT one",
            "SET LOCAL SESSION AUTHORIZATION postgres",
            "ROLLBACK TO one",
            "ROLLBACK",
            "SET ROLE understudy_reader",
            "SET SESSION AUTHORIZATION DEFAULT",
            "SET ROLE understudy_reader",
            "SET SESSION AUTHORIZATION postgres",
            "SET ROLE understudy_reader",
            "DISCARD ALL"
        };
        List<String> production = all(sides.productionPort(), work);
        assertThat(production)
                .contains("S is_superuser off", "S is_superuser on", "S session_authorization understudy_reader");
        assertThat(all(sides.debugPort(), work)).isEqualTo(production);
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0");
        all(sides.productionPort(), "DROP ROLE understudy_reader");
    }

    /**
     * What a failed block had set is undone before its end, and what the server says then is no word for what was set.
     */
    @Test
    void settingsOfAFailedBlock_areReportedAsUndoneAtOnce() throws Exception {
        String[] work = {
            "BEGIN",
            "SET datestyle = german",
            "SELECT 1 / 0",
            "ROLLBACK",
            "SET datestyle = german",
            "BEGIN",
            "SET datestyle = postgres",
            "SAVEPOINT one",
            "SET datestyle = iso",
            "SELECT 2 / 0",
            "ROLLBACK TO one",
            "COMMIT"
        };
        List<String> production = all(sides.productionPort(), work);
        assertThat(all(sides.debugPort(), work)).isEqualTo(production);
        assertThat(TestAggregator.status(sides.aggregator())).contains("\"missed\":0");
    }

    /**
     * Of letters that aren't ASCII's the server makes something else in each version, and it knows more encodings than
     * anybody.
     */
    @Test
    void wordsThatOnlyProductionsServerKnows_areThoseItUsed() throws Exception {
        String[] work = {
            "SET application_name = 'M\u00f6we'",
            "RESET application_name",
            "SET client_encoding = 'win1250'",
            "RESET ALL"
        };
        List<String> production = all(sides.productionPort(), work);
        assertThat(production).contains("S application_name M??we", "S client_encoding WIN1250");
        assertThat(all(sides.debugPort(), work)).isEqualTo(production);
    }

    /** What comes in answer to each text: types, tags and reports. */
    private static List<String> all(int port, String... texts) throws IOException {
        List<String> seen = new ArrayList<>();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            ByteArrayOutputStream start = new ByteArrayOutputStream();
            DataOutputStream startup = new DataOutputStream(start);
            startup.writeInt(3 << 16);
            startup.write("user\0postgres\0database\0postgres\0datestyle\0sql\0\0".getBytes(StandardCharsets.US_ASCII));
            out.writeInt(start.size() + Integer.BYTES);
            start.writeTo(out);
            List<String> greeting = until(in);
            assertThat(greeting).contains("S DateStyle SQL, MDY", "S TimeZone UTC");
            for (String text : texts) {
                byte[] sql = text.getBytes(StandardCharsets.UTF_8);
                out.write('Q');
                out.writeInt(sql.length + Integer.BYTES + 1);
                out.write(sql);
                out.write(0);
                seen.addAll(until(in));
            }
        }
        return seen;
    }

    /** All messages up to the one by which the server is ready. */
    private static List<String> until(DataInputStream in) throws IOException {
        List<String> seen = new ArrayList<>();
        while (true) {
            char type = (char) in.readUnsignedByte();
            byte[] body = in.readNBytes(in.readInt() - Integer.BYTES);
            String text =
                    new String(body, StandardCharsets.UTF_8).replace('\0', ' ').strip();
            seen.add(type == 'E' ? "E " + text.replaceAll(" F\\w+\\.c .*", "") : type + " " + text);
            if (type == 'Z') {
                return seen;
            }
        }
    }
}
