package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.divergence.wire.postgres.PgWriter;
import dev.understudy.sidecar.frame.NotedCut;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
            NotedCut cut = cut(SAID, new Random(seed), seed == 0);
            assertThat(asked(cut))
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
            assertThat(cut.ends()).as("seed %d", seed).isEqualTo(11);
            assertThat(cut.bytes()).as("seed %d", seed).isEqualTo(SAID);
            assertThat(cut.unframed()).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void ofStatementsThatNameAChosenField_noNumberIsShown() {
        byte[] said = new Wire()
                .startup(VERSION_3, "user", "ada")
                .text('Q', "INSERT INTO staff (id, salary) VALUES (7, 93000)")
                .bytes();
        List<String> asked =
                cut(said, new Random(1), true).requests(request -> request.target(new Masking(Set.of("salary"))));
        assertThat(asked).contains("INTO staff (id, salary) VALUES ([masked], [masked])");
    }

    @Test
    void garbage_atAnyPlace_losesNoByte() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] mutated = SAID.clone();
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                mutated[random.nextInt(i % 2 == 0 ? 400 : mutated.length)] = (byte) random.nextInt(256);
            }
            NotedCut cut = cut(mutated, random, false);
            assertThat(cut.bytes()).as("seed %d", seed).isEqualTo(mutated);
            assertThat(cut.unframed()).as("seed %d", seed).hasSizeLessThan(2);
        }
    }

    @Test
    void whatProductionEncrypts_isntCutAnyFurther() {
        NotedCut cut = new NotedCut();
        PgRequestStream<Request> stream = new PgRequestStream<>(cut);
        stream.data(Unpooled.copiedBuffer(new Wire().startup(SSL).bytes()), 1);
        stream.leave("TLS");
        stream.data(Unpooled.copiedBuffer(new byte[] {0x16, 3, 1}), 2);
        assertThat(cut.unframed()).containsExactly("ENCRYPTED TLS");
        assertThat(cut.bytes().length).isEqualTo(11);
    }

    @Test
    void aMessageOfAnyLength_isHandedOnAsItComes() {
        NotedCut cut = new NotedCut();
        PgRequestStream<Request> stream = new PgRequestStream<>(cut);
        byte[] begun = new Wire()
                .startup(VERSION_3, "user", "ada")
                .text('Q', "COPY t FROM STDIN")
                .bytes();
        stream.data(Unpooled.copiedBuffer(begun), 1);
        stream.data(Unpooled.copiedBuffer(new byte[] {'d', 0x3f, 0, 0, 0}), 1);
        for (int i = 0; i < 100; i++) {
            stream.data(Unpooled.wrappedBuffer(new byte[10_000]), 1);
        }
        assertThat(cut.bytes().length).isGreaterThan(begun.length + 980_000);
        stream.release();
    }

    @Test
    void aNameThatIsTaken_mayStandForTheEarlierStatement() {
        byte[] wire = new Wire()
                .startup(VERSION_3, "user", "ada")
                .parse("s", "SELECT a FROM t ORDER BY a")
                .parse("s", "SELECT b FROM t")
                .bind("s")
                .run()
                .message('C', new PgWriter().int8('S').string("s"))
                .parse("s", "SELECT c FROM t")
                .bind("s")
                .run()
                .bytes();
        List<String> ordered = cut(wire, new Random(1), true)
                .requests(request -> ((PgRequest) request).step(1).statement().ordered() + "");
        assertThat(ordered).containsExactly("true", "true", "false");
    }

    private static NotedCut cut(byte[] wire, Random random, boolean atOnce) {
        NotedCut cut = new NotedCut();
        PgRequestStream<Request> stream = new PgRequestStream<>(cut);
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

    private static List<String> asked(NotedCut cut) {
        return cut.requests(request -> (request.method() + " " + request.target(MASKING)).strip());
    }
}
