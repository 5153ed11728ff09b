package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.RequestStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Cutting loses no byte and depends on no chunking. */
final class PgRequestStreamTest {
    private static final Masking MASKING = new Masking(Set.of());
    private static final int SSL = 80877103;
    private static final int VERSION_3 = 3 << 16;

    private static final byte[] SAID = new Wire()
            .startup(SSL)
            .startup(VERSION_3, "user", "ada", "database", "shop")
            .text('p', "hunter2")
            .text('Q', "SELECT 'hunter2'; UPDATE t SET pin = 1234")
            .parse("s", "SELECT a FROM t WHERE b = $1")
            .bind("s")
            .run()
            .bind("s")
            .run()
            .text('Q', "COPY t FROM STDIN")
            .message('d', new PgWriter().bytes(new byte[100_000]))
            .message('c', new PgWriter())
            .parse("", "COPY u FROM STDIN")
            .bind("")
            .run()
            .message('d', new PgWriter().bytes(new byte[10]))
            .message('c', new PgWriter())
            .message('S', new PgWriter())
            .parse("", "SELECT '" + "x".repeat(70_000) + "'")
            .message('H', new PgWriter())
            .bind("")
            .run()
            .message('X', new PgWriter())
            .bytes();

    @Test
    void requests_areCutAlike_howeverTheyArrive() {
        for (long seed = 0; seed < 200; seed++) {
            Cut cut = cut(SAID, new Random(seed), seed == 0);
            assertThat(cut.asked())
                    .as("seed %d", seed)
                    .containsExactly(
                            "ENCRYPTION",
                            "STARTUP shop",
                            "PASSWORD",
                            "SELECT '…'; UPDATE t SET pin = [masked]",
                            "SELECT a FROM t WHERE b = $1",
                            "SELECT a FROM t WHERE b = $1",
                            "COPY t FROM STDIN",
                            "COPYDATA",
                            "COPY u FROM STDIN",
                            "COPYDATA",
                            "SELECT '…'");
            assertThat(cut.ends).as("seed %d", seed).isEqualTo(11);
            assertThat(cut.bytes.toByteArray()).as("seed %d", seed).isEqualTo(SAID);
            assertThat(cut.unframed).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void garbage_atAnyPlace_losesNoByte() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] mutated = SAID.clone();
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                mutated[random.nextInt(i % 2 == 0 ? 400 : mutated.length)] = (byte) random.nextInt(256);
            }
            Cut cut = cut(mutated, random, false);
            assertThat(cut.bytes.toByteArray()).as("seed %d", seed).isEqualTo(mutated);
            assertThat(cut.unframed).as("seed %d", seed).hasSizeLessThan(2);
        }
    }

    @Test
    void whatProductionEncrypts_isntCutAnyFurther() {
        Cut cut = new Cut();
        PgRequestStream<Integer> stream = new PgRequestStream<>(cut);
        stream.data(Unpooled.copiedBuffer(new Wire().startup(SSL).bytes()), 1);
        stream.leave("TLS");
        stream.data(Unpooled.copiedBuffer(new byte[] {0x16, 3, 1}), 2);
        assertThat(cut.unframed).containsExactly("ENCRYPTED TLS");
        assertThat(cut.bytes.size()).isEqualTo(11);
    }

    @Test
    void aMessageOfAnyLength_isHandedOnAsItComes() {
        Cut cut = new Cut();
        PgRequestStream<Integer> stream = new PgRequestStream<>(cut);
        byte[] begun = new Wire()
                .startup(VERSION_3, "user", "ada")
                .text('Q', "COPY t FROM STDIN")
                .bytes();
        stream.data(Unpooled.copiedBuffer(begun), 1);
        stream.data(Unpooled.copiedBuffer(new byte[] {'d', 0x3f, 0, 0, 0}), 1);
        for (int i = 0; i < 100; i++) {
            stream.data(Unpooled.wrappedBuffer(new byte[10_000]), 1);
        }
        assertThat(cut.bytes.size()).isGreaterThan(begun.length + 980_000);
        stream.release();
    }

    private static Cut cut(byte[] wire, Random random, boolean atOnce) {
        Cut cut = new Cut();
        PgRequestStream<Integer> stream = new PgRequestStream<>(cut);
        int at = 0;
        while (at < wire.length) {
            int most = random.nextBoolean() ? 40 : 30_000;
            int next = atOnce ? wire.length : Math.min(wire.length, at + 1 + random.nextInt(most));
            stream.data(Unpooled.wrappedBuffer(Arrays.copyOfRange(wire, at, next)), at);
            at = next;
        }
        stream.end(at);
        stream.release();
        return cut;
    }

    private static final class Cut implements RequestStream.Cut<Integer> {
        private final List<Request> requests = new ArrayList<>();
        private final List<String> unframed = new ArrayList<>();
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int ends;

        private List<String> asked() {
            return requests.stream()
                    .map(request -> (request.method() + " " + request.target(MASKING)).strip())
                    .toList();
        }

        @Override
        public Integer request(Request request, ByteBuf data, long arrivedNanos, long nanos) {
            requests.add(request);
            keep(data);
            return requests.size();
        }

        @Override
        public void body(Integer exchange, ByteBuf data, long nanos) {
            assertThat(exchange).isEqualTo(requests.size());
            keep(data);
        }

        @Override
        public void requestEnd(Integer exchange, long nanos) {
            ends++;
        }

        @Override
        public void unframed(@Nullable Integer unfinished, NotCompared why, String reason, long nanos) {
            unframed.add(why + " " + reason);
        }

        @Override
        public void raw(ByteBuf data, long nanos) {
            keep(data);
        }

        private void keep(ByteBuf data) {
            bytes.writeBytes(ByteBufUtil.getBytes(data));
            data.release();
        }
    }
}
