package dev.understudy.agent.handshake;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("any-jdk")
final class HandshakeTest {
    private static final String AGENT = "orders-1";
    private static final String FROM = "7f000001:43707";

    @TempDir
    private Path folder;

    private SharedKey key;

    @BeforeEach
    void readKey() throws IOException {
        key = SharedKey.read(Files.writeString(folder.resolve("key"), "a key that is long enough"));
    }

    @Test
    void theJvmThatTheSidecarConnectedTo_isTheDebugOne() throws Exception {
        Acted acted = new Acted();
        acted.accepts.add(FROM);

        assertThat(new Handshake(acted, key, AGENT).isDebug()).isTrue();
        assertThat(acted.asked).hasSize(1);
    }

    @Test
    void aConnectionThatIsAcceptedLater_isStillFound() throws Exception {
        Acted acted = new Acted();
        acted.acceptsAfter = Duration.ofSeconds(2).toNanos();
        acted.accepts.add(FROM);

        assertThat(new Handshake(acted, key, AGENT).isDebug()).isTrue();
        assertThat(acted.asked).hasSize(1);
    }

    /** By then the sidecar has closed them, and their addresses may be those of connections to production. */
    @Test
    void whatIsFoundTooLate_isNotBelieved() throws Exception {
        Acted acted = new Acted();
        acted.accepts.add(FROM);
        acted.answersTake = List.of(2_600, 2_600, 100);

        assertThat(new Handshake(acted, key, AGENT).isDebug()).isTrue();
        assertThat(acted.asked).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void production_asksLessAndLessOften_andNotForEver() throws Exception {
        Acted acted = new Acted();

        assertThat(new Handshake(acted, key, AGENT).isDebug()).isFalse();
        assertThat(acted.asked).hasSizeBetween(40, 70);
        assertThat(acted.looked).as("once it listens, that isn't read again").isEqualTo(1);
        assertThat(Duration.ofNanos(acted.now)).isBetween(Duration.ofMinutes(15), Duration.ofMinutes(16));
    }

    @Test
    void beforeItListens_nothingIsAsked() throws Exception {
        Acted acted = new Acted();
        acted.listensAfter = Duration.ofMinutes(2).toNanos();
        acted.accepts.add(FROM);

        assertThat(new Handshake(acted, key, AGENT).isDebug()).isTrue();
        assertThat(acted.asked).hasSize(1);
        assertThat(Duration.ofNanos(acted.now)).isBetween(Duration.ofMinutes(2), Duration.ofSeconds(122));
    }

    @Test
    void whateverGoesWrong_theAnswerIsNo() throws Exception {
        Acted unanswered = new Acted();
        unanswered.accepts.add(FROM);
        unanswered.broken = true;
        Acted forged = new Acted();
        forged.accepts.add(FROM);
        forged.signer = SharedKey.read(Files.writeString(folder.resolve("other"), "another key, long enough too"));

        assertThat(new Handshake(unanswered, key, AGENT).isDebug()).isFalse();
        assertThat(new Handshake(forged, key, AGENT).isDebug()).isFalse();
    }

    @Test
    void whereSocketsCannotBeRead_thatIsTriedLessAndLessOften() throws Exception {
        Acted acted = new Acted();
        acted.unreadable = true;

        assertThat(new Handshake(acted, key, AGENT).isDebug()).isFalse();
        assertThat(acted.looked).isBetween(40, 70);
        assertThat(acted.asked).isEmpty();
    }

    /** A sidecar that connects from {@link #FROM}, and a clock that is moved by waiting. */
    private final class Acted implements Surroundings {
        private final Set<String> accepts = new HashSet<>();
        private final List<String> asked = new ArrayList<>();
        private List<Integer> answersTake = List.of();
        private SharedKey signer = key;
        private long now;
        private long listensAfter;
        private long acceptsAfter;
        private int looked;
        private boolean broken;
        private boolean unreadable;

        @Override
        public byte[] ask(String nonce, String agent, String signature) throws IOException {
            assertThat(key.signed("understudy agent\n" + nonce + "\n" + agent, signature))
                    .isTrue();
            int millis = asked.size() < answersTake.size() ? answersTake.get(asked.size()) : 1;
            asked.add(nonce);
            sleep(millis);
            if (broken) {
                throw new IOException("nobody there");
            }
            String signed = signer.sign("understudy debug\n" + nonce + "\n" + agent + "\n" + FROM);
            return ("{\"connections\":[\"" + FROM + "\"],\"signature\":\"" + signed + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public boolean listens() throws IOException {
            looked++;
            if (unreadable) {
                throw new IOException("no such file");
            }
            return now >= listensAfter;
        }

        @Override
        public boolean accepted(Collection<String> from) {
            return now >= acceptsAfter && from.stream().anyMatch(accepts::contains);
        }

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void sleep(long millis) {
            now += Duration.ofMillis(millis).toNanos();
        }
    }
}
