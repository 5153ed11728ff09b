package dev.understudy.relay.http2;

import io.netty.handler.codec.http2.Http2Headers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class Http2ReaderTest {
    private static final int PREFACE = 24;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int CONTINUATION = 9;

    private final Talk talk = Talk.make();

    private static byte[] frame(int type, int flags, int stream, int length) {
        return ByteBuffer.allocate(9 + length)
                .putInt(length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .array();
    }

    private static Heard read(byte[] bytes) {
        Heard heard = new Heard();
        heard.reader.feed(ByteBuffer.wrap(bytes));
        return heard;
    }

    @ParameterizedTest
    @ValueSource(longs = {301, 302, 303})
    void anyChunking_readsTheSame(long seed) {
        Random random = new Random(seed);
        byte[] requests = Arrays.copyOfRange(talk.requests, PREFACE, talk.requests.length);
        for (int round = 0; round < 50; round++) {
            Heard heard = new Heard();
            feed(requests, random, heard.reader);
            String which = "seed " + seed + " round " + round;
            assertThat(heard.events)
                    .as(which)
                    .containsSubsequence(
                            "3 GET /get?a=1 last", "5 POST /post", "5 last", "7 POST /test.Echo/once", "7 last");
            assertThat(heard.content).as(which).containsEntry(5, "body").containsEntry(7, Talk.GRPC);
            assertThat(heard.reader.heldBytes()).as(which).isZero();
            assertThat(heard.reader.consumed()).as(which).isEqualTo(requests.length);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {311, 312, 313})
    void mutatedBytes_throwNothingAndHoldLittle(long seed) {
        Random random = new Random(seed);
        int malformed = 0;
        for (int round = 0; round < 300; round++) {
            byte[] mutated = (round % 2 == 0
                            ? talk.replies
                            : Arrays.copyOfRange(talk.requests, PREFACE, talk.requests.length))
                    .clone();
            for (int n = 1 + random.nextInt(6); n > 0; n--) {
                int at = random.nextBoolean() ? random.nextInt(mutated.length) : random.nextInt(200);
                mutated[at] = (byte) random.nextInt(256);
            }
            Heard heard = new Heard();
            feed(mutated, random, heard.reader);
            assertThat(heard.reader.heldBytes())
                    .as("seed %d round %d", seed, round)
                    .isLessThan(600_000);
            assertThat(heard.malformed).as("seed %d round %d", seed, round).isLessThan(2);
            malformed += heard.malformed;
        }
        assertThat(malformed).as("seed %d", seed).isPositive();
    }

    @Test
    void metadataInBytes_isReadAsBase64() {
        byte[] details = {0, 8, 5, 'o', 'k', (byte) 0xff, ',', '\r', '\n'};
        Heard heard = new Heard();
        heard.reader.feed(ByteBuffer.wrap(head(1, "x-details-bin", details)));
        heard.reader.feed(ByteBuffer.wrap(head(3, "x-empty-bin", new byte[] {0})));

        assertThat(heard.fields.get(1)).containsExactly("x-details-bin=CAVva/8sDQo");
        assertThat(heard.fields.get(3)).containsExactly("x-empty-bin=");
    }

    @Test
    void otherValueInBytes_isNoHead_andTheNextOneIs() {
        Heard heard = new Heard();
        heard.reader.feed(ByteBuffer.wrap(head(1, "x-details", new byte[] {0, 8})));
        heard.reader.feed(ByteBuffer.wrap(head(3, "x-details-bin", new byte[] {8, 0})));
        heard.reader.feed(ByteBuffer.wrap(head(5, "x-lines", new byte[] {'a', '\r', '\n'})));
        heard.reader.feed(ByteBuffer.wrap(head(7, "x-details", new byte[] {'o', 'k'})));

        assertThat(heard.events).containsExactly("1 none", "3 none", "5 none", "7 null null");
        assertThat(heard.fields.get(7)).containsExactly("x-details=ok");
        assertThat(heard.malformed).isZero();
    }

    /** A head with one field, which needs no table (RFC 7541, section 6.2.2). */
    private static byte[] head(int stream, String name, byte[] value) {
        int length = 3 + name.length() + value.length;
        return ByteBuffer.allocate(9 + length)
                .putInt(length << 8 | HEADERS)
                .put((byte) 4)
                .putInt(stream)
                .put((byte) 0)
                .put((byte) name.length())
                .put(name.getBytes(StandardCharsets.ISO_8859_1))
                .put((byte) value.length)
                .put(value)
                .array();
    }

    @Test
    void headersWithoutAnEnd_areNotHeldForEver() {
        Heard heard = read(frame(HEADERS, 0, 1, 16_000));
        for (int n = 0; n < 1000 && heard.malformed == 0; n++) {
            heard.reader.feed(ByteBuffer.wrap(frame(CONTINUATION, 0, 1, 16_000)));
            assertThat(heard.reader.heldBytes()).isLessThan(300_000);
        }

        assertThat(heard.malformed).isEqualTo(1);
        assertThat(heard.reader.heldBytes()).isZero();
    }

    @Test
    void lengthThatIsOnlyAnnounced_takesNoMemory() {
        byte[] head = Arrays.copyOf(frame(DATA, 1, 1, 16_000_000), 10);

        assertThat(read(head).reader.heldBytes()).isZero();
        assertThat(read(Arrays.copyOf(frame(HEADERS, 1, 1, 200_000), 10)).reader.heldBytes())
                .isLessThan(100);
        assertThat(read(frame(HEADERS, 1, 1, 300_000)).malformed).isEqualTo(1);
    }

    @Test
    void dataWithinHeaders_isMalformed() {
        Heard heard = read(frame(HEADERS, 0, 1, 10));
        heard.reader.feed(ByteBuffer.wrap(frame(DATA, 1, 1, 10)));

        assertThat(heard.malformed).isEqualTo(1);
        assertThat(heard.content).isEmpty();
    }

    @Test
    void padding_isNoContent() {
        byte[] padded = frame(DATA, 0x8 | 1, 3, 10);
        padded[9] = 7;
        padded[10] = 'h';
        padded[11] = 'i';

        Heard heard = read(padded);
        assertThat(heard.content).containsEntry(3, "hi");
        assertThat(heard.events).containsExactly("3 last");

        padded[9] = 10;
        assertThat(read(padded).malformed).isEqualTo(1);
    }

    @Test
    void reset_tellsItsCode() {
        byte[] reset = frame(RST_STREAM, 0, 5, 4);
        reset[12] = 8;

        assertThat(read(reset).events).containsExactly("5 reset 8");
    }

    private static void feed(byte[] bytes, Random random, Http2Reader reader) {
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(1 + random.nextInt(random.nextBoolean() ? 20 : 20_000), bytes.length - at);
            reader.feed(ByteBuffer.wrap(bytes, at, length));
            at += length;
        }
    }

    private static final class Heard implements Http2Reader.Sink {
        final List<String> events = new ArrayList<>();
        final Map<Integer, String> content = new LinkedHashMap<>();
        final Map<Integer, List<String>> fields = new LinkedHashMap<>();
        final Http2Reader reader = new Http2Reader(this);
        int malformed;

        @Override
        public void headers(int stream, @Nullable Http2Headers headers, boolean last) {
            if (headers != null) {
                List<String> all = fields.computeIfAbsent(stream, first -> new ArrayList<>());
                headers.forEach(field -> all.add(field.getKey() + "=" + field.getValue()));
            }
            String head = headers == null ? "none" : headers.method() + " " + headers.path();
            events.add(stream + " " + head + (last ? " last" : ""));
        }

        @Override
        public void data(int stream, ByteBuffer piece, boolean last) {
            content.merge(stream, StandardCharsets.ISO_8859_1.decode(piece).toString(), String::concat);
            if (last) {
                events.add(stream + " last");
            }
        }

        @Override
        public void reset(int stream, long code) {
            events.add(stream + " reset " + code);
        }

        @Override
        public void promised() {
            events.add("promised");
        }

        @Override
        public void malformed(String why) {
            malformed++;
        }
    }
}
