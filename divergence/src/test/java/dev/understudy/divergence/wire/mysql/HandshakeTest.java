package dev.understudy.divergence.wire.mysql;

import dev.understudy.divergence.wire.mysql.command.BoundValue;
import dev.understudy.divergence.wire.mysql.command.Execute;
import dev.understudy.divergence.wire.mysql.command.QueryText;
import dev.understudy.divergence.wire.mysql.command.UserChange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HandshakeTest {
    private static final long BASE = Capabilities.PROTOCOL_41
            | Capabilities.SECURE_CONNECTION
            | Capabilities.PLUGIN_AUTH
            | Capabilities.CONNECT_WITH_DB;

    @Test
    void greeting_readsAsWritten() {
        for (long bits : new long[] {BASE | Capabilities.LONG_PASSWORD, BASE | Capabilities.MARIADB_CACHE_METADATA}) {
            ServerGreeting greeting = new ServerGreeting(
                    "5.5.5-10.11.6-MariaDB", 77, new Capabilities(bits), 45, 2, "mysql_native_password");
            assertThat(ServerGreeting.read(greeting.encode(new byte[20]))).isEqualTo(greeting);
        }
    }

    @Test
    void mySqlsReservedBytes_areNoCapabilities() {
        ServerGreeting greeting = new ServerGreeting(
                "8.4.0",
                1,
                new Capabilities(BASE | Capabilities.LONG_PASSWORD | 1L << 40),
                45,
                2,
                "caching_sha2_password");
        assertThat(ServerGreeting.read(greeting.encode(new byte[20]))
                        .capabilities()
                        .bits())
                .isEqualTo(BASE | Capabilities.LONG_PASSWORD);
    }

    @Test
    void login_keepsNoCredentials() {
        byte[] payload = login(BASE, "top-secret");
        Login login = Login.read(payload, new Capabilities(BASE | Capabilities.LONG_PASSWORD));
        assertThat(login.database()).isEqualTo("app");
        assertThat(login.plugin()).isEqualTo("mysql_native_password");
        assertThat(login.proven()).isTrue();
        assertThat(login.toString()).doesNotContain("secret").doesNotContain("root");
    }

    @Test
    void requestForTls_isToldApart() {
        byte[] request = new MySqlWriter()
                .int32((int) (BASE | Capabilities.SSL))
                .int32(0)
                .int8(45)
                .bytes(new byte[23])
                .toBytes();
        assertThat(Login.read(request, new Capabilities(BASE)).tls()).isTrue();
    }

    @Test
    void mutatedPackets_areMalformedOrRead() {
        byte[] greeting = new ServerGreeting("8.4.0", 1, new Capabilities(BASE), 45, 2, "x").encode(new byte[20]);
        byte[] execute = new MySqlWriter()
                .int8(0x17)
                .int32(1)
                .int8(0)
                .int32(1)
                .int8(0)
                .int8(1)
                .int16(0xfe)
                .int16(8)
                .value("text")
                .int64(5)
                .toBytes();
        byte[] query = new MySqlWriter()
                .int8(3)
                .number(1)
                .number(1)
                .int8(0)
                .int8(1)
                .int16(0xfe)
                .value("name")
                .value("v")
                .bytes("SELECT 1".getBytes(StandardCharsets.US_ASCII))
                .toBytes();
        Capabilities all = new Capabilities(-1);
        for (long seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            survive(seed, () -> ServerGreeting.read(mutated(greeting, random)));
            survive(seed, () -> Login.read(mutated(login(BASE, "secret"), random), all));
            survive(seed, () -> Execute.read(mutated(execute, random), all, 2, null, Map.of()));
            survive(seed, () -> Execute.readBulk(mutated(execute, random), 2, null));
            survive(seed, () -> QueryText.read(mutated(query, random), all));
            survive(seed, () -> UserChange.read(mutated(query, random), all));
        }
    }

    @Test
    void values_differWhereTheyDiffer() {
        byte[] payload = new MySqlWriter()
                .int8(0x17)
                .int32(1)
                .int8(1)
                .int32(1)
                .int8(0b100)
                .int8(1)
                .int16(0xfe)
                .int16(0x8001)
                .int16(6)
                .value("a")
                .int8(200)
                .toBytes();
        Execute execute = Execute.read(payload, new Capabilities(0), 3, null, Map.of());
        assertThat(execute.cursor()).isTrue();
        assertThat(execute.values().stream().map(BoundValue::display).toList())
                .isEqualTo(List.of("1 bytes #0080", "200", "NULL"));
        assertThat(new BoundValue("", 1, new byte[] {1}).canonical())
                .isNotEqualTo(new BoundValue("", 2, new byte[] {1}).canonical());
    }

    private static byte[] login(long bits, String proof) {
        return new MySqlWriter()
                .int32((int) bits)
                .int32(0)
                .int8(45)
                .bytes(new byte[23])
                .string("root")
                .int8(proof.length())
                .bytes(proof.getBytes(StandardCharsets.US_ASCII))
                .string("app")
                .string("mysql_native_password")
                .toBytes();
    }

    static byte[] mutated(byte[] payload, Random random) {
        byte[] copy =
                Arrays.copyOf(payload, random.nextInt(4) == 0 ? random.nextInt(payload.length + 1) : payload.length);
        for (int i = random.nextInt(4); i > 0 && copy.length > 0; i--) {
            copy[random.nextInt(copy.length)] = (byte) random.nextInt();
        }
        return copy;
    }

    static void survive(long seed, Runnable reading) {
        try {
            reading.run();
        } catch (MalformedPacketException expected) {
            assertThat(expected.getMessage()).as("seed " + seed).isNotEmpty();
        }
    }
}
