package dev.understudy.relay.ring;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static dev.understudy.relay.tap.Direction.REQUEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Rings whose other process has written what can't be. */
final class HostileRingTest extends RingStage {
    @Test
    void headThatCantBe_givesNoRoom_andHarmsNothing() throws Exception {
        Sender sender = connect(1);
        try (RandomAccessFile file =
                new RandomAccessFile(RelayRings.file(folder, 0).toFile(), "rw")) {
            for (long head : new long[] {-1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 40}) {
                file.seek(512);
                file.writeLong(Long.reverseBytes(head));
                for (int n = 0; n < 200; n++) {
                    sender.send(REQUEST, new byte[1000]);
                }
            }
        }
        assertThat(losses.bytes(REQUEST)).isGreaterThan(800_000 - CAPACITY);
    }

    @Test
    void damagedRing_isGivenUp_andReadOnFromItsEnd() throws Exception {
        damaged = true;
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            Sender sender = connect(2 * seed);
            for (int n = 0; n < 20; n++) {
                sender.send(REQUEST, bytes(random, random.nextInt(3000)));
            }
            try (RandomAccessFile file =
                    new RandomAccessFile(RelayRings.file(folder, 0).toFile(), "rw")) {
                for (int n = 0; n < 200; n++) {
                    file.seek(RingFile.HEADER + random.nextInt(CAPACITY));
                    file.writeInt(random.nextInt());
                }
            }
            drain();
            sender.close();
            drain();
            Sender next = connect(2 * seed + 1);
            next.send(REQUEST, new byte[] {1, 2, 3});
            next.close();
            drain();
            assertThat(seen(next.id).bytes(REQUEST)).as("seed " + seed).containsExactly(1, 2, 3);
        }
        assertThat(receiver.damages()).isPositive();
    }

    @Test
    void tailThatCantBe_isNotFollowed() throws Exception {
        connect(1);
        drain();
        try (RandomAccessFile file =
                new RandomAccessFile(RelayRings.file(folder, 0).toFile(), "rw")) {
            for (long tail : new long[] {-1, 1L << 40, Long.MIN_VALUE}) {
                file.seek(256);
                file.writeLong(Long.reverseBytes(tail));
                reader.read();
            }
        }
        assertThat(receiver.damages()).isPositive();
        assertThat(receiver.open()).isZero();
    }

    @Test
    void filesThatAreNoRings_areRefused() throws IOException {
        Path small = Files.write(folder.resolve("small"), new byte[100]);
        Path empty = Files.write(folder.resolve("empty"), new byte[RingFile.HEADER + CAPACITY]);
        assertThatThrownBy(() -> RingFile.open(small)).hasMessageContaining("100 bytes (expected: a ring)");
        assertThatThrownBy(() -> RingFile.open(empty)).hasMessageContaining("not a ring");
        assertThatThrownBy(() -> ControlBlock.open(small)).hasMessageContaining("100 bytes");
        assertThatThrownBy(() -> RingFile.create(folder.resolve("odd"), 100_000))
                .hasMessageContaining("capacity: 100000 (expected: a power of two");
        assertThatThrownBy(() -> RingFile.create(RelayRings.file(folder, 0), CAPACITY))
                .isInstanceOf(IOException.class);
    }
}
