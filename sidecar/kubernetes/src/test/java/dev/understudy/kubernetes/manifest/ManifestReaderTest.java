package dev.understudy.kubernetes.manifest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ManifestReaderTest {
    @Test
    void documents_keepTheirTextAndComments() throws Exception {
        List<Manifest> read = read("# first\nkind: A\n---\n\n--- # second\nkind: B # b\n--- {kind: C}\n---\n# none\n");

        assertThat(read).extracting(Manifest::kind).containsExactly("A", "B", "C", "");
        assertThat(read.get(0).text()).isEqualTo("# first\nkind: A\n");
    }

    @Test
    void marker_endsABlockScalar() throws Exception {
        assertThat(read("kind: A\ntext: |\n  --- not here\n---\nkind: B\n"))
                .extracting(Manifest::kind)
                .containsExactly("A", "B");
    }

    @Test
    void scalars_areWrittenAsTheyCame() throws Exception {
        Manifest manifest = read("a: \"yes\"\nb: yes\nc: 0644\nd: '0644'\ne: ~\nf: 1e3\ng: !x y\nh: |\n  1\n  2\n")
                .get(0);

        assertThat(YamlTree.write(manifest.copy()))
                .isEqualTo("a: \"yes\"\nb: yes\nc: 0644\nd: '0644'\ne: ~\nf: 1e3\ng: !x 'y'\nh: |\n  1\n  2\n");
    }

    @Test
    void addedStrings_areReadAsStringsByYaml11() {
        for (String text :
                List.of("yes", "No", "y", "on", "null", "0644", "1e3", "a: b", "a #b", "", "22:22", "~", "-")) {
            assertThat(YamlTree.write(text)).as(text).startsWith("\"").contains(text);
        }
        assertThat(YamlTree.write("understudy/sidecar:0.1")).isEqualTo("understudy/sidecar:0.1\n");
    }

    @Test
    void aliases_areWrittenOut() throws Exception {
        Manifest manifest = read("a: &x { b: 1 }\nc: *x\n").get(0);

        assertThat(YamlTree.write(manifest.copy())).isEqualTo("a:\n  b: 1\nc:\n  b: 1\n");
    }

    @ParameterizedTest
    @CsvSource({"10,8,exceeds", "2,24,more than 100000 values"})
    void aliasBomb_isRefused(int aliases, int levels, String expected) {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x]\n");
        for (int i = 1; i <= levels; i++) {
            bomb.append("a").append(i).append(": &a").append(i).append(" [");
            bomb.append(("*a" + (i - 1) + ",").repeat(aliases)).append("]\n");
        }

        assertRefused(bomb.toString(), expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: [",
                "a: &a [*a]",
                "a\tb:\n\t- c",
                "a: *nobody",
                "{[a]: b}",
                "- a",
                "text",
                "<<: {a: b}",
                "a: 1\na: 2",
                "a: {{ .Values.name }}",
                "%YAML 9.9\n---\na: b"
            })
    void otherTexts_areRefusedWithTheirPlace(String text) {
        assertRefused("kind: A\n---\n" + text, "input");
    }

    @Test
    void place_isThatOfTheFile() {
        assertRefused("kind: A\n---\nkind: B\nx: [\n", "input:5:1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- ", "? "})
    void depth_isBounded(String nested) {
        assertRefused("a: " + nested.repeat(200_000), "input");
    }

    @Test
    void size_isBounded() {
        assertRefused("#".repeat((1 << 20) + 1), "more than 1 MiB");
    }

    @Test
    void otherEncodings_areRefused() {
        assertThatThrownBy(() -> ManifestReader.read("input", new ByteArrayInputStream(new byte[] {'a', (byte) 0xff})))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining("no UTF-8");
    }

    @Test
    void anyBytes_endWithManifestsOrARefusal() {
        String pieces = "ab:- \n\t#&*!|>'\"%@`{}[],?<0123~";
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            int length = random.nextInt(60);
            for (int i = 0; i < length; i++) {
                text.append(random.nextInt(12) == 0 ? "\n---\n" : pieces.charAt(random.nextInt(pieces.length())));
            }
            try {
                read(text.toString());
            } catch (ManifestException refused) {
                assertThat(refused.getMessage()).as("seed " + seed).startsWith("input");
            } catch (IOException | RuntimeException other) {
                throw new AssertionError("seed " + seed, other);
            }
        }
    }

    private static void assertRefused(String text, String expected) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(ManifestException.class)
                .hasMessageContaining(expected);
    }

    private static List<Manifest> read(String text) throws IOException {
        return ManifestReader.read("input", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
