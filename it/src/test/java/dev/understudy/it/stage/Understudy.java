package dev.understudy.it.stage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The program as users call it. */
public final class Understudy {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private Understudy() {}

    /** Runs a command to its end, which has to be this exit code; what it printed. */
    public static String run(Path folder, int code, String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("./understudy"));
        line.addAll(List.of(command));
        try (Child child = Child.start(folder.resolve(command[0] + ".log"), line)) {
            assertThat(child.exitCode(PATIENCE))
                    .as(line + "\n" + child.output())
                    .isEqualTo(code);
            return child.output();
        }
    }
}
