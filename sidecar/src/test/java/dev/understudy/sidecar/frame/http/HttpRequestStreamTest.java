package dev.understudy.sidecar.frame.http;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Cutting loses no byte and depends on no chunking. */
final class HttpRequestStreamTest {
    private static final String PIPELINE = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
            + "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello world"
            + "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n"
            + "HEAD /d HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void requests_areCutAlike_howeverTheyArrive() {
        List<String> expected = cut(List.of(PIPELINE)).events;
        assertThat(expected)
                .containsExactly(
                        "GET /a",
                        "end",
                        "POST /b",
                        "body 11",
                        "end",
                        "POST /c",
                        "body " + "5\r\nhello\r\n0\r\nX: y\r\n\r\n".length(),
                        "end",
                        "HEAD /d",
                        "end");
        for (long seed = 0; seed < 300; seed++) {
            Cut cut = cut(chunks(PIPELINE, new Random(seed)));
            assertThat(cut.merged()).as("seed %d", seed).isEqualTo(expected);
            assertThat(cut.bytes.toString()).as("seed %d", seed).isEqualTo(PIPELINE);
        }
    }

    @Test
    void garbage_atAnyPlace_losesNoByte() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            StringBuilder mutated = new StringBuilder(PIPELINE);
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                mutated.setCharAt(random.nextInt(mutated.length()), (char) random.nextInt(256));
            }
            Cut cut = cut(chunks(mutated.toString(), random));
            assertThat(cut.bytes.toString()).as("seed %d", seed).isEqualTo(mutated.toString());
            assertThat(cut.unframed).as("seed %d", seed).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void stream_thatEndsInAHead_handsItOnAsBytes() {
        Cut cut = cut(List.of("GET / HTT"));

        assertThat(cut.bytes.toString()).isEqualTo("GET / HTT");
        assertThat(cut.unframed).isEqualTo(1);
    }

    @Test
    void half_a_head_pinsNoLargeBuffer() {
        HttpRequestStream<Integer> stream = new HttpRequestStream<>(new Cut());
        ByteBuf large = UnpooledByteBufAllocator.DEFAULT.buffer(256 << 10);
        large.writeBytes("GET / HTT".getBytes(StandardCharsets.ISO_8859_1));

        stream.data(large, 1);

        assertThat(large.refCnt()).isZero();
        assertThat(stream.held()).isEqualTo(9);
        stream.release();
    }

    private static Cut cut(List<String> chunks) {
        Cut cut = new Cut();
        HttpRequestStream<Integer> stream = new HttpRequestStream<>(cut);
        List<ByteBuf> fed = new ArrayList<>();
        for (String chunk : chunks) {
            ByteBuf data = Unpooled.copiedBuffer(chunk, StandardCharsets.ISO_8859_1);
            fed.add(data);
            stream.data(data, 1);
        }
        stream.end(2);
        stream.release();
        assertThat(fed).allMatch(data -> data.refCnt() == 0);
        return cut;
    }

    private static List<String> chunks(String text, Random random) {
        List<String> chunks = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int next = Math.min(text.length(), at + 1 + random.nextInt(random.nextBoolean() ? 3 : 60));
            chunks.add(text.substring(at, next));
            at = next;
        }
        return chunks;
    }

    /** Notes what the stream was cut into, and every byte. */
    private static final class Cut implements RequestStream.Cut<Integer> {
        private final List<String> events = new ArrayList<>();
        private final StringBuilder bytes = new StringBuilder();
        private int unframed;
        private int ids;

        @Override
        public Integer request(Request request, ByteBuf data, long arrivedNanos, long nanos) {
            events.add(request.method() + " " + request.target(new Masking(Set.of())));
            keep(data);
            return ++ids;
        }

        @Override
        public void body(Integer exchange, ByteBuf data, long nanos) {
            events.add("body " + data.readableBytes());
            keep(data);
        }

        @Override
        public void requestEnd(Integer exchange, long nanos) {
            events.add("end");
        }

        @Override
        public void unframed(@Nullable Integer unfinished, NotCompared why, String reason, long nanos) {
            unframed++;
        }

        @Override
        public void raw(ByteBuf data, long nanos) {
            keep(data);
        }

        /** Bodies come in as many pieces as they arrived in: taken together they are the same. */
        List<String> merged() {
            List<String> merged = new ArrayList<>();
            int body = 0;
            for (String event : events) {
                if (event.startsWith("body ")) {
                    body += Integer.parseInt(event.substring(5));
                } else {
                    if (body > 0) {
                        merged.add("body " + body);
                        body = 0;
                    }
                    merged.add(event);
                }
            }
            return merged;
        }

        private void keep(ByteBuf data) {
            bytes.append(data.toString(StandardCharsets.ISO_8859_1));
            data.release();
        }
    }
}
