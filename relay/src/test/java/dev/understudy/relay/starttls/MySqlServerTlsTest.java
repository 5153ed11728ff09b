package dev.understudy.relay.starttls;

import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static dev.understudy.relay.starttls.MySqlClientTlsTest.assertFailed;
import static dev.understudy.relay.starttls.Wire.Cipher.turned;
import static dev.understudy.relay.starttls.Wire.join;
import static org.assertj.core.api.Assertions.assertThat;

/** What a MySQL server and the stages behind see of each other, whatever pieces their bytes come in. */
final class MySqlServerTlsTest {
    private static final int TIMES = 300;
    private static final byte[] PREFACE = "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n".getBytes(StandardCharsets.US_ASCII);

    @Test
    void serverIsAskedForTls_asSoonAsTheClientLogsIn() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            Random random = new Random(seed);
            try (Wire wire = wire(random, PREFACE.length)) {
                wire.channel.writeOutbound(wire.channel.alloc().buffer().writeBytes(PREFACE));
                assertThat(wire.sent()).isEqualTo(PREFACE);
                wire.read(Packets.greeting(true));
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(Packets.greeting(false));
                assertThat(wire.sent()).isEmpty();

                wire.write(Packets.login(1, false));
                assertThat(wire.sent())
                        .as("seed %d", seed)
                        .isEqualTo(join(Packets.requestForTls(), turned(Packets.login(2, true))));

                wire.read(turned(Packets.proof(3)));
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(Packets.proof(2));
                wire.write(Packets.proof(3));
                assertThat(wire.sent()).as("seed %d", seed).isEqualTo(turned(Packets.proof(4)));

                boolean letIn = random.nextBoolean();
                wire.read(turned(letIn ? Packets.ok(5) : Packets.error(5)));
                assertThat(wire.behind()).as("seed %d", seed).isEqualTo(letIn ? Packets.ok(4) : Packets.error(4));
                assertThat(wire.channel.pipeline().get(MySqlServerTls.class)).isNull();
            }
        }
    }

    @Test
    void bothSides_passOnWhatBothEndsWouldSayInTls() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            Random random = new Random(seed);
            try (Wire client = new Wire(
                            random,
                            new MySqlClientTls(asking -> asking.pipeline().addFirst(new Wire.Cipher())));
                    Wire server = wire(random, 0)) {
                server.read(Packets.greeting(true));
                client.write(server.behind());
                assertThat(client.sent()).as("seed %d", seed).isEqualTo(Packets.greeting(true));
                client.read(join(Packets.requestForTls(), turned(Packets.login(2, true))));
                server.write(client.behind());
                assertThat(server.sent())
                        .as("seed %d", seed)
                        .isEqualTo(join(Packets.requestForTls(), turned(Packets.login(2, true))));
                server.read(turned(Packets.ok(3)));
                client.write(server.behind());
                assertThat(client.sent()).as("seed %d", seed).isEqualTo(turned(Packets.ok(3)));
            }
        }
    }

    @Test
    void serverWithoutTls_andPlainTextBehindItsGreeting_endTheConnection() throws Exception {
        try (Wire without = wire(new Random(1), 0);
                Wire behind = wire(new Random(2), 0);
                Wire later = wire(new Random(3), 0)) {
            without.read(Packets.greeting(false));
            assertFailed(without, "it offers no TLS");

            behind.readAtOnce(join(Packets.greeting(true), Packets.ok(2)));
            assertFailed(behind, "plain text behind its greeting");

            later.read(Packets.greeting(true));
            later.behind();
            later.read(Packets.ok(2));
            assertFailed(later, "plain text behind its greeting");
        }
    }

    @Test
    void clientThatAsksForWhatItWasNotOffered_andOneThatSpeaksFirst_tellTheServerNothing() throws Exception {
        try (Wire asking = wire(new Random(1), 0);
                Wire early = wire(new Random(2), 0)) {
            asking.read(Packets.greeting(true));
            asking.behind();
            asking.write(Packets.requestForTls());
            assertThat(asking.sent()).isEmpty();
            assertFailed(asking, "wasn't offered");

            early.write(Packets.login(1, false));
            assertThat(early.sent()).isEmpty();
            assertFailed(early, "before it is greeted");
        }
    }

    @Test
    void serverThatHasNoRoom_isHeard_andToldNothing() throws Exception {
        try (Wire wire = wire(new Random(1), 0)) {
            wire.read(Packets.error(0));
            assertThat(wire.behind()).isEqualTo(Packets.error(0));
            wire.write(Packets.login(1, false));
            assertThat(wire.sent()).isEmpty();
            assertFailed(wire, "");
        }
    }

    @Test
    void anythingElse_isNeverSentInPlainText_andIsHeldWithinBounds() throws Exception {
        for (int seed = 0; seed < TIMES; seed++) {
            Random random = new Random(seed);
            try (Wire wire = wire(random, 0)) {
                for (int i = 0; i < 20; i++) {
                    byte[] bytes = MySqlClientTlsTest.damaged(random, random.nextInt(6));
                    if (random.nextBoolean()) {
                        wire.read(bytes);
                    } else {
                        EmbeddedChannel channel = wire.channel;
                        boolean encrypted = channel.pipeline().get(Wire.Cipher.class) != null;
                        wire.write(bytes);
                        boolean asked = channel.pipeline().get(Wire.Cipher.class) != null;
                        byte[] sent = wire.sent();
                        assertThat(encrypted || asked || sent.length == 0)
                                .as("seed %d", seed)
                                .isTrue();
                    }
                    wire.behind();
                    assertThat(wire.heldBytes()).as("seed %d", seed).isLessThan(8192);
                }
                MySqlClientTlsTest.assertOnlyHandshakeFails(wire, seed);
            }
        }
    }

    private static Wire wire(Random random, int preface) throws Exception {
        return new Wire(random, new MySqlServerTls(asking -> asking.pipeline().addFirst(new Wire.Cipher()), preface));
    }
}
