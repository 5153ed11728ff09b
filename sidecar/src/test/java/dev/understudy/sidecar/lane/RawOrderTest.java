package dev.understudy.sidecar.lane;

import dev.understudy.sidecar.order.DebugClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RawOrderTest {
    private static final long SECOND = 1_000_000_000L;

    private final DebugClock clock = new DebugClock(0);
    private long now;
    private int passedOver;
    private final RawOrder order =
            new RawOrder(clock, Duration.ofSeconds(10), Duration.ofSeconds(30), () -> passedOver++);

    private static ByteBuf bytes(int length) {
        return Unpooled.wrappedBuffer(new byte[length]);
    }

    private static ByteBuf frame(int type, int flags, int stream, int length) {
        return Unpooled.buffer()
                .writeMedium(length)
                .writeByte(type)
                .writeByte(flags)
                .writeInt(stream)
                .writeZero(length);
    }

    private static ByteBuf preface() {
        return Unpooled.copiedBuffer("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", StandardCharsets.US_ASCII);
    }

    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int PING = 6;
    private static final int END = 1;

    private void advance(long nanos) {
        for (long end = now + nanos; now < end; now += Math.min(SECOND / 10, end - now)) {
            clock.life(now);
            clock.tick(now);
        }
        clock.life(now);
        clock.tick(now);
    }

    @Test
    void bytesSaidBeforeAnyReply_goAtOnce() {
        order.offered();
        order.offered();
        assertThat(order.admits(now)).isTrue();
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isZero();
    }

    @Test
    void bytesSaidAfterAReply_waitUntilDebugHasSaidAsMuch() {
        order.productionReplied(bytes(10));
        order.offered();
        assertThat(order.admits(now)).isFalse();
        order.debugReplied(bytes(9), now);
        assertThat(order.admits(now)).isFalse();
        order.debugReplied(bytes(1), now);
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isZero();
    }

    @Test
    void shorterReplyThatIsFollowedByQuiet_isTakenForAnAnswer() {
        order.productionReplied(bytes(10));
        order.offered();
        order.debugReplied(bytes(7), now);
        assertThat(order.admits(now)).isFalse();
        advance(SECOND / 4);
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isEqualTo(1);

        order.productionReplied(bytes(10));
        order.offered();
        order.debugReplied(bytes(10), now);
        assertThat(order.admits(now)).as("what was missing is forgiven").isTrue();
    }

    @Test
    void debugThatSaysNothing_isWaitedForOnItsOwnClockOnly() {
        order.productionReplied(bytes(1));
        order.offered();
        assertThat(order.admits(now)).isFalse();
        advance(9 * SECOND);
        assertThat(order.admits(now)).isFalse();
        advance(2 * SECOND);
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isEqualTo(1);

        order.productionReplied(bytes(1));
        order.offered();
        assertThat(order.admits(now)).as("waited for once").isTrue();
        order.debugReplied(bytes(1), now);
        order.productionReplied(bytes(2));
        order.offered();
        assertThat(order.admits(now)).as("it speaks again").isFalse();
    }

    @Test
    void debugThatHasEnded_holdsNothingBack() {
        order.productionReplied(bytes(100));
        order.offered();
        order.debugReplied(bytes(1), now);
        order.debugEnded();
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isZero();
    }

    @Test
    void http2ThatDebugHasAnswered_goesOnWithoutAWait_howeverFewBytesThatTook() {
        order.offered(preface());
        assertThat(order.admits(now)).isTrue();
        for (int stream = 1; stream < 401; stream += 2) {
            order.offered(frame(HEADERS, END, stream, 20));
            assertThat(order.admits(now)).as("stream " + stream).isTrue();
            order.productionReplied(frame(PING, 0, 0, 8));
            order.productionReplied(frame(DATA, END, stream, 100));
            assertThat(passedOver).isZero();
            order.debugReplied(frame(DATA, END, stream, 70), now);
        }
        assertThat(passedOver).isZero();
    }

    @Test
    void http2ThatDebugStillAnswers_isWaitedForAsLongAsForAReply_alsoByTheClientsEnd() {
        order.offered(preface());
        order.offered(frame(HEADERS, END, 1, 20));
        assertThat(order.admits(now)).isTrue();
        assertThat(order.admits(now)).as("the request").isTrue();
        order.productionReplied(frame(DATA, END, 1, 100));
        order.offered();
        order.debugReplied(frame(4, 0, 0, 300), now);
        advance(20 * SECOND);
        assertThat(order.admits(now))
                .as("it said more than production, but no answer")
                .isFalse();
        order.debugReplied(frame(DATA, END, 1, 10), now);
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isZero();
    }

    @Test
    void http2ThatDebugNeverAnswers_isPassedOverOnce() {
        order.offered(preface());
        order.offered(frame(HEADERS, END, 1, 20));
        assertThat(order.admits(now)).isTrue();
        assertThat(order.admits(now)).as("the request").isTrue();
        order.productionReplied(frame(DATA, END, 1, 100));
        order.offered(frame(HEADERS, END, 3, 20));
        assertThat(order.admits(now)).isFalse();
        advance(31 * SECOND);
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isEqualTo(1);
        order.productionReplied(frame(DATA, END, 3, 100));
        order.debugReplied(frame(DATA, END, 3, 10), now);
        order.offered(frame(HEADERS, END, 5, 20));
        assertThat(order.admits(now)).isTrue();
        assertThat(passedOver).isEqualTo(1);
    }

    /** Frames cut anywhere, among such as mean nothing here; and bytes that are no frames. */
    @Test
    void randomChunks_ofHttp2_areCountedAlike() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            RawOrder fresh = new RawOrder(clock, Duration.ofSeconds(10), Duration.ofSeconds(30), () -> passedOver++);
            fresh.offered(preface());
            assertThat(fresh.admits(now)).isTrue();
            for (int stream = 1; stream < 40; stream += 2) {
                fresh.offered(frame(HEADERS, END, stream, random.nextInt(50)));
                assertThat(fresh.admits(now)).as("seed " + seed).isTrue();
                ByteBuf reply = Unpooled.wrappedBuffer(
                        frame(HEADERS, 4, stream, random.nextInt(90)),
                        frame(random.nextInt(2) * 6, 0, 0, random.nextInt(20)),
                        frame(DATA, END, stream, random.nextInt(400)));
                for (ByteBuf chunk : chunks(reply, random)) {
                    fresh.productionReplied(chunk);
                }
                fresh.offered();
                for (ByteBuf chunk : chunks(reply.readerIndex(0), random)) {
                    assertThat(fresh.admits(now)).as("seed " + seed).isFalse();
                    fresh.debugReplied(chunk, now);
                }
                assertThat(fresh.admits(now)).as("seed " + seed).isTrue();
            }
            byte[] anything = new byte[5000];
            random.nextBytes(anything);
            fresh.offered(Unpooled.wrappedBuffer(anything));
            fresh.productionReplied(Unpooled.wrappedBuffer(anything));
            fresh.debugReplied(Unpooled.wrappedBuffer(anything), now);
        }
        assertThat(passedOver).isZero();
    }

    private static List<ByteBuf> chunks(ByteBuf data, Random random) {
        List<ByteBuf> chunks = new ArrayList<>();
        while (data.isReadable()) {
            chunks.add(data.readSlice(1 + random.nextInt(Math.min(data.readableBytes(), 60))));
        }
        return chunks;
    }

    /** Whatever the chunks: while debug says the same bytes, nothing goes early, and nothing stays behind. */
    @Test
    void randomDialogues_keepTheirOrder() {
        for (long seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            RawOrder fresh = new RawOrder(clock, Duration.ofSeconds(10), Duration.ofSeconds(30), () -> passedOver++);
            Deque<Long> offered = new ArrayDeque<>();
            long production = 0;
            long debug = 0;
            for (int step = 0; step < 200; step++) {
                switch (random.nextInt(4)) {
                    case 0 -> {
                        int length = random.nextInt(50);
                        fresh.productionReplied(bytes(length));
                        production += length;
                    }
                    case 1 -> {
                        fresh.offered();
                        offered.add(production);
                    }
                    case 2 -> {
                        int length = (int) Math.min(production - debug, random.nextInt(60));
                        fresh.debugReplied(bytes(length), now);
                        debug += length;
                    }
                    default -> {
                        if (!offered.isEmpty()) {
                            boolean due = debug >= offered.peek();
                            assertThat(fresh.admits(now)).as("seed " + seed).isEqualTo(due);
                            if (due) {
                                offered.remove();
                            }
                        }
                    }
                }
            }
        }
        assertThat(passedOver).isZero();
    }
}
