package dev.understudy.divergence.wire.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LongBindTest {
    private static final int LIMIT = 1000;
    private static final byte[] NULL = {};

    @Test
    void longValue_isShortenedToLengthAndHash_andAllElseStays() throws Exception {
        byte[] value = new byte[LIMIT];
        new Random(1).nextBytes(value);
        byte[] id = "4711".getBytes(StandardCharsets.US_ASCII);
        Frontend.Bind bind = (Frontend.Bind) Frontend.decode(only(message(value, NULL, id), 7));

        assertThat(bind.portal()).isEqualTo("portal");
        assertThat(bind.statement()).isEqualTo("statement");
        assertThat(bind.given()).isEqualTo(Formats.of((short) 1, (short) 0, (short) 0));
        assertThat(bind.results()).isEqualTo(Formats.of((short) 1));
        assertThat(bind.parameters()).hasSize(3);
        assertThat(bind.parameters().get(0))
                .isEqualTo(ByteBuffer.allocate(40)
                        .putLong(LIMIT)
                        .put(MessageDigest.getInstance("SHA-256").digest(value))
                        .array());
        assertThat(bind.parameters().get(1)).isNull();
        assertThat(bind.parameters().get(2)).isEqualTo(id);
    }

    @Test
    void oneBytesDifference_isOneOfTheMessages() {
        byte[] value = new byte[5 * LIMIT];
        PgMessage one = only(message(value), 100);
        assertThat(only(message(value), 3).body()).isEqualTo(one.body());
        value[4 * LIMIT] ^= 1;
        assertThat(only(message(value), 100).body()).isNotEqualTo(one.body());
        assertThat(only(message(new byte[5 * LIMIT + 1]), 100).body()).isNotEqualTo(one.body());
    }

    @Test
    void message_isAccountedForAsItCame_andFramingGoesOn() {
        byte[] bytes = message(new byte[3 * LIMIT]);
        Cut cut = new Cut();
        FrontendFramer framer = started(cut);
        framer.feed(ByteBuffer.wrap(bytes));
        framer.feed(ByteBuffer.wrap(wire(new PgMessage('S', new byte[0]))));
        assertThat(cut.raw).isEqualTo(bytes.length + 5L);
        assertThat(cut.seen).hasSize(2);
        assertThat(cut.seen.get(0)).startsWith("B[");
        assertThat(cut.seen.get(1)).startsWith("S[0]");
    }

    @Test
    void brokenMessages_areOversized_andThrowNothing() {
        for (long seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = message(new byte[LIMIT + random.nextInt(200)], new byte[random.nextInt(80)], NULL);
            for (int i = random.nextInt(6); i > 0; i--) {
                bytes[5 + random.nextInt(random.nextBoolean() ? 40 : bytes.length - 5)] = (byte) random.nextInt();
            }
            Cut whole = cut(bytes, bytes.length);
            Cut pieces = cut(bytes, 1 + random.nextInt(300));
            assertThat(pieces.seen).as("seed " + seed).isEqualTo(whole.seen).hasSize(1);
            assertThat(pieces.raw).as("seed " + seed).isEqualTo(bytes.length);
        }
    }

    @Test
    void namesWithoutAnEnd_areNotKept() {
        byte[] body = new byte[1 << 20];
        Arrays.fill(body, (byte) 'n');
        LongBind bind = new LongBind();
        bind.feed(ByteBuffer.wrap(body), body.length);
        assertThat(bind.body()).isNull();
        assertThat(cut(wire(new PgMessage('B', body)), 1000).seen).containsExactly("oversized B " + (body.length + 5));
    }

    private static Cut cut(byte[] bytes, int chunk) {
        Cut cut = new Cut();
        feed(started(cut), bytes, chunk);
        return cut;
    }

    private static PgMessage only(byte[] bytes, int chunk) {
        List<PgMessage> messages = new ArrayList<>();
        feed(
                started(new PgSink() {
                    @Override
                    public void message(PgMessage message, int rawLength) {
                        messages.add(message);
                    }

                    @Override
                    public void oversized(char type, long rawLength) {}

                    @Override
                    public void unframed(String reason, int rawLength) {}
                }),
                bytes,
                chunk);
        assertThat(messages).hasSize(1);
        return messages.get(0);
    }

    private static void feed(FrontendFramer framer, byte[] bytes, int chunk) {
        for (int at = 0; at < bytes.length; at += chunk) {
            framer.feed(ByteBuffer.wrap(bytes, at, Math.min(chunk, bytes.length - at)));
        }
    }

    /** A framer behind its start. */
    private static FrontendFramer started(PgSink sink) {
        FrontendFramer framer = new FrontendFramer(sink, LIMIT);
        framer.feed(ByteBuffer.wrap(new PgWriter()
                .int32(15)
                .int32(3 << 16)
                .string("user")
                .string("")
                .int8(0)
                .toBytes()));
        if (sink instanceof Cut cut) {
            cut.seen.clear();
            cut.raw = 0;
        }
        return framer;
    }

    private static byte[] message(byte[]... values) {
        PgWriter body = new PgWriter()
                .string("portal")
                .string("statement")
                .int16(3)
                .int16(1)
                .int16(0)
                .int16(0)
                .int16(values.length);
        for (byte[] value : values) {
            body.value(value.length == 0 ? null : value);
        }
        return wire(new PgMessage('B', body.int16(1).int16(1).toBytes()));
    }

    private static byte[] wire(PgMessage message) {
        return new PgWriter()
                .int8(message.type())
                .int32(4 + message.body().length)
                .bytes(message.body())
                .toBytes();
    }
}
