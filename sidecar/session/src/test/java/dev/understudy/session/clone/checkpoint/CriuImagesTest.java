package dev.understudy.session.clone.checkpoint;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.checkpoint.CriuImages.WritableFile;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class CriuImagesTest {
    @TempDir
    Path folder;

    @Test
    void frozen_isTheTimeThatTheDumpKeptTheProcessStopped() throws Exception {
        Files.write(folder.resolve("stats-dump"), image(part(1, number(1, 500), number(2, 284_123), number(3, 9))));

        assertThat(CriuImages.frozen(folder)).isEqualTo(Duration.ofNanos(284_123_000));
    }

    @Test
    void writableFiles_areTheRegularOnes_withTheirSizeElseTheirPosition() throws Exception {
        byte[] log = part(3, number(1, 7), number(2, 02001), number(3, 456), text(6, "/var/log/app.log"));
        byte[] store = part(3, number(2, 2), number(3, 4), text(6, "data/store"), number(8, 900), number(10, 0100644));
        byte[] jar = part(3, number(2, 0), text(6, "/app.jar"), number(8, 10));
        byte[] device = part(3, number(2, 2), text(6, "/dev/null"), number(10, 020666));
        Files.write(
                folder.resolve("files.img"),
                image(
                        join(number(1, 1), log),
                        join(number(1, 1), store),
                        join(number(1, 1), jar),
                        join(number(1, 1), device),
                        join(number(1, 5), part(9, number(1, 2)))));

        assertThat(CriuImages.writableFiles(folder))
                .containsExactly(
                        new WritableFile("/var/log/app.log", 02001, 456), new WritableFile("/data/store", 2, 900));
    }

    @Test
    void hugeLength_isRefused_withoutAllocating() throws Exception {
        for (byte[] length : new byte[][] {{-1, -1, -1, 127}, {-1, -1, -1, -1}, {0, 0, 32, 0}}) {
            Files.write(folder.resolve("files.img"), join(new byte[8], length, new byte[10]));

            assertThatThrownBy(() -> CriuImages.writableFiles(folder))
                    .isInstanceOf(CloneException.class)
                    .hasMessageContaining("files.img: a record of ")
                    .hasMessageContaining("make another one");
        }
    }

    @Test
    void cutImage_isRefusedAtEachByte() throws Exception {
        byte[] whole = image(part(1, number(2, 284_123)));
        for (int length = 0; length < whole.length; length++) {
            Files.write(folder.resolve("stats-dump"), java.util.Arrays.copyOf(whole, length));

            assertThatThrownBy(() -> CriuImages.frozen(folder))
                    .as("%d bytes", length)
                    .isInstanceOf(CloneException.class)
                    .hasMessageContaining("stats-dump");
        }
    }

    @Test
    void missingImage_isNamed() {
        assertThatThrownBy(() -> CriuImages.frozen(folder))
                .isInstanceOf(CloneException.class)
                .hasMessageContaining("stats-dump");
    }

    @Test
    void damagedImages_neverThrowAnythingElse() throws Exception {
        byte[] whole = image(
                join(number(1, 1), part(3, number(2, 2), number(3, 4), text(6, "/data/store"), number(8, 900))),
                part(1, number(2, 284_123)));
        for (int seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = whole.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            Files.write(folder.resolve("files.img"), damaged);
            Files.write(folder.resolve("stats-dump"), damaged);
            try {
                assertThat(CriuImages.writableFiles(folder)).as("seed %d", seed).hasSizeLessThan(10);
            } catch (CloneException expected) {
                assertThat(expected).hasMessageContaining("files.img");
            }
            try {
                assertThat(CriuImages.frozen(folder)).as("seed %d", seed).isBetween(Duration.ZERO, Duration.ofDays(1));
            } catch (CloneException expected) {
                assertThat(expected).hasMessageContaining("stats-dump");
            }
        }
    }

    private static byte[] image(byte[]... messages) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[8]);
        for (byte[] message : messages) {
            int n = message.length;
            out.writeBytes(new byte[] {(byte) n, (byte) (n >> 8), (byte) (n >> 16), (byte) (n >> 24)});
            out.writeBytes(message);
        }
        return out.toByteArray();
    }

    private static byte[] number(int field, long value) {
        return join(varint(field << 3), varint(value));
    }

    private static byte[] text(int field, String text) {
        return part(field, text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] part(int field, byte[]... fields) {
        byte[] body = join(fields);
        return join(varint((field << 3) | 2), varint(body.length), body);
    }

    private static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (long rest = value; ; rest >>>= 7) {
            if (rest < 128) {
                out.write((int) rest);
                return out.toByteArray();
            }
            out.write(((int) rest & 127) | 128);
        }
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
