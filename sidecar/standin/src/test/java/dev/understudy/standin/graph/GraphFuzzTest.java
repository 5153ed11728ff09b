package dev.understudy.standin.graph;

import dev.understudy.standin.print.GraphJson;
import dev.understudy.standin.print.GraphPicture;
import dev.understudy.standin.print.GraphText;
import dev.understudy.standin.trace.TraceStore;
import dev.understudy.standin.trace.TraceText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever stands in a file, reading it ends, and at worst with a message that names the place. */
final class GraphFuzzTest {
    private static final int ROUNDS = 1_500;
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "null",
        "-1",
        "1e400",
        "99999999999999999999",
        "\\u0000",
        "true",
        "\"spans\":[",
        "\"traceId\":\"\"",
        "\"parentSpanId\":\"a1\"",
        "\"references\":3",
        "\uD800",
        "</svg>"
    };

    private final Random random = new Random(11);
    private int read;
    private int refused;

    @Test
    void changedOtlp_isReadOrRefused() {
        changed(TraceText.shop(2).otlp());
    }

    @Test
    void changedJaeger_isReadOrRefused() {
        changed(TraceText.shop(2).jaeger());
    }

    private void changed(String valid) {
        byte[] text = valid.getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] changed = text.clone();
            for (int change = 0; change <= random.nextInt(3); change++) {
                changed = changed(changed);
            }
            read(changed);
        }
        assertThat(read).isGreaterThan(ROUNDS / 20);
        assertThat(refused).isGreaterThan(ROUNDS / 20);
    }

    private byte[] changed(byte[] text) {
        int at = random.nextInt(text.length);
        int length = random.nextInt(Math.min(40, text.length - at));
        return switch (random.nextInt(5)) {
            case 0 -> {
                text[at] = (byte) random.nextInt(256);
                yield text;
            }
            case 1 -> {
                text[at] = (byte) ('0' + random.nextInt(10));
                yield text;
            }
            case 2 -> spliced(text, at, length, PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8));
            case 3 -> spliced(text, at, 0, Arrays.copyOfRange(text, at / 2, at / 2 + length));
            default -> random.nextInt(4) == 0 ? Arrays.copyOf(text, at + 1) : swapped(text);
        };
    }

    /** Ids are the likeliest to make rings. */
    private byte[] swapped(byte[] text) {
        String ids = "abcde";
        String from = "\"" + ids.charAt(random.nextInt(5)) + "1\"";
        String to = "\"" + ids.charAt(random.nextInt(5)) + "1\"";
        return new String(text, StandardCharsets.ISO_8859_1).replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] spliced(byte[] text, int at, int without, byte[] with) {
        byte[] spliced = new byte[text.length - without + with.length];
        System.arraycopy(text, 0, spliced, 0, at);
        System.arraycopy(with, 0, spliced, at, with.length);
        System.arraycopy(text, at + without, spliced, at + with.length, text.length - at - without);
        return spliced;
    }

    private void read(byte[] text) {
        TraceStore store = new TraceStore();
        try {
            TraceText.read(text, store);
            read++;
        } catch (IOException wrong) {
            refused++;
            assertThat(wrong).hasMessageMatching("(?s)x\\.json:\\d+: .+");
        }
        ServiceGraph graph = GraphBuilder.of(store, 1);
        GraphText.print(graph, new PrintWriter(new StringWriter()));
        assertThat(GraphJson.of(graph).toString()).isNotEmpty();
        assertThat(GraphPicture.svg(graph)).endsWith("</svg>\n").doesNotContain("NaN");
    }
}
