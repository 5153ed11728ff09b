package dev.understudy.relay;

import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import dev.understudy.relay.tap.Tap;
import dev.understudy.relay.tap.TapCarrier;
import dev.understudy.relay.tap.TapConnection;
import dev.understudy.relay.tap.TapFactory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static dev.understudy.relay.tap.Direction.REPLY;
import static dev.understudy.relay.tap.Direction.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;

/** Which part of a connection is tapped when the tee is switched while it goes on. */
final class TapGuardTest {
    private final Factory taps = new Factory();
    private final LongAdder failures = new LongAdder();
    private final List<ByteBuf> buffers = new ArrayList<>();
    private TapGuard guard = open();

    @AfterEach
    void buffers_areReleased() {
        assertThat(buffers).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
    }

    @Test
    void on_fromTheStart_tapsAll() {
        read(REQUEST, "a");
        read(REPLY, "b");
        guard.closed(CloseReason.FINISHED, 1);
        assertThat(taps.told).containsExactly("open", "a", "b", "closed FINISHED");
    }

    @Test
    void off_takesTheTapOff_atTheNextRead() {
        read(REQUEST, "a");
        taps.epoch = TapFactory.OFF;
        read(REPLY, "b");
        read(REQUEST, "c");
        guard.closed(CloseReason.FINISHED, 1);
        assertThat(taps.told).containsExactly("open", "a", "closed UNTAPPED");
    }

    @Test
    void onAgain_joinsWhereTheClientSpeaksAfterProduction() {
        taps.epoch = TapFactory.OFF;
        read(REQUEST, "a");
        taps.epoch = 2;
        read(REQUEST, "b");
        read(REPLY, "c");
        read(REPLY, "d");
        read(REQUEST, "e");
        read(REQUEST, "f");
        assertThat(taps.told).containsExactly("open", "closed UNTAPPED", "join", "connected", "e", "f");
    }

    @Test
    void aConnectionThatCarriedNothing_isJoinedFromItsStart() {
        taps.epoch = TapFactory.OFF;
        guard = open();
        taps.told.clear();
        taps.epoch = 1;
        read(REQUEST, "a");
        assertThat(taps.told).containsExactly("join untouched", "connected", "a");
    }

    @Test
    void aTapThatWantsNoMore_isPutOnAgainAFewTimes_andThenCounted() {
        taps.epoch = TapFactory.OFF;
        read(REPLY, "a");
        taps.told.clear();
        taps.epoch = 2;
        for (int n = 0; n < 5; n++) {
            read(REQUEST, "q");
            taps.wanted = false;
            read(REPLY, "r");
            taps.wanted = true;
        }
        assertThat(taps.told.stream().filter("join"::equals)).hasSize(3);
        assertThat(taps.told).containsOnlyOnce("unjoined");
        guard.closed(CloseReason.FINISHED, 1);
        assertThat(taps.told).containsOnlyOnce("unjoined");
    }

    @Test
    void aConnectionThatEndsBeforeItCouldBeJoined_isCounted() {
        taps.epoch = TapFactory.OFF;
        read(REQUEST, "a");
        taps.told.clear();
        taps.epoch = 2;
        read(REPLY, "b");
        guard.closed(CloseReason.FINISHED, 1);
        assertThat(taps.told).containsExactly("unjoined");
    }

    @Test
    void aFactoryThatThrows_costsTheTapOnly() {
        taps.epoch = TapFactory.OFF;
        read(REPLY, "a");
        taps.epoch = 2;
        taps.broken = true;
        read(REQUEST, "b");
        read(REPLY, "c");
        read(REQUEST, "d");
        assertThat(taps.told).doesNotContain("b", "c", "d");
        assertThat(failures.sum()).isEqualTo(1);
    }

    @Test
    void twoFactories_areTurnedAndFail_eachForItself() {
        Factory other = new Factory();
        other.epoch = TapFactory.OFF;
        taps.beside = other;
        guard = open();
        taps.told.clear();
        read(REQUEST, "a");
        read(REPLY, "b");
        other.epoch = 1;
        read(REQUEST, "c");
        taps.epoch = TapFactory.OFF;
        read(REPLY, "d");
        other.epoch = TapFactory.OFF;
        read(REQUEST, "e");
        taps.epoch = 2;
        read(REPLY, "f");
        read(REQUEST, "g");
        other.epoch = 2;
        other.broken = true;
        read(REPLY, "h");
        read(REQUEST, "i");
        guard.closed(CloseReason.FINISHED, 1);
        assertThat(taps.told)
                .containsExactly(
                        "a", "b", "c", "closed UNTAPPED", "join", "connected", "g", "h", "i", "closed FINISHED");
        assertThat(other.told).containsExactly("join", "connected", "c", "d", "closed UNTAPPED");
        assertThat(failures.sum()).isEqualTo(1);
    }

