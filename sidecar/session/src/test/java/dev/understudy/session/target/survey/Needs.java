package dev.understudy.session.target.survey;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/** What a test needs of the machine; {@code understudy.programs=required} makes what is missing an error. */
public final class Needs {
    private Needs() {}

    /** Skips the test where a program isn't installed. */
    public static void programs(String... names) {
        for (String name : names) {
            boolean there = Arrays.stream(Objects.requireNonNullElse(System.getenv("PATH"), "")
                            .split(":", -1))
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
            need(there, name + ": not installed");
        }
    }

    /** Skips the test where it may not make namespaces. */
    public static void namespaces() throws Exception {
        programs("unshare", "ip", "nsenter");
        int code = new ProcessBuilder("unshare", "--net", "--mount", "true")
                .start()
                .waitFor();
        need(code == 0, "unshare --net: not permitted");
    }

    /** Skips the test where this user can't become another one. */
    public static void otherUsers() throws Exception {
        programs("setpriv");
        need(System.getProperty("user.name").equals("root"), "setpriv: not root");
    }

    private static void need(boolean there, String reason) {
        if (!there && System.getProperty("understudy.programs", "auto").equals("required")) {
            throw new IllegalStateException(reason + ", and understudy.programs=required");
        }
        Assumptions.assumeTrue(there, reason);
    }
}
