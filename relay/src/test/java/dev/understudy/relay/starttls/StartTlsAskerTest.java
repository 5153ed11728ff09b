package dev.understudy.relay.starttls;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a PostgreSQL server may answer to our request for TLS. */
final class StartTlsAskerTest {
    private static final byte[] REQUEST = {0, 0, 0, 8, 4, (byte) 210, 22, 47};
    private static SslContext context;

    private final List<Throwable> refusals = new ArrayList<>();

    @BeforeAll
    static void make() throws SSLException {
        context = SslContextBuilder.forClient().sslProvider(SslProvider.JDK).build();
    }

    @Test
    void serverThatSaysYes_isSpokenToInTls() throws Exception {
        try (Wire wire = asked()) {
            wire.readAtOnce(new byte[] {'S'});
            assertThat(wire.channel.pipeline().get(SslHandler.class)).isNotNull();
            assertThat(wire.channel.pipeline().get(StartTlsAsker.class)).isNull();
            assertThat(wire.sent()).as("a piece of a handshake").startsWith(0x16);
            assertThat(refusals).isEmpty();
            pass(wire);
            assertThat(refusals).as("the timer of the question is stopped").isEmpty();
        }
    }

    @Test
    void anyOtherAnswer_endsTheConnection_withoutAFurtherByte() throws Exception {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] answer = new byte[random.nextInt(20)];
            random.nextBytes(answer);
            if (answer.length > 1 && random.nextBoolean()) {
                answer[0] = 'S'; // with plain text behind it
            } else if (answer.length == 1 && answer[0] == 'S') {
                answer[0] = 'N';
            }
            refusals.clear();
            try (Wire wire = asked()) {
                wire.readAtOnce(answer);
                assertThat(refusals).as("seed %d", seed).hasSize(1);
                assertThat(refusals.get(0)).as("seed %d", seed).isInstanceOf(SSLException.class);
                assertThat(wire.channel.isOpen()).as("seed %d", seed).isFalse();
                assertThat(wire.sent()).as("seed %d", seed).isEmpty();
                assertThat(wire.channel.pipeline().get(SslHandler.class)).isNull();
            }
        }
    }

    @Test
    void serverThatSaysNothing_orLeaves_isGivenUp() throws Exception {
        try (Wire silent = asked()) {
            pass(silent);
            assertThat(refusals).hasSize(1);
            assertThat(silent.channel.isOpen()).isFalse();
        }
        refusals.clear();
        try (Wire left = asked()) {
            left.channel.close();
            assertThat(refusals).hasSize(1);
            assertThat(refusals.get(0)).isInstanceOf(IOException.class);
        }
    }

    private static void pass(Wire wire) {
        wire.channel.advanceTimeBy(1000, TimeUnit.MILLISECONDS);
        wire.channel.runScheduledPendingTasks();
    }

    private Wire asked() throws Exception {
        SslHandler tls = context.newHandler(UnpooledByteBufAllocator.DEFAULT, "db.test", 5432);
        StartTlsAsker asker = new StartTlsAsker(tls, refusals::add);
        Wire wire = new Wire(new Random(0), asker);
        ChannelHandlerContext ctx =
                Objects.requireNonNull(wire.channel.pipeline().context(asker));
        asker.ask(ctx, 1000);
        assertThat(wire.sent()).isEqualTo(REQUEST);
        return wire;
    }
}
