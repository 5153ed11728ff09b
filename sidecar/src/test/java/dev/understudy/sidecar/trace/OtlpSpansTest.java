package dev.understudy.sidecar.trace;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OtlpSpansTest {
    private static final byte[] BODY =
            counted(1, counted(1, counted(9, new byte[300])), scope(span(7, "shop.Tariff.price"), span(8, "")));

    @Test
    void spans_areRead_andAllElseIsPassedOver() {
        List<CallSpan> spans = read(BODY);

        assertThat(spans)
                .containsExactly(
                        new CallSpan(
                                0x0102030405060708L,
                                0x090a0b0c0d0e0f10L,
                                7,
                                3,
                                "shop.Tariff.price",
                                1_000,
                                5_000,
                                "java.io.IOException"),
                        new CallSpan(
                                0x0102030405060708L,
                                0x090a0b0c0d0e0f10L,
                                8,
                                3,
                                "Tariff.price",
                                1_000,
                                5_000,
                                "java.io.IOException"));
    }

    @Test
    void damagedBodies_giveWhatCanBeRead_andNeverThrow() {
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            byte[] damaged = BODY.clone();
            for (int n = random.nextInt(8); n >= 0; n--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            byte[] cut = Arrays.copyOf(damaged, random.nextInt(damaged.length + 1));
            assertThat(read(cut)).as("seed " + seed).hasSizeLessThan(20);
            byte[] noise = new byte[random.nextInt(500)];
            random.nextBytes(noise);
            read(noise);
        }
    }

    @Test
    void longBodies_areNotRead() {
        assertThat(read(concat(BODY, new byte[OtlpSpans.LONGEST_BODY]))).isEmpty();
    }

    private static List<CallSpan> read(byte[] body) {
        List<CallSpan> spans = new ArrayList<>();
        OtlpSpans.read(body, spans::add);
        return spans;
    }

    private static byte[] scope(byte[]... spans) {
        return counted(2, concat(spans));
    }

    private static byte[] span(long id, String function) {
        byte[] trace = new byte[16];
        for (int i = 0; i < 16; i++) {
            trace[i] = (byte) (i + 1);
        }
        return counted(
                2,
                counted(1, trace),
                counted(2, ByteBuffer.allocate(8).putLong(id).array()),
                counted(4, ByteBuffer.allocate(8).putLong(3).array()),
                counted(5, text("Tariff.price")),
                new byte[] {6 << 3, 1},
                fixed(7, 1_000),
                fixed(8, 5_000),
                function.isEmpty() ? new byte[0] : attribute("code.function.name", function),
                attribute("exception.type", "java.io.IOException"),
                counted(9, counted(1, text("understudy.cpu.nanos")), counted(2, new byte[] {3 << 3, 9})));
    }

    private static byte[] attribute(String key, String value) {
        return counted(9, counted(1, text(key)), counted(2, counted(1, text(value))));
    }

    private static byte[] fixed(int field, long value) {
        return ByteBuffer.allocate(9)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) ((field << 3) | 1))
                .putLong(value)
                .array();
    }

    private static byte[] counted(int field, byte[]... parts) {
        byte[] content = concat(parts);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write((field << 3) | 2);
        for (int left = content.length; ; left >>>= 7) {
            bytes.write(left > 0x7f ? (left & 0x7f) | 0x80 : left);
            if (left <= 0x7f) {
                break;
            }
        }
        bytes.writeBytes(content);
        return bytes.toByteArray();
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
