package dev.understudy.relay.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class YamlFileTest {
    @TempDir
    Path folder;

    private enum Order {
        CAUSAL,
        CONNECTION
    }

    private record Window(long memory, Duration pause, Order order, boolean on) {
        Window {
            if (memory < 1024) {
                throw new IllegalArgumentException("memory: " + memory + " (expected: at least 1KiB)");
            }
        }

        static final Window NONE = new Window(1024, Duration.ofSeconds(1), Order.CAUSAL, false);

        static Window read(Section top) {
            return top.section("window")
                    .build(
                            section -> new Window(
                                    section.required("memory", Value.bytes()),
                                    section.optional("wait", Value.duration(), Duration.ofSeconds(5)),
                                    section.optional("order", Value.choice(Order.class), Order.CAUSAL),
                                    section.optional("on", Value.flag(), true)),
                            NONE);
        }
    }

    @Test
    void file_isReadWithDefaults() throws IOException {
        Window window = read("window:\n  memory: 16MiB\n  order: connection\n", Map.of());

        assertThat(window).isEqualTo(new Window(16 << 20, Duration.ofSeconds(5), Order.CONNECTION, true));
    }

    @Test
    void flag_winsOverEnvironmentWhichWinsOverFile() throws IOException {
        String yaml = "window: { memory: 1MiB, wait: 1s }\n";
        Map<String, String> environment = Map.of("UNDERSTUDY_WINDOW_MEMORY", "2MiB", "UNDERSTUDY_WINDOW_WAIT", "7s");

        Window window = read(yaml, environment, "window.memory=3MiB");

        assertThat(window.memory()).isEqualTo(3 << 20);
        assertThat(window.pause()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void everyProblem_isReportedAtOnceWithItsPlace() {
        String yaml = "window:\n  memory: lots\n  ordr: causal\n  wait: 5 parsecs\n  on: perhaps\nwindwo: {}\n";

        assertThatThrownBy(() -> read(yaml, Map.of("UNDERSTUDY_WINDOW_ORDER", "any"), "window.memry=1", "nonsense"))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        wrong -> assertThat(wrong.problems())
                                .containsExactlyInAnyOrder(
                                        "--set nonsense: (expected: path=value, e.g. window.memory=1GiB)",
                                        "test.yaml:2:11: window.memory: lots (expected: a "
                                                + "size from 1, such as 512KiB, 16MiB or 2GiB)",
                                        "test.yaml:4:9: window.wait: 5 parsecs (expected: a "
                                                + "time such as 250ms, 5s, 10m or 1h)",
                                        "UNDERSTUDY_WINDOW_ORDER: window.order: any "
                                                + "(expected: one of causal, connection)",
                                        "test.yaml:5:7: window.on: perhaps (expected: true or false)",
                                        "test.yaml:2:3: window: memory: 1 (expected: at least 1KiB)",
                                        "test.yaml:6:1: windwo: unknown key; did you mean window?",
                                        "test.yaml:3:3: window.ordr: unknown key; did you mean order?",
                                        "--set window.memry: unknown setting; did you mean window.memory?"));
    }

    @Test
    void missingSetting_isNamed() {
        assertThatThrownBy(() -> read("window: {}\n", Map.of()))
                .hasMessageContaining("window.memory: missing (expected: a size");
    }

    @Test
    void brokenYaml_isReportedWithLineAndColumn() {
        assertThatThrownBy(() -> read("window:\n  memory: [1\n", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("test.yaml:3:1");
    }

    @Test
    void missingFile_isAProblem() {
        Problems problems = new Problems();
        Overrides none = new Overrides(Map.of(), List.of(), problems);

        assertThatThrownBy(() -> YamlFile.read(folder.resolve("absent.yaml"), none, problems, Window::read))
                .hasMessageContaining("absent.yaml: no such file");
    }

    @Test
    void keySetTwice_isAProblem() {
        assertThatThrownBy(() -> read("window:\n  memory: 1MiB\n  memory: 2MiB\n", Map.of()))
                .hasMessageContaining("test.yaml:3:3: window.memory: set twice");
    }

    @Test
    void addresses_takeIpv6InBracketsAndRefuseTheRest() {
        assertThat(Value.address().parse().apply("[::1]:80").getHostString()).isEqualTo("::1");
        for (String wrong : List.of("80", ":80", "::1:80", "host:", "host:99999", "host:-1", "host:x")) {
            assertThatThrownBy(() -> Value.address().parse().apply(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void damagedFiles_giveConfigExceptionsAndNothingElse() throws IOException {
        String good = "window:\n  memory: 16MiB\n  wait: 5s\n  order: connection\n  on: true\n";
        String marks = "{}[]:,&*!|>'\"%@`#- \n\t\u0000\u00e4a1";
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            StringBuilder damaged = new StringBuilder(good);
            for (int change = 0; change < 1 + random.nextInt(6); change++) {
                int at = random.nextInt(damaged.length());
                damaged.setCharAt(at, marks.charAt(random.nextInt(marks.length())));
            }
            try {
                read(damaged.toString(), Map.of());
            } catch (ConfigException expected) {
                assertThat(expected.problems()).as("seed %d", seed).isNotEmpty();
            }
        }
    }

    private Window read(String yaml, Map<String, String> environment, String... sets) throws IOException {
        Path file = Files.writeString(folder.resolve("test.yaml"), yaml);
        Problems problems = new Problems();
        Overrides overrides = new Overrides(environment, List.of(sets), problems);
        return YamlFile.read(file, overrides, problems, Window::read);
    }
}