    @Test
    void secondFactory_thatCantBeHad_costsOnlyItsOwnTap() {
        taps.besideIsBroken = true;
        taps.told.clear();
        guard = open();
        read(REQUEST, "a");
        assertThat(taps.told).containsExactly("open", "a");
        assertThat(failures.sum()).isEqualTo(1);
    }

    @Test
    void nothingIsCopiedOrDecided_beforeTheFlush() {
        taps.epoch = TapFactory.OFF;
        read(REPLY, "a");
        taps.told.clear();
        taps.epoch = 2;
        for (String text : List.of("b", "c", "d", "e", "f", "g")) {
            hold(REQUEST, Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        }
        assertThat(taps.told).isEmpty();
        guard.handOver();
        assertThat(taps.told).containsExactly("join", "connected", "b", "c", "d", "e", "f", "g");
    }

    @Test
    void copyThatFindsNoMemory_endsTheTap_andNothingElse() {
        ByteBuf data = new DryBuffer();
        hold(REQUEST, data.writeByte('x'));
        guard.handOver();
        read(REQUEST, "b");
        guard.closed(CloseReason.FINISHED, 1);
        assertThat(taps.told).containsExactly("open", "closed UNTAPPED");
        assertThat(failures.sum()).isEqualTo(1);
    }

    @Test
    void carrierThatThrows_leavesTheConnectionWithoutACopy() {
        TapConnection connection =
                new TapConnection(1, new InetSocketAddress("127.0.0.1", 1), new InetSocketAddress("127.0.0.1", 2), 0);
        TapCarrier broken = (accepted, counted) -> {
            throw new OutOfMemoryError("on purpose");
        };
        guard = new TapGuard(broken.openOrNone(connection, failures), () -> 1);
        read(REQUEST, "a");
        guard.closed(CloseReason.FINISHED, 1);
        assertThat(failures.sum()).isEqualTo(1);
    }

    @Test
    void tapThatThrowsErrors_costsItsOwnCopyOnly() {
        taps.deaf = true;
        taps.beside = new Factory();
        guard = open();
        read(REQUEST, "a");
        read(REPLY, "b");
        guard.closed(CloseReason.FINISHED, 1);
        assertThat(((Factory) taps.beside).told).containsExactly("open", "a", "b", "closed FINISHED");
        assertThat(failures.sum()).isEqualTo(1);
    }

    /** A buffer that copies can't be made of, since there is no memory. */
    private static final class DryBuffer extends UnpooledHeapByteBuf {
        DryBuffer() {
            super(UnpooledByteBufAllocator.DEFAULT, 1, 1);
        }

        @Override
        public ByteBufAllocator alloc() {
            throw new OutOfMemoryError("on purpose");
        }
    }

    private TapGuard open() {
        TapConnection connection =
                new TapConnection(1, new InetSocketAddress("127.0.0.1", 1), new InetSocketAddress("127.0.0.1", 2), 0);
        return new TapGuard(TapCarrier.inline(taps).open(connection, failures), () -> 1);
    }

    /** As a handler reads: holds, forwards, flushes, hands over. */
    private void read(Direction direction, String text) {
        hold(direction, Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
        guard.handOver();
    }

    /** Holds what was read, which its receiver then takes whole. */
    private void hold(Direction direction, ByteBuf data) {
        buffers.add(data);
        guard.hold(direction, data);
        data.skipBytes(data.readableBytes()).release();
    }

    private static final class Factory implements TapFactory {
        private final List<String> told = new ArrayList<>();
        private int epoch = 1;
        private boolean wanted = true;
        private boolean broken;
        private boolean deaf;
        private @Nullable TapFactory beside;
        private boolean besideIsBroken;

        @Override
        public @Nullable TapFactory beside() {
            if (besideIsBroken) {
                throw new IllegalStateException("broken on purpose");
            }
            return beside;
        }

        @Override
        public Tap open(TapConnection connection) {
            told.add("open");
            return new Told();
        }

        @Override
        public Tap join(TapConnection connection, boolean untouched) {
            if (broken) {
                throw new IllegalStateException("broken on purpose");
            }
            told.add(untouched ? "join untouched" : "join");
            return new Told();
        }

        @Override
        public void unjoined(TapConnection connection) {
            told.add("unjoined");
        }

        @Override
        public int epoch() {
            return epoch;
        }

        private final class Told implements Tap {
            @Override
            public void connected(long nanos) {
                told.add("connected");
            }

            @Override
            public void data(Direction direction, ByteBuf data, long nanos) {
                String text = data.toString(StandardCharsets.US_ASCII);
                data.release();
                if (deaf) {
                    throw new OutOfMemoryError("on purpose");
                }
                told.add(text);
            }

            @Override
            public void end(Direction direction, long nanos) {}

            @Override
            public void closed(CloseReason reason, long nanos) {
                told.add("closed " + reason);
            }

            @Override
            public boolean wantsMore() {
                return wanted;
            }
        }
    }
}
