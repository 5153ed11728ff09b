package dev.understudy.sidecar.command;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.understudy.sidecar.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

final class ConsoleCommandTest {
    @TempDir
    Path folder;

    @Test
    void link_isPrinted() throws Exception {
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            Ran ran = Ran.run("console", "--no-open", "--url", sidecar.controlUrl());

            assertThat(ran.code()).isZero();
            assertThat(ran.out().strip()).matches(Pattern.quote(sidecar.controlUrl()) + "/(#code=[\\w-]{32})?");
        }
    }

    @Test
    @Tag("process")
    void link_isOpened_whereThereIsAnOpener_andNotIfNobodyWantsThat() throws Exception {
        Path opened = folder.resolve("opened");
        Path programs = Files.createDirectories(folder.resolve("bin"));
        Path opener = programs.resolve("xdg-open");
        // at once, or not at all: nobody reads half a link
        Files.writeString(
                opener, "#!/bin/sh\necho \"$#\" \"$1\" >" + opened + ".new\nmv " + opened + ".new " + opened + "\n");
        Files.setPosixFilePermissions(opener, PosixFilePermissions.fromString("rwx------"));
        try (RunningSidecar sidecar = RunningSidecar.open(folder, "")) {
            assertThat(console(sidecar, programs, "--no-open")).startsWith(sidecar.controlUrl());
            assertThat(opened).doesNotExist();

            String link = console(sidecar, programs);

            await("the opener").until(() -> Files.exists(opened));
            assertThat(Files.readString(opened)).isEqualTo("1 " + link + "\n");

            assertThat(console(sidecar, folder)).as("without an opener").startsWith(sidecar.controlUrl());
        }
    }

    /** What the command prints as a process, which finds programs in that folder alone. */
    private String console(RunningSidecar sidecar, Path path, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.understudy.sidecar.command.Main",
                "console",
                "--url",
                sidecar.controlUrl()));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(folder.resolve("console.log").toFile());
        builder.environment().put("PATH", path + ":/usr/bin:/bin");
        Process process = builder.start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor())
                    .as(Files.readString(folder.resolve("console.log")))
                    .isZero();
            return printed.strip();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void sidecar_thatCantBeReached_is2() {
        Ran ran = Ran.run("console", "--no-open", "--url", "http://127.0.0.1:1");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
    }
}
