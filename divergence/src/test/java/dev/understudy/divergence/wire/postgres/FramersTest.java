package dev.understudy.divergence.wire.postgres;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FramersTest {
    private static final int LIMIT = 1000;

    @Test
    void start_isFollowedByMessages() {
        Cut cut = frontend(dialogue(new Random(1)), Integer.MAX_VALUE, new Random(1));

        assertThat(cut.seen.get(0)).isEqualTo("SSL_REQUEST {} 0");
        assertThat(cut.seen.get(1)).isEqualTo("GSSENC_REQUEST {} 0");
        assertThat(cut.seen.get(2)).isEqualTo("STARTUP {database=orders, user=u} 0");
        assertThat(cut.seen.get(3)).startsWith("Q[9]");
    }

    @Test
    void cancelRequest_namesItsBackend() {
        byte[] packet =
                new PgWriter().int32(16).int32(80877102).int32(4711).int32(1).toBytes();

        assertThat(frontend(packet, 1, new Random(1)).seen).containsExactly("CANCEL {} 4711");
    }

    @Test
    void anyChunking_givesTheSameMessages() {
        for (int i = 0; i < 300; i++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            byte[] bytes = dialogue(random);
            if (random.nextBoolean()) {
                mutate(bytes, random);
            }
            Cut whole = frontend(bytes, Integer.MAX_VALUE, random);
            Cut pieces = frontend(bytes, 1 + random.nextInt(20), random);
            assertThat(pieces.seen).as("seed " + seed).isEqualTo(whole.seen);
            assertThat(whole.raw).as("seed " + seed).isEqualTo(bytes.length);
            assertThat(pieces.raw).as("seed " + seed).isEqualTo(bytes.length);
        }
    }

    @Test
    void anyChunking_givesTheSameServerMessages() {
        for (int i = 0; i < 300; i++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            byte[] bytes = replies(random);
            if (random.nextBoolean()) {
                mutate(bytes, random);
            }
            int answers = random.nextInt(3);
            Cut whole = backend(bytes, Integer.MAX_VALUE, random, answers);
            Cut pieces = backend(bytes, 1 + random.nextInt(20), random, answers);
            assertThat(pieces.seen).as("seed " + seed).isEqualTo(whole.seen);
            assertThat(pieces.raw).as("seed " + seed).isEqualTo(bytes.length);
        }
    }

    @Test
    void garbage_isUnframedAndAccountedFor() {
        for (int i = 0; i < 2000; i++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            assertThat(frontend(bytes, 1 + random.nextInt(50), random).raw)
                    .as("seed " + seed)
                    .isEqualTo(bytes.length);
            assertThat(backend(bytes, 1 + random.nextInt(50), random, random.nextInt(2)).raw)
                    .as("seed " + seed)
                    .isEqualTo(bytes.length);
        }
    }

    @Test
    void decoding_throwsNothingButMalformed() {
        for (int i = 0; i < 20_000; i++) {
            long seed = new Random().nextLong();
            Random random = new Random(seed);
            byte[] body = new byte[random.nextInt(60)];
            random.nextBytes(body);
            try {
                PgMessage message = new PgMessage("PBDECQFSHXdcfpT".charAt(random.nextInt(15)), body);
                PgErrors.state(message);
                Frontend.decode(message);
                Column.decode(message);
            } catch (MalformedMessageException expected) {
                assertThat(expected).hasMessageNotContaining("null");
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    @Test
    void longMessage_isCountedAndSkipped() {
        byte[] bytes = join(new PgMessage('S', new byte[LIMIT + 1]), new PgMessage('Z', new byte[] {'I'}));

        Cut cut = backend(bytes, 7, new Random(1), 0);

        assertThat(cut.seen.get(0)).isEqualTo("oversized S " + (LIMIT + 6));
        assertThat(cut.seen.get(1)).startsWith("Z[1]");
        assertThat(cut.raw).isEqualTo(bytes.length);
    }

    @Test
    void longMessage_isGivenAwayAsItComes() {
        byte[] body = new byte[3 * LIMIT];
        new Random(1).nextBytes(body);
        PgMessage row = new PgMessage('D', body);
        byte[] bytes = join(row, new PgMessage('Z', new byte[] {'I'}), row);
        for (int chunk : new int[] {1, 7, LIMIT, bytes.length}) {
            Cut cut = new Cut();
            cut.taken = "D";
            BackendFramer framer = new BackendFramer(cut, LIMIT);
            chunks(bytes, chunk, new Random(1), framer::feed);
            assertThat(cut.seen).hasSize(3).element(1).asString().startsWith("Z[1]");
            assertThat(cut.seen.get(0)).isEqualTo(cut.seen.get(2)).isEqualTo("taken " + row.hashCode());
            assertThat(cut.raw).isEqualTo(bytes.length);
        }
    }

    @Test
    void announcedLength_allocatesNothing() {
        BackendFramer framer = new BackendFramer(new Cut(), Integer.MAX_VALUE);
        byte[] header = new PgWriter().int8('D').int32(0x3ffffff0).int32(0).toBytes();
        for (int i = 0; i < 500; i++) {
            new BackendFramer(new Cut(), Integer.MAX_VALUE).feed(ByteBuffer.wrap(header));
        }

        framer.feed(ByteBuffer.wrap(header));
        framer.end();
    }

    @Test
    void oneByteChunks_costTimeInProportion() {
        BackendFramer framer = new BackendFramer(new Cut(), Integer.MAX_VALUE);
        byte[] bytes = join(new PgMessage('D', new byte[4 << 20]));
        ByteBuffer one = ByteBuffer.allocate(1);
        for (byte b : bytes) {
            framer.feed(one.clear().put(b).flip());
        }
        framer.end();
        assertThat(one.remaining()).isZero();
    }

    @Test
    void agreedEncryption_isNotLookedInto() {
        BackendFramer framer = new BackendFramer(new Cut(), LIMIT);
        Cut cut = new Cut();
        BackendFramer encrypted = new BackendFramer(cut, LIMIT);
        encrypted.expectEncryptionAnswer();
        encrypted.feed(ByteBuffer.wrap(new byte[] {'S', 0x16, 3, 1, 0, 5}));
        framer.end();

        assertThat(cut.seen).containsExactly("answer S", "unframed TLS");
        assertThat(cut.raw).isEqualTo(6);
    }

    @Test
    void refusedEncryption_goesOnInTheClear() {
        byte[] ready = join(new PgMessage('Z', new byte[] {'I'}));
        Cut cut = new Cut();
        BackendFramer framer = new BackendFramer(cut, LIMIT);
        framer.expectEncryptionAnswer();
        framer.feed(ByteBuffer.wrap(new byte[] {'N'}));
        framer.feed(ByteBuffer.wrap(ready));

        assertThat(cut.seen).hasSize(2).first().isEqualTo("answer N");
    }

    @Test
    void tlsWithoutAsking_isNamed() {
        Cut cut = frontend(new byte[] {0x16, 3, 1, 2, 0, 1}, 2, new Random(1));

        assertThat(cut.seen).containsExactly("unframed TLS");
    }

    private static Cut frontend(byte[] bytes, int chunk, Random random) {
        Cut cut = new Cut();
        cut.taken = "DE";
        FrontendFramer framer = new FrontendFramer(cut, LIMIT);
        chunks(bytes, chunk, random, framer::feed);
        framer.end();
        return cut;
    }

    private static Cut backend(byte[] bytes, int chunk, Random random, int answers) {
        Cut cut = new Cut();
        cut.taken = "DEt";
        BackendFramer framer = new BackendFramer(cut, LIMIT);
        for (int i = 0; i < answers; i++) {
            framer.expectEncryptionAnswer();
        }
        chunks(bytes, chunk, random, framer::feed);
        framer.end();
        return cut;
    }

    private static void chunks(byte[] bytes, int most, Random random, Consumer<ByteBuffer> feed) {
        for (int at = 0; at < bytes.length; ) {
            int length = Math.min(bytes.length - at, most == Integer.MAX_VALUE ? most : 1 + random.nextInt(most));
            feed.accept(ByteBuffer.wrap(bytes, at, length));
            at += length;
        }
    }

    private static byte[] dialogue(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new PgWriter().int32(8).int32(80877103).toBytes());
        out.writeBytes(new PgWriter().int32(8).int32(80877104).toBytes());
        byte[] startup = new PgWriter()
                .int32(3 << 16)
                .string("user")
                .string("u")
                .string("database")
                .string("orders")
                .int8(0)
                .toBytes();
        out.writeBytes(new PgWriter().int32(startup.length + 4).bytes(startup).toBytes());
        out.writeBytes(join(new PgWriter().string("SELECT 2").toMessage('Q')));
        for (int i = random.nextInt(20); i > 0; i--) {
            out.writeBytes(join(message("PBDECSHQ", random)));
        }
        return out.toByteArray();
    }

    private static byte[] replies(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = random.nextInt(20); i > 0; i--) {
            out.writeBytes(join(message("RSKZTDCE123nst", random)));
        }
        return out.toByteArray();
    }

    private static PgMessage message(String types, Random random) {
        byte[] body = new byte[random.nextInt(10) == 0 ? random.nextInt(3 * LIMIT) : random.nextInt(40)];
        random.nextBytes(body);
        return new PgMessage(types.charAt(random.nextInt(types.length())), body);
    }

    private static void mutate(byte[] bytes, Random random) {
        for (int i = random.nextInt(3); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
    }

    private static byte[] join(PgMessage... messages) {
        int length = List.of(messages).stream().mapToInt(PgMessage::wireLength).sum();
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (PgMessage message : messages) {
            message.writeTo(bytes);
        }
        return bytes.array();
    }
}
