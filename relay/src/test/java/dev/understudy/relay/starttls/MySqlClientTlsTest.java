package dev.understudy.relay.starttls;

import java.util.Random;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

import static dev.understudy.relay.starttls.Wire.Cipher.turned;
import static dev.understudy.relay.starttls.Wire.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a MySQL client and the stages behind see of each other, whatever pieces their bytes come in. */
final class MySqlClientTlsTest {
    private static final int TIMES = 300;

    @Test
    void clientThatAsksForTls_isGivenIt_andLogsInAsIfWithout() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            Random random = new Random(seed);
            try (Wire wire = wire(random)) {
                wire.write(Packets.greeting(random.nextBoolean()));
                assertThat(wire.sent()).as("seed %d", seed).isEqualTo(Packets.greeting(true));

                // Clients don't wait for an answer before they begin with TLS.
                wire.read(join(Packets.requestForTls(), turned(Packets.login(2, true))));
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(Packets.login(1, false));

                wire.write(Packets.proof(2));
                assertThat(wire.sent()).as("seed %d", seed).isEqualTo(turned(Packets.proof(3)));
                wire.read(turned(Packets.proof(4)));
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(Packets.proof(3));

                wire.write(join(Packets.ok(4), Packets.proof(9)));
                assertThat(wire.sent())
                        .as("seed %d: what follows OK isn't touched", seed)
                        .isEqualTo(turned(join(Packets.ok(5), Packets.proof(9))));
                assertThat(wire.channel.pipeline().get(MySqlClientTls.class)).isNull();
            }
        }
    }

    @Test
    void requestAndTls_mayComeInOneRead() throws Exception {
        try (Wire wire = wire(new Random(1))) {
            wire.write(Packets.greeting(false));
            wire.readAtOnce(join(Packets.requestForTls(), turned(join(Packets.login(2, true), Packets.query()))));
            assertThat(wire.behind()).isEqualTo(join(Packets.login(1, false), Packets.query()));
            wire.sent();
        }
    }

    @Test
    void clientThatDoesNotAsk_goesOnInPlainText() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            try (Wire wire = wire(new Random(seed))) {
                wire.write(Packets.greeting(true));
                wire.sent();
                wire.read(Packets.login(1, false));
                wire.write(Packets.ok(2));
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(Packets.login(1, false));
                assertThat(wire.sent()).as("seed %d", seed).isEqualTo(Packets.ok(2));
                assertThat(wire.channel.pipeline().get(Wire.Cipher.class)).isNull();
            }
        }
    }

    @Test
    void serverThatHasNoRoom_isHeard() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            try (Wire wire = wire(new Random(seed))) {
                wire.write(Packets.error(0));
                assertThat(wire.sent()).as("seed %d", seed).isEqualTo(Packets.error(0));
            }
        }
    }

    @Test
    void serverThatGivesUp_isHeardInTls_withTheNumberThatTheClientExpects() throws Exception {
        try (Wire wire = wire(new Random(2))) {
            wire.write(Packets.greeting(true));
            wire.read(Packets.requestForTls());
            wire.sent();
            wire.write(Packets.error(1));
            assertThat(wire.sent()).isEqualTo(turned(Packets.error(2)));
        }
    }

    @Test
    void clientThatSpeaksFirst_andLoginThatIsNone_endTheConnection() throws Exception {
        try (Wire early = wire(new Random(3));
                Wire none = wire(new Random(4))) {
            early.readAtOnce(Packets.login(1, false));
            assertFailed(early, "before it is greeted");

            none.write(Packets.greeting(true));
            none.sent();
            none.readAtOnce(join(Packets.requestForTls(), turned(join(Packets.query(), new byte[40]))));
            assertFailed(none, "no login in TLS");
        }
    }

    @Test
    void anythingElse_harmsNobody_andIsHeldWithinBounds() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            Random random = new Random(seed);
            try (Wire wire = wire(random)) {
                for (int i = 0; i < 20; i++) {
                    byte[] bytes = damaged(random, random.nextInt(6));
                    if (random.nextBoolean()) {
                        wire.read(bytes);
                    } else {
                        wire.write(bytes);
                    }
                    wire.behind();
                    wire.sent();
                    assertThat(wire.heldBytes()).as("seed %d", seed).isLessThan(8192);
                }
                assertOnlyHandshakeFails(wire, seed);
            }
        }
    }

    static byte[] damaged(Random random, int kind) {
        byte[] bytes = switch (kind) {
            case 0 -> Packets.greeting(random.nextBoolean());
            case 1 -> Packets.requestForTls();
            case 2 -> Packets.login(random.nextInt(3), random.nextBoolean());
            case 3 -> Packets.proof(random.nextInt(5));
            case 4 -> Packets.ok(random.nextInt(5));
            default -> new byte[random.nextInt(2000)];
        };
        if (kind > 4) {
            random.nextBytes(bytes);
        } else if (random.nextInt(3) == 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    static void assertOnlyHandshakeFails(Wire wire, int seed) {
        try {
            wire.channel.checkException();
        } catch (Exception failed) {
            assertThat(failed).as("seed %d", seed).isInstanceOf(SSLHandshakeException.class);
        }
    }

    static void assertFailed(Wire wire, String why) {
        assertThat(wire.behind()).isEmpty();
        assertThatThrownBy(wire.channel::checkException)
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining(why);
    }

    private static Wire wire(Random random) throws Exception {
        return new Wire(random, new MySqlClientTls(asking -> asking.pipeline().addFirst(new Wire.Cipher())));
    }
}
