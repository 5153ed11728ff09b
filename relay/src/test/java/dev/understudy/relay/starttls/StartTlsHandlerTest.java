package dev.understudy.relay.starttls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

import static dev.understudy.relay.starttls.Wire.join;
import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of a PostgreSQL client's first packets, whatever pieces they come in. */
final class StartTlsHandlerTest {
    private static final int TIMES = 300;
    private static final byte[] GSSAPI = request(80877104);
    private static final byte[] TLS = request(80877103);
    private static final byte[] STARTUP = join(
            ByteBuffer.allocate(8).putInt(21).putInt(196608).array(),
            "user\0someone\0".getBytes(StandardCharsets.US_ASCII));
    private static final byte[] HELLO = {0x16, 3, 1, 0, 100, 1, 2, 3, 4, 5, 6, 7, 8};

    private final List<String> outcomes = new ArrayList<>();

    @Test
    void clientThatAsks_isToldYes_andBeginsWithTls() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            Random random = new Random(seed);
            outcomes.clear();
            try (Wire wire = wire(random, true)) {
                int refusals = random.nextInt(3);
                for (int i = 0; i < refusals; i++) {
                    wire.read(GSSAPI);
                }
                wire.read(TLS);
                assertThat(new String(wire.sent(), StandardCharsets.US_ASCII))
                        .as("seed %d", seed)
                        .isEqualTo("N".repeat(refusals) + "S");
                wire.read(HELLO);
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(HELLO);
                assertThat(outcomes).as("seed %d", seed).containsExactly("encrypted");
            }
        }
    }

    @Test
    void clientThatIsToldNo_goesOnInPlainText() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            outcomes.clear();
            try (Wire wire = wire(new Random(seed), false)) {
                wire.read(join(GSSAPI, TLS, STARTUP));
                assertThat(wire.sent()).as("seed %d", seed).isEqualTo(new byte[] {'N', 'N'});
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(STARTUP);
                assertThat(outcomes).as("seed %d", seed).containsExactly("plain");
            }
        }
    }

    @Test
    void clientThatDoesNotAsk_goesOnAsItBegan() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            boolean encrypted = seed % 2 == 0;
            outcomes.clear();
            try (Wire wire = wire(new Random(seed), true)) {
                wire.read(encrypted ? HELLO : STARTUP);
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(encrypted ? HELLO : STARTUP);
                assertThat(outcomes).as("seed %d", seed).containsExactly(encrypted ? "encrypted" : "plain");
            }
        }
    }

    @Test
    void plainTextBehindTheRequest_isNobodysTls() throws Exception {
        try (Wire wire = wire(new Random(1), true)) {
            wire.readAtOnce(join(TLS, STARTUP));
            assertThat(outcomes).containsExactly("failed");
            assertThat(wire.sent()).isEmpty();
            assertThat(wire.behind()).isEmpty();
        }
    }

    @Test
    void clientThatSaysTooLittle_isGivenUpInTime() throws Exception {
        try (Wire wire = wire(new Random(1), true)) {
            wire.readAtOnce(new byte[] {0, 0, 0});
            wire.channel.advanceTimeBy(999, TimeUnit.MILLISECONDS);
            wire.channel.runScheduledPendingTasks();
            assertThat(outcomes).isEmpty();
            wire.channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            wire.channel.runScheduledPendingTasks();
            assertThat(outcomes).containsExactly("failed");
        }
    }

    @Test
    void clientThatGoesAway_isSaidToHaveFailedOnce() throws Exception {
        Wire wire = wire(new Random(1), true);
        wire.readAtOnce(new byte[] {0, 0});
        wire.close();
        assertThat(outcomes).containsExactly("failed");
    }

    @Test
    void anythingElse_hasOneOutcome_andIsHeldWithinBounds() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            Random random = new Random(seed);
            outcomes.clear();
            Wire wire = wire(random, random.nextBoolean());
            for (int i = 0; i < 5; i++) {
                byte[] bytes = random.nextBoolean() ? TLS.clone() : new byte[random.nextInt(40)];
                if (bytes.length > 0 && random.nextBoolean()) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                wire.read(bytes);
                wire.behind();
                wire.sent();
                assertThat(wire.heldBytes()).as("seed %d", seed).isLessThan(1024);
            }
            wire.channel.checkException();
            wire.close();
            assertThat(outcomes).as("seed %d", seed).hasSize(1);
        }
    }

    private static byte[] request(int code) {
        return ByteBuffer.allocate(8).putInt(8).putInt(code).array();
    }

    private Wire wire(Random random, boolean offered) throws Exception {
        return new Wire(random, new StartTlsHandler(offered, 1000, new StartTlsHandler.Outcome() {
            @Override
            public void plain() {
                outcomes.add("plain");
            }

            @Override
            public void encrypted() {
                outcomes.add("encrypted");
            }

            @Override
            public void left() {
                outcomes.add("left");
            }

            @Override
            public void failed() {
                outcomes.add("failed");
            }
        }));
    }
}
