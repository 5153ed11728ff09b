package dev.understudy.divergence.wire.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What holds for every input: chunking doesn't matter, every byte is accounted for, nothing is thrown. */
class HttpFramerPropertiesTest {
    private static final List<String> REQUESTS = List.of(
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
            "\r\nPOST /x HTTP/1.1\r\nContent-Length: 11\r\nA: b\r\n c\r\n\r\nhello world",
            "POST /y HTTP/1.1\nTransfer-Encoding: chunked\n\n5;e=1\r\nhello\r\n1\r\n!\r\n0\r\nT: 1\r\nU: 2\r\n\r\n",
            "PUT /z HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HEAD / HTTP/1.0\r\n\r\n",
            "CONNECT a:1 HTTP/1.1\r\n\r\n");
    private static final List<String> REPLIES = List.of(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nTransfer-Encoding: "
                    + "chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.1 304 \r\nContent-Length: 5\r\n\r\n",
            "HTTP/1.0 200 OK\r\n\r\nuntil the end",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");

    @Test
    void anyChunking_givesTheSameEvents() {
        for (int seed = 0; seed < 600; seed++) {
            Random random = new Random(seed);
            boolean requests = random.nextBoolean();
            byte[] input = input(requests ? REQUESTS : REPLIES, random, random.nextInt(4));
            Events<?> whole = run(requests, input, new int[] {input.length});
            Events<?> bytewise = run(requests, input, ones(input.length));
            Events<?> pieces = run(requests, input, pieces(input.length, random));

            assertThat(bytewise.log()).as("seed %d, byte by byte", seed).isEqualTo(whole.log());
            assertThat(pieces.log()).as("seed %d, in pieces", seed).isEqualTo(whole.log());
            assertThat(whole.accounted).as("seed %d", seed).isEqualTo(input.length);
            assertThat(bytewise.accounted).as("seed %d", seed).isEqualTo(input.length);
            assertThat(pieces.accounted).as("seed %d", seed).isEqualTo(input.length);
        }
    }

    @Test
    void noise_isAccountedForAndNeverThrows() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            byte[] input = new byte[random.nextInt(300)];
            random.nextBytes(input);
            byte[] start = Events.bytes(random.nextBoolean() ? "GET / HTTP/1.1\r\n" : "HTTP/1.1 200 OK\r\n");
            System.arraycopy(start, 0, input, 0, Math.min(start.length, input.length));
            boolean requests = random.nextBoolean();
            Events<?> events = run(requests, input, pieces(input.length, random));
            assertThat(events.accounted).as("seed %d", seed).isEqualTo(input.length);
            assertThat(events.log()).as("seed %d", seed).noneMatch(event -> event.startsWith("framed again"));
        }
    }

    @Test
    void validMessages_areAllFramed() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            List<String> framable = REQUESTS.subList(0, 5);
            Events<?> events = run(true, input(framable, random, 0), ones(1));
            assertThat(events.outline()).as("seed %d", seed).doesNotContain("unframed");
        }
    }

    @Test
    void bytesFedOneAtATime_takeLinearTime() {
        // scanning each head anew for every byte would look at 10^12 bytes
        String header = "X: " + "a".repeat(4_000) + "\r\n";
        String head = "GET / HTTP/1.1\r\n" + header.repeat(14) + "\r\n";
        byte[] input = Events.bytes(head.repeat(280));
        Events<?> events = run(true, input, ones(input.length));
        assertThat(events.heads).hasSize(280);
    }

    @Test
    void hugeLengths_allocateNothing() {
        for (int i = 0; i < 1000; i++) {
            Events<ReplyHead> events = new Events<>();
            HttpReplyFramer framer = new HttpReplyFramer(events);
            framer.feed(
                    ByteBuffer.wrap(Events.bytes("HTTP/1.1 200 OK\r\nContent-Length: 999999999999999999\r\n\r\nabc")));
            framer.end();
            assertThat(events.outline()).isEqualTo("head body unframed ended within a body");
        }
    }

    private static Events<?> run(boolean requests, byte[] input, int[] lengths) {
        if (requests) {
            Events<RequestHead> events = new Events<>();
            HttpRequestFramer framer = new HttpRequestFramer(events, 60_000);
            int at = 0;
            for (int length : lengths) {
                framer.feed(ByteBuffer.wrap(input, at, length));
                at += length;
            }
            framer.feed(ByteBuffer.wrap(input, at, input.length - at));
            framer.end();
            return events;
        }
        Events<ReplyHead> events = new Events<>();
        HttpReplyFramer framer = new HttpReplyFramer(events, 60_000);
        framer.expect("GET");
        framer.expect("HEAD");
        int at = 0;
        for (int length : lengths) {
            ByteBuffer direct = ByteBuffer.allocateDirect(length).put(input, at, length);
            framer.feed(direct.flip());
            at += length;
        }
        framer.feed(ByteBuffer.wrap(input, at, input.length - at));
        framer.end();
        return events;
    }

    private static byte[] input(List<String> samples, Random random, int mutations) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = random.nextInt(5); i >= 0; i--) {
            out.writeBytes(Events.bytes(samples.get(random.nextInt(samples.size()))));
        }
        byte[] bytes = out.toByteArray();
        for (int i = 0; i < mutations; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default -> bytes[at] = bytes[random.nextInt(bytes.length)];
            }
        }
        return bytes;
    }

    private static int[] ones(int length) {
        int[] ones = new int[length];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static int[] pieces(int length, Random random) {
        List<Integer> pieces = new ArrayList<>();
        int left = length;
        while (left > 0) {
            int piece = Math.min(left, random.nextInt(1 + random.nextInt(40)));
            pieces.add(piece);
            left -= piece;
        }
        return pieces.stream().mapToInt(Integer::intValue).toArray();
    }
}
