package dev.understudy.sidecar.frame.redis;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.frame.NotedCut;
import dev.understudy.sidecar.frame.Request;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Cutting loses no byte and depends on no chunking. */
final class RedisRequestStreamTest {
    private static final Masking MASKING = new Masking(Set.of());

    private static final String PIPELINE = command("SET", "user:17", "x".repeat(40_000))
            + "\r\n"
            + "GET user:17\r\n"
            + command("MULTI")
            + command("INCR", "n")
            + command("EXEC")
            + command("CONFIG", "SET", "requirepass", "hunter2")
            + command("GET", "session:4711");

    @Test
    void commands_areCutAlike_howeverTheyArrive() {
        for (long seed = 0; seed < 200; seed++) {
            NotedCut cut = cut(PIPELINE, new Random(seed), seed == 0);
            assertThat(asked(cut))
                    .as("seed %d", seed)
                    .containsExactly(
                            "SET user:17 ALONE",
                            "GET user:17 ALONE",
                            "MULTI FIRST",
                            "INCR n INNER",
                            "EXEC of 1 LAST",
                            "CONFIG SET ALONE",
                            "GET session:[masked] ALONE");
            assertThat(cut.ends()).as("seed %d", seed).isEqualTo(7);
            assertThat(new String(cut.bytes(), StandardCharsets.ISO_8859_1))
                    .as("seed %d", seed)
                    .isEqualTo(PIPELINE);
            assertThat(cut.unframed()).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void chosenKeysAndFields_areSecretToo() {
        Masking chosen = new Masking(Set.of("diagnosis"));
        NotedCut cut = cut(
                command("GET", "user:17:diagnosis")
                        + command("HGET", "user:17", "mainDiagnosis")
                        + command("HGET", "user:17", "name"),
                new Random(1),
                true);

        assertThat(cut.requests(request -> request.target(chosen) + " " + ((RedisRequest) request).isSecret(chosen)))
                .containsExactly("user:[masked] true", "user:17 true", "user:17 false");
        assertThat(cut.requests(request -> String.valueOf(((RedisRequest) request).isSecret(MASKING))))
                .containsOnly("false");
    }

    @Test
    void garbage_atAnyPlace_losesNoByte() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            StringBuilder mutated = new StringBuilder(PIPELINE);
            for (int i = 0; i < 1 + random.nextInt(8); i++) {
                mutated.setCharAt(random.nextInt(mutated.length()), (char) random.nextInt(256));
            }
            NotedCut cut = cut(mutated.toString(), random, false);
            assertThat(new String(cut.bytes(), StandardCharsets.ISO_8859_1))
                    .as("seed %d", seed)
                    .isEqualTo(mutated.toString());
            assertThat(cut.unframed()).as("seed %d", seed).hasSizeLessThan(2);
        }
    }

    @Test
    void subscription_endsTheCutting_withItsName() {
        String wire = command("PING") + command("SUBSCRIBE", "news") + command("PING");
        NotedCut cut = cut(wire, new Random(1), false);

        assertThat(asked(cut)).containsExactly("PING ALONE");
        assertThat(cut.unframed()).containsExactly("SERVER_PUSH SUBSCRIBE");
        assertThat(new String(cut.bytes(), StandardCharsets.ISO_8859_1)).isEqualTo(wire);
    }

    @Test
    void connectionState_isNeverAlone() {
        assertThat(parts(command("SELECT", "1"), command("AUTH", "x"), command("HELLO", "3"), command("CLIENT", "ID")))
                .containsExactly("SELECT STATE", "AUTH STATE", "HELLO STATE", "CLIENT ID STATE");
        assertThat(parts(
                        command("WATCH", "k"),
                        command("MULTI"),
                        command("GET", "k"),
                        command("EXEC"),
                        command("MULTI")))
                .containsExactly("WATCH k STATE", "MULTI STATE", "GET k STATE", "EXEC of 1 STATE", "MULTI FIRST");
        assertThat(parts(command("MULTI"), command("SELECT", "1"), command("DISCARD"), command("GET", "k")))
                .containsExactly("MULTI FIRST", "SELECT STATE", "DISCARD LAST", "GET k ALONE");
        assertThat(parts(command("MULTI"), command("RESET"), command("GET", "k")))
                .containsExactly("MULTI FIRST", "RESET STATE", "GET k ALONE");
    }

    @Test
    void longTransaction_isNotRemembered() {
        StringBuilder wire = new StringBuilder(command("MULTI"));
        for (int i = 0; i < 300; i++) {
            wire.append(command("INCR", "n"));
        }
        NotedCut cut = cut(wire + command("EXEC"), new Random(1), true);

        assertThat(asked(cut)).hasSize(302).endsWith("EXEC LAST");
    }

    @Test
    void emptyLines_withoutEnd_areGivenUp() {
        NotedCut cut = cut("\r\n".repeat(20_000), new Random(1), false);

        assertThat(cut.unframed()).hasSize(1);
        assertThat(cut.bytes()).hasSize(40_000);
    }

    private static List<String> parts(String... commands) {
        return asked(cut(String.join("", commands), new Random(1), true));
    }

    static String command(String... words) {
        StringBuilder wire = new StringBuilder("*" + words.length + "\r\n");
        Arrays.stream(words).forEach(word -> wire.append("$" + word.length() + "\r\n" + word + "\r\n"));
        return wire.toString();
    }

    private static NotedCut cut(String wire, Random random, boolean whole) {
        NotedCut cut = new NotedCut();
        RedisRequestStream<Request> stream = new RedisRequestStream<>(cut);
        for (int at = 0; at < wire.length(); ) {
            int length = whole ? wire.length() : 1 + random.nextInt(random.nextBoolean() ? 3 : 9000);
            int end = Math.min(wire.length(), at + length);
            stream.data(Unpooled.copiedBuffer(wire.substring(at, end), StandardCharsets.ISO_8859_1), 1);
            at = end;
        }
        stream.end(2);
        stream.release();
        return cut;
    }

    private static List<String> asked(NotedCut cut) {
        return cut.requests(request -> {
            int runs = ((RedisRequest) request).transaction().size();
            String what = (request.method() + " " + request.target(MASKING)).strip();
            return what + (runs > 0 ? " of " + runs : "") + " " + request.part();
        });
    }
}
