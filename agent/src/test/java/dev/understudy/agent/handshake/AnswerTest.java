package dev.understudy.agent.handshake;

import dev.understudy.agent.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("any-jdk")
final class AnswerTest {
    private static final String NONCE = "00ff";
    private static final String AGENT = "orders-1";

    @TempDir
    private Path folder;

    private SharedKey key;
    private SharedKey other;

    @BeforeEach
    void writeKeys() throws IOException {
        key = key("a key that is long enough\n");
        other = key("another key, long enough too");
    }

    @Test
    void whatTheSidecarSignedForThisQuestion_isTaken() throws IOException {
        assertThat(read(signed(key, NONCE, AGENT, "0a000001:1", "7f000001:43707"), NONCE)
                        .connections())
                .containsExactly("0a000001:1", "7f000001:43707");
        assertThat(read(signed(key, NONCE, AGENT), NONCE).connections()).isEmpty();
    }

    @Test
    void anAnswerOfAnotherKey_orToAnotherQuestion_orToAnotherAgent_orChanged_isNone() {
        String good = signed(key, NONCE, AGENT, "7f000001:43707");
        for (String bad : List.of(
                signed(other, NONCE, AGENT, "7f000001:43707"),
                signed(key, "00fe", AGENT, "7f000001:43707"),
                signed(key, NONCE, "orders-2", "7f000001:43707"),
                good.replace("43707", "43708"),
                good.replaceAll("\"signature\":\"[^\"]*\"", "\"signature\":\"\""),
                "{\"connections\":[\"7f000001:43707\"]}",
                "{}",
                "",
                "[]")) {
            assertThatThrownBy(() -> read(bad, NONCE)).as(bad).isInstanceOf(IOException.class);
        }
    }

    @Test
    void moreConnectionsThanSixtyFour_areRefused() throws IOException {
        String[] connections = new String[65];
        Arrays.setAll(connections, i -> "7f000001:" + i);

        assertThat(read(signed(key, NONCE, AGENT, Arrays.copyOf(connections, 64)), NONCE)
                        .connections())
                .hasSize(64);
        assertThatThrownBy(() -> read(signed(key, NONCE, AGENT, connections), NONCE))
                .hasMessage("more than 64 connections");
    }

    @Test
    void garbage_isRefused_andNothingElse() {
        byte[] good = signed(key, NONCE, AGENT, "7f000001:43707").getBytes(StandardCharsets.UTF_8);
        for (int seed = 0; seed < Fuzz.rounds(3000); seed++) {
            Random random = new Random(seed);
            byte[] bad = good.clone();
            for (int i = 0; i < 1 + seed % 5; i++) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                assertThat(HandshakeAnswer.read(bad, key, NONCE, AGENT).connections())
                        .as("seed %d", seed)
                        .containsExactly("7f000001:43707"); // what was changed doesn't matter
            } catch (IOException refused) {
                assertThat(refused).isNotNull();
            }
        }
    }

    @Test
    void aKeyThatIsTooShort_isRefused_andIsNotInTheMessage() {
        assertThatThrownBy(() -> key("short"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a key of 5 bytes (expected: 16 to 4096)")
                .hasMessageNotContaining("short");
    }

    @Test
    void aKey_isWithoutTheWhiteSpaceAroundIt_andNotTooLong() throws IOException {
        String signature = key.sign("text");
        assertThat(key(" \ta key that is long enough").sign("text")).isEqualTo(signature);
        assertThat(key("k".repeat(4096)).sign("text")).hasSize(64);
        assertThatThrownBy(() -> key("k".repeat(4097))).hasMessageContaining("a key of 4097 bytes");
    }

    @Test
    void aKeyOfAnyBytes_isTakenByteForByte() throws IOException {
        byte[] one = new byte[32];
        Arrays.fill(one, (byte) 0xe1);
        byte[] two = one.clone();
        two[7] = (byte) 0xe2;
        String first = SharedKey.read(Files.write(folder.resolve("one"), one)).sign("text");

        assertThat(SharedKey.read(Files.write(folder.resolve("two"), two)).sign("text"))
                .isNotEqualTo(first);
    }

    @Test
    void signatures_areHmacSha256() throws IOException {
        assertThat(key("0123456789abcdef").sign("what do ya want for nothing?"))
                .isEqualTo("e9265dc1bf18d4ec36915d9e82226c7ea0fa4e7f8077f611515bd5e29ec9988c");
    }

    private HandshakeAnswer read(String json, String nonce) throws IOException {
        return HandshakeAnswer.read(json.getBytes(StandardCharsets.UTF_8), key, nonce, AGENT);
    }

    private static String signed(SharedKey key, String nonce, String agent, String... connections) {
        String signature = key.sign("understudy debug\n" + nonce + "\n" + agent + "\n" + String.join(",", connections));
        return "{\"connections\":["
                + String.join(
                        ",",
                        List.of(connections).stream()
                                .map(one -> "\"" + one + "\"")
                                .toList())
                + "],\"signature\":\"" + signature + "\"}";
    }

    private SharedKey key(String text) throws IOException {
        return SharedKey.read(Files.writeString(folder.resolve("key"), text));
    }
}
