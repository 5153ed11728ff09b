package dev.understudy.sidecar.command;

import dev.understudy.relay.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class NoiseCommandTest {
    private static final String EXPIRES = "{route: \"GET /orders/{n}\", path: \"body.expires\", value: time}";

    @TempDir
    Path folder;

    @Test
    void rules_thatWereExported_areLoaded_andOverlookWhatTheyName_andNoMore() throws Exception {
        Path file = folder.resolve("noise.yaml");
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "", orders(1, "1250"), orders(2, "1250"))) {
            ask(sidecar, 20);
            awaitReport(sidecar, "20 differ");

            Ran ran = Ran.run("noise", "export", "--file", "" + file, "--url", sidecar.controlUrl());

            assertThat(ran.code()).as(ran.err()).isZero();
            assertThat(file)
                    .content()
                    .contains("  # differed in 20 of 20 exchanges\n  - " + EXPIRES)
                    .contains("  # - {route: \"GET /orders/{n}\", path: \"body.visits\", value: number}")
                    .contains("No rule is proposed for 1 more places");
            assertThat(Ran.run("noise", "export", "--file", "" + file, "--url", sidecar.controlUrl())
                            .code())
                    .as("the file is there already")
                    .isEqualTo(2);
        }
        String reviewed = Files.readString(file).replace("# - ", "- ") + "  - {path: \"body.mood\", value: any}\n";
        Files.writeString(file, reviewed);
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "" + file, orders(1, "1250"), orders(2, "1250"))) {
            ask(sidecar, 5);
            awaitReport(sidecar, "same answers on 5 of 5");

            String again =
                    Ran.run("noise", "export", "--url", sidecar.controlUrl()).out();
            assertThat(again).contains("  # in force, fired in 5 exchanges\n  - " + EXPIRES);
        }
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "" + file, orders(1, "1250"), orders(2, "1249"))) {
            ask(sidecar, 5);
            awaitReport(sidecar, "5 differ: GET /orders/{n} (VALUE body.cents)");
        }
    }

    @Test
    void placeThatDiffersTooRarely_isNotProposed() throws Exception {
        String rule = "- " + EXPIRES;
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "", everyFourth(1), everyFourth(2))) {
            ask(sidecar, 8);
            awaitReport(sidecar, "2 differ");

            assertThat(exported(sidecar, "2", "25")).contains("differed in 2 of 8 exchanges\n  " + rule);
            assertThat(exported(sidecar, "3", "25")).doesNotContain(rule).contains("for 1 more places");
            assertThat(exported(sidecar, "2", "26")).doesNotContain(rule).contains("for 1 more places");
        }
    }

    private static String exported(RunningSidecar sidecar, String least, String share) throws Exception {
        return Ran.run("noise", "export", "--least", least, "--share", share, "--url", sidecar.controlUrl())
                .out();
    }

    private static UnaryOperator<String> everyFourth(int seed) {
        return path -> {
            int number = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
            int year = number % 4 == 0 ? seed : 3;
            return "{\"expires\":\"20" + year + "0-01-1" + number + "T10:00:00Z\"}";
        };
    }

    @Tag("slow")
    @Test
    void whatTheSidecarLearned_isOverlooked_reported_andExported() throws Exception {
        UnaryOperator<String> runs = path -> "{\"total\":7,\"run\":\"run_" + UUID.randomUUID() + "\"}";
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "", runs, runs)) {
            ask(sidecar, 60);
            awaitReport(sidecar, "same answers on 10 of 60, 50 differ");

            assertThat(Ran.run("noise", "export", "--url", sidecar.controlUrl()).out())
                    .contains("  # learned as token: reported in 50 exchanges, overlooked in "
                            + "10 since; in 0 it was something else\n"
                            + "  - {route: \"GET /orders/{n}\", path: \"body.run\", value: token}")
                    .doesNotContain("differed in");
            Path page = folder.resolve("report.html");
            Ran.run("report", "--html", "" + page, "--url", sidecar.controlUrl());
            assertThat(page).content().contains("Noise that was learned").contains("body.run");
            assertThat(sidecar.metrics())
                    .contains("understudy_noise_places{kind=\"token\"} 1.0")
                    .contains("understudy_noise_overlooked{kind=\"token\"} 10.0");
        }
    }

    @Test
    void nothingToExport_isAFileWithoutRules_thatCanBeLoaded() throws Exception {
        Path file = folder.resolve("none.yaml");
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran.run("noise", "export", "--file", "" + file, "--url", sidecar.controlUrl());
            assertThat(file).content().contains("rules: []");
            assertThat(Ran.run("noise", "export", "--debug", "nobody", "--url", sidecar.controlUrl())
                            .err())
                    .contains("no debug JVM is called nobody");
        }
        RunningSidecar.open(folder, "" + file, UnaryOperator.identity(), UnaryOperator.identity())
                .close();
    }

    @Test
    void fileThatIsWrong_isAProblemOfTheSettings() throws Exception {
        Path file =
                Files.writeString(folder.resolve("wrong.yaml"), "rules:\n  - {path: body.a, value: tim, rout: x}\n");

        assertThatThrownBy(() ->
                        RunningSidecar.open(folder, "" + file, UnaryOperator.identity(), UnaryOperator.identity()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("noise-rules: wrong.yaml:2:")
                .hasMessageContaining("tim")
                .hasMessageContaining("rout");
        assertThatThrownBy(() -> RunningSidecar.open(
                        folder, folder + "/absent.yaml", UnaryOperator.identity(), UnaryOperator.identity()))
                .hasMessageContaining("no such file");
    }

    /** A service with a time, a counter, a mood and a price in its replies. */
    private static UnaryOperator<String> orders(int seed, String cents) {
        Random random = new Random(seed);
        return path -> {
            synchronized (random) {
                String day = (10 + random.nextInt(10)) + "";
                return "{\"cents\":" + cents + ",\"expires\":\"20" + seed + "0-01-" + day + "T10:00:00Z\",\"visits\":"
                        + (seed * 1000 + random.nextInt(1000)) + ",\"mood\":\"" + (seed == 1 ? "good" : "less good")
                        + "\"}";
            }
        };
    }

    private static void ask(RunningSidecar sidecar, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            sidecar.get("/orders/" + i);
        }
    }

    private static void awaitReport(RunningSidecar sidecar, String what) {
        await().untilAsserted(() -> assertThat(
                        Ran.run("report", "--url", sidecar.controlUrl()).out())
                .contains(what));
    }
}
