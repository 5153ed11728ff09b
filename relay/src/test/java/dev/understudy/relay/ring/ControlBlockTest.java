package dev.understudy.relay.ring;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ControlBlockTest {
    @TempDir
    Path folder;

    @Test
    void block_isAsLargeAsItsListenersNeed_andKeepsThemApart() throws IOException {
        Path file = folder.resolve("control");
        List<String> identities =
                IntStream.range(0, 300).mapToObj(n -> "listener " + n).toList();
        ControlBlock tap = ControlBlock.create(file, identities);
        ControlBlock lanes = ControlBlock.open(file);
        assertThat(lanes.listeners()).isEqualTo(300);
        for (int number = 0; number < 300; number++) {
            tap.counter(number, 3, number);
            tap.text(number, "text " + number);
            assertThat(lanes.keep(number, "kept " + number)).isTrue();
        }
        for (int number = 0; number < 300; number++) {
            assertThat(lanes.counter(number, 3)).isEqualTo(number);
            assertThat(lanes.text(number)).isEqualTo("text " + number);
            assertThat(ControlBlock.open(file).kept(number)).isEqualTo("kept " + number);
            assertThat(lanes.isOf(number, "listener " + number)).isTrue();
            assertThat(lanes.isOf(number, "listener " + (number + 1))).isFalse();
        }
        assertThatThrownBy(() -> lanes.counter(300, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void whatIsKept_staysAsItWas_whereThereIsNoRoomForMore() throws IOException {
        ControlBlock control = ControlBlock.create(folder.resolve("control"), List.of("shop"));
        assertThat(control.kept(0)).isEmpty();
        assertThat(control.keep(0, "first")).isTrue();
        assertThat(control.keep(0, "x".repeat(5000))).isFalse();
        assertThat(control.kept(0)).isEqualTo("first");
        assertThat(control.keep(0, "second")).isTrue();
        assertThat(control.kept(0)).isEqualTo("second");
    }

    @Test
    void lengthThatCantBe_isReadAsNothing() throws IOException {
        Path file = folder.resolve("control");
        ControlBlock control = ControlBlock.create(file, List.of("shop"));
        control.keep(0, "something");
        for (int length : new int[] {-1, 5000, Integer.MIN_VALUE}) {
            try (RandomAccessFile hostile = new RandomAccessFile(file.toFile(), "rw")) {
                hostile.seek(hostile.length() - 4096);
                hostile.writeInt(Integer.reverseBytes(length));
            }
            assertThat(control.kept(0)).isEmpty();
        }
    }

    @Test
    void filesOfOtherSizes_areRefused() throws IOException {
        Path file = folder.resolve("control");
        ControlBlock.create(file, List.of("shop", "stock"));
        for (long size : new long[] {0, 4096, 30_000, 1L << 32}) {
            try (RandomAccessFile other = new RandomAccessFile(file.toFile(), "rw")) {
                other.setLength(size);
            }
            assertThatThrownBy(() -> ControlBlock.open(file)).hasMessageContaining("expected: a control block");
        }
        assertThatThrownBy(() -> ControlBlock.create(folder.resolve("none"), List.of()))
                .hasMessage("listeners: 0 (expected: 1 to 4096)");
    }
}
