package dev.understudy.session.target.survey;

import java.io.IOException;
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

    /**
     * Skips the test without a Docker engine, or where {@code understudy.docker} is {@code skip}; an error where it is
     * {@code required}.
     */
    public static void docker() throws Exception {
        String wish = System.getProperty("understudy.docker", "auto");
        Assumptions.assumeFalse(wish.equals("skip"), "understudy.docker=skip");
        boolean there;
        try {
            there = new ProcessBuilder("docker", "version").start().waitFor() == 0;
        } catch (IOException notInstalled) {
            there = false;
        }
        if (!there && wish.equals("required")) {
            throw new IllegalStateException("no Docker engine is reachable, and understudy.docker=required");
        }
        Assumptions.assumeTrue(there, "no Docker engine is reachable");
    }

    /** Skips the test without {@code docker compose}; the same property decides. */
    public static void compose() throws Exception {
        boolean there =
                new ProcessBuilder("docker", "compose", "version").start().waitFor() == 0;
        if (!there && System.getProperty("understudy.docker", "auto").equals("required")) {
            throw new IllegalStateException("docker compose: not installed, and understudy.docker=required");
        }
        Assumptions.assumeTrue(there, "docker compose: not installed");
    }

    private static void need(boolean there, String reason) {
        if (!there && System.getProperty("understudy.programs", "auto").equals("required")) {
            throw new IllegalStateException(reason + ", and understudy.programs=required");
        }
        Assumptions.assumeTrue(there, reason);
    }
}
