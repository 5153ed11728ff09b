package dev.understudy.it.artifact;

import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** The distribution in an empty folder, and a user with an empty home and no program but the usual small ones. */
final class UnpackedArchive {
    static final String NAME = "understudy-0.1.0-SNAPSHOT";

    /** What the launcher may need beside a JRE; no Maven, no compiler. */
    private static final List<String> TOOLS =
            List.of("sh", "cat", "dirname", "grep", "mktemp", "mv", "readlink", "rm", "sed", "sleep");

    private final Path folder;

    private UnpackedArchive(Path folder) {
        this.folder = folder;
    }

    static UnpackedArchive in(Path folder) throws Exception {
        UnpackedArchive archive = new UnpackedArchive(folder);
        Files.createDirectories(folder.resolve("home"));
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : TOOLS) {
            Path file = Files.writeString(tools.resolve(tool), "#!/bin/sh\nexec /bin/" + tool + " \"$@\"\n");
            assertThat(file.toFile().setExecutable(true)).isTrue();
        }
        archive.tar("-xzf", file(".tar.gz").toString(), "-C", folder.toString());
        return archive;
    }

    /** One of both archives, as the build made it. */
    static Path file(String suffix) {
        return Checkout.root().resolve("sidecar/distribution/target/" + NAME + suffix);
    }

    Path file(Path inArchive) {
        return folder.resolve(NAME).resolve(inArchive);
    }

    Process start(Path output, String... words) throws IOException {
        List<String> line =
                new ArrayList<>(List.of(file(Path.of("bin/understudy")).toString()));
        line.addAll(Arrays.asList(words));
        return builder(line).redirectOutput(output.toFile()).start();
    }

    /** What it prints; it has to end well. */
    String understudy(String... words) throws Exception {
        List<String> line =
                new ArrayList<>(List.of(file(Path.of("bin/understudy")).toString()));
        line.addAll(Arrays.asList(words));
        return run(line);
    }

    /** Runs tar, which needs gzip. */
    String tar(String... words) throws Exception {
        return installed("tar", words);
    }

    /** Runs a program of the machine that needs others of it. */
    String installed(String program, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("/usr/bin/env", "PATH=/usr/bin:/bin", program));
        line.addAll(Arrays.asList(words));
        return run(line);
    }

    /** Runs any program as that user; it has to end well within two minutes. */
    String run(List<String> line) throws Exception {
        Path output = Files.createTempFile(folder, "run", ".log");
        Process process = builder(line).redirectOutput(output.toFile()).start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).as(line.toString()).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(line + "\n" + text).isZero();
        return text;
    }

    private ProcessBuilder builder(List<String> line) {
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(folder.resolve("home").toFile())
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("HOME", folder.resolve("home").toString());
        builder.environment().put("PATH", folder.resolve("tools").toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LC_ALL", "C.UTF-8");
        return builder;
    }
}
