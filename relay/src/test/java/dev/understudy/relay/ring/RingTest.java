package dev.understudy.relay.ring;

import dev.understudy.relay.tap.TapFeed;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.understudy.relay.tap.Direction.REPLY;
import static dev.understudy.relay.tap.Direction.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What goes in at one end of a ring, and what comes out at the other. */
final class RingTest extends RingStage {
    @Test
    void everything_arrivesInOrder_whateverThePieces() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            seen.clear();
            List<Sender> senders = new ArrayList<>();
            for (int n = 0; n < 5; n++) {
                senders.add(connect(n + 1));
            }
            for (int n = 0; n < 300; n++) {
                Sender sender = senders.get(random.nextInt(senders.size()));
                sender.send(random.nextBoolean() ? REQUEST : REPLY, bytes(random, random.nextInt(20_000)));
                while (random.nextBoolean() && reader.read()) {
                    // some turns
                }
                drainIfFull();
            }
            for (Sender sender : senders) {
                sender.close();
            }
            drain();
            for (Sender sender : senders) {
                Seen copy = seen(sender.id);
                assertThat(copy.bytes(REQUEST)).as("seed " + seed).isEqualTo(sender.sent(REQUEST));
                assertThat(copy.bytes(REPLY)).as("seed " + seed).isEqualTo(sender.sent(REPLY));
                assertThat(copy.events).as("seed " + seed).containsExactly("open", "connected", "closed FINISHED");
            }
            assertThat(receiver.open()).isZero();
            assertThat(receiver.damages()).isZero();
        }
        assertThat(losses.holes()).isZero();
        assertThat(losses.connections()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1024, 16384", // MiB of room, and KiB of each ring
        "4, 1024, 16384",
        "4, 64, 4096",
        "32, 64, 512",
        "200, 64, 128",
        "200, 1, 64",
        "2, 0, 64"
    })
    void rings_takeHalfOfTheRoomAtMost(int loops, long room, int each) {
        DefaultEventExecutorGroup group = new DefaultEventExecutorGroup(loops);
        try {
            assertThat(RelayRings.fitting(16 << 20, group, room << 20)).isEqualTo(each << 10);
        } finally {
            group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        }
    }

    @Test
    void readLongerThanARecord_isCut_andWhole() throws Exception {
        Sender sender = connect(1);
        byte[] bytes = bytes(new Random(1), 3 * TapRecord.LONGEST / 4);
        for (int n = 0; n < 4; n++) {
            sender.send(REPLY, bytes);
            drain();
        }
        assertThat(seen(1L).bytes(REPLY)).isEqualTo(sender.sent(REPLY));
    }

    @Test
    void readAsLongAsTheRing_isThere_asFarAsItFits() throws Exception {
        Sender sender = connect(1);
        byte[] bytes = bytes(new Random(1), CAPACITY);
        sender.send(REPLY, bytes);
        drain();
        assertThat(seen(1L).bytes(REPLY)).isEqualTo(Arrays.copyOf(bytes, 3 * CAPACITY / 4));
        assertThat(losses.bytes(REPLY)).isEqualTo(CAPACITY / 4);
    }

    @Test
    void connectionWantedInItsMidst_isJoined_howeverLongTheFirstRead() throws Exception {
        Sender sender = connect(1);
        drain();
        control.stop(0);
        sender.send(REPLY, new byte[10]);
        control.want(0);
        sender.send(REQUEST, new byte[CAPACITY]);
        drain();
        assertThat(seen(1L).events).contains("join");
        assertThat(seen(1L).bytes(REQUEST)).hasSize(3 * CAPACITY / 4);
    }

    @Test
    void fullRing_losesExactlyWhatItCounts_andSaysSoBeforeWhatFollows() throws Exception {
        Sender sender = connect(1);
        Sender other = connect(2);
        for (int n = 0; n < 100; n++) {
            sender.send(REQUEST, new byte[1000]);
            other.send(REPLY, new byte[500]);
        }
        drain();
        sender.send(REQUEST, "after".getBytes(StandardCharsets.US_ASCII));
        sender.close();
        other.close();
        drain();
        Seen copy = seen(1L);
        long lost = copy.lostRequestBytes;
        assertThat(lost).isPositive();
        assertThat(copy.bytes(REQUEST).length + lost).isEqualTo(100_005);
        assertThat(copy.events).containsExactly("open", "connected", "lost", "closed FINISHED");
        assertThat(seen(2L).bytes(REPLY).length + seen(2L).lostReplyBytes).isEqualTo(50_000);
        assertThat(losses.bytes(REQUEST)).isEqualTo(lost);
        assertThat(losses.bytes(REPLY)).isEqualTo(seen(2L).lostReplyBytes);
        assertThat(losses.holes()).isEqualTo(2);
    }

    @Test
    void endThatFindsNoRoom_comesAsSoonAsThereIsSome() throws Exception {
        Sender sender = connect(1);
        fill();
        sender.end(REQUEST);
        sender.close();
        drain();
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (seen(1L).events.size() < 4 && System.nanoTime() - deadline < 0) {
            reader.read();
        }
        assertThat(seen(1L).events).containsExactly("open", "connected", "end REQUEST", "closed FINISHED");
    }

    @Test
    void holeIsSaid_alsoIfNothingFollows() throws Exception {
        Sender sender = connect(1);
        fill();
        sender.send(REPLY, new byte[1000]);
        drain();
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (seen(1).lostReplyBytes == 0 && System.nanoTime() - deadline < 0) {
            reader.read();
        }
        assertThat(seen(1).lostReplyBytes).isEqualTo(1000);
    }

    @Test
    void connectionThatFindsNoRoom_isCounted_orBeginsInItsMidst() throws Exception {
        fill();
        Sender lost = connect(1);
        lost.send(REQUEST, new byte[100]);
        lost.close();
        assertThat(losses.connections()).isEqualTo(1);
        Sender late = connect(2);
        late.send(REQUEST, new byte[100]);
        late.send(REPLY, new byte[100]);
        drain();
        late.send(REQUEST, "from here".getBytes(StandardCharsets.US_ASCII));
        late.close();
        drain();
        assertThat(seen).doesNotContainKey(1L);
        assertThat(seen(2L).events).containsExactly("join", "connected", "closed FINISHED");
        assertThat(new String(seen(2L).bytes(REQUEST), StandardCharsets.US_ASCII))
                .isEqualTo("from here");
    }

    @Test
    void connectionsThatFindNoRoom_areForgottenOnceTheyAreOver_howeverLongTheRingStaysFull() throws Exception {
        fill();
        List<WeakReference<TapFeed>> feeds = new ArrayList<>();
        for (int id = 1; id <= 100; id++) {
            Sender sender = connect(id);
            sender.send(REQUEST, new byte[10]);
            sender.close();
            feeds.add(new WeakReference<>(sender.feed));
        }
        for (int n = 0; n < 50 && feeds.stream().anyMatch(feed -> feed.get() != null); n++) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(feeds).allMatch(feed -> feed.get() == null);
        assertThat(losses.connections()).isEqualTo(100);
    }

    @Test
    void copyThatFails_endsWhenItFailed() throws Exception {
        Sender sender = connect(1);
        long before = System.nanoTime();
        on(() -> {
            sender.feed.fail(new IllegalStateException("a defect"));
            return null;
        });
        drain();
        assertThat(seen(1L).events).containsExactly("open", "connected", "closed UNTAPPED");
        assertThat(seen(1L).closedNanos).isBetween(before, System.nanoTime());
        assertThat(failures.sumThenReset()).isEqualTo(1);
    }

    @Test
    void files_areTheirOwnersAlone() throws IOException {
        for (Path file : List.of(RelayRings.file(folder, 0), folder.resolve("control"))) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void nextReader_goesOn_andOpenConnectionsBeginAnewAtTheirNextRequest() throws Exception {
        Sender old = connect(1);
        old.send(REQUEST, new byte[10]);
        drain();
        old.send(REPLY, new byte[20]);
        Sender inTheRing = connect(2);
        inTheRing.send(REQUEST, new byte[30]);

        newReader();
        seen.clear();
        control.want(0);
        drain();
        assertThat(unknownBytes.sum()).isEqualTo(20);
        assertThat(seen(2L).bytes(REQUEST)).hasSize(30);

        old.send(REPLY, new byte[1]);
        old.send(REQUEST, "again".getBytes(StandardCharsets.US_ASCII));
        drain();
        assertThat(seen(1L).events).containsExactly("join", "connected");
        assertThat(new String(seen(1L).bytes(REQUEST), StandardCharsets.US_ASCII))
                .isEqualTo("again");
    }

    @Test
    void whileNobodyWantsIt_nothingIsWritten() throws Exception {
        Sender sender = connect(1);
        drain();
        control.stop(0);
        sender.send(REQUEST, new byte[10]);
        assertThat(on(sender.feed::isIdle)).isTrue();
        sender.send(REPLY, new byte[10]);
        drain();
        assertThat(seen(1L).events).containsExactly("open", "connected", "closed UNTAPPED");
        control.want(0);
        sender.send(REQUEST, new byte[7]);
        drain();
        assertThat(seen(1L).events.subList(3, 5)).containsExactly("join", "connected");
        assertThat(seen(1L).bytes(REQUEST)).hasSize(7);
    }

    @Test
    void room_isGivenBack_eachTimeThatAnEighthWasRead() throws Exception {
        RingFile file = RingFile.open(RelayRings.file(folder, 0));
        List<Long> heads = new ArrayList<>();
        onData = () -> heads.add(file.head());
        Sender sender = connect(1);
        for (int n = 0; n < 5; n++) {
            sender.send(REPLY, new byte[CAPACITY / 8]);
        }
        assertThat(reader.read()).isTrue();
        assertThat(heads).hasSize(5).doesNotHaveDuplicates().isSorted();
        assertThat(file.head()).isEqualTo(file.tail());
    }

    @Test
    void roomOfARecordWhoseHandlingFails_isGivenBack() throws Exception {
        RingFile file = RingFile.open(RelayRings.file(folder, 0));
        RecordReceiver failing = new RecordReceiver(
                number -> {
                    throw new IllegalStateException("listener " + number);
                },
                ByteBufAllocator.DEFAULT,
                failures,
                (listener, bytes) -> unknownBytes.add(bytes));
        RingReader tested = RingReader.open(RelayRings.file(folder, 0), failing);
        on(() -> rings.carrier(0, losses).open(connection(1), failures));
        assertThatThrownBy(tested::read).hasMessage("listener 0");
        assertThat(file.head()).isPositive().isEqualTo(file.tail());
        assertThat(tested.read()).isFalse();
    }
}
