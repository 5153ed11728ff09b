package dev.understudy.agent.ahead;

import dev.understudy.agent.cache.WovenCache;
import dev.understudy.agent.weave.WovenLoader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class WeaveCommandTest {
    private static final byte[] OWN = WovenLoader.classFile("dev.understudy.agent.weave.Forks");
    private static final byte[] LIBRARY = WovenLoader.classFile("dev.understudy.agent.weave.Sums");

    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private Path agent;
    private Path cache;
    private Path app;

    @BeforeEach
    void makeJar() throws IOException {
        agent = Files.writeString(folder.resolve("agent.jar"), "this build");
        cache = folder.resolve("cache");
        ByteArrayOutputStream library = new ByteArrayOutputStream();
        zip(library, "x/Sums.class", LIBRARY);
        app = folder.resolve("app.jar");
        try (OutputStream file = Files.newOutputStream(app)) {
            zip(
                    file,
                    "BOOT-INF/classes/x/Forks.class",
                    OWN,
                    "BOOT-INF/lib/library.jar",
                    library.toByteArray(),
                    "x/Bad.class",
                    new byte[] {1, 2, 3});
        }
    }

    @Test
    void aJarsOwnClasses_areKept_forAnAgentOfTheSameBuild() throws IOException {
        assertThat(run("weave", "--cache=" + cache, app.toString())).isTrue();

        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("1 classes: 1 woven, ");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("x/Bad.class can't be woven: ");
        assertThat(WovenCache.of(cache, agent).find(OWN)).isNotNull();
        assertThat(WovenCache.of(cache, agent).find(LIBRARY)).isNull();
        Path other = Files.writeString(folder.resolve("other.jar"), "another build");
        assertThat(WovenCache.of(cache, other).find(OWN)).isNull();
    }

    @Test
    void packages_takeInLibraries_andLeaveOutTheRest() throws IOException {
        String packages = "--packages=dev.understudy.agent.weave.Sums";
        assertThat(run("weave", "--cache=" + cache, packages, app.toString())).isTrue();

        assertThat(WovenCache.of(cache, agent).find(LIBRARY)).isNotNull();
        assertThat(WovenCache.of(cache, agent).find(OWN)).isNull();
    }

    @Test
    void aFolder_isAddedToWhatIsThere() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes/x"));
        Files.write(classes.resolve("Sums.class"), LIBRARY);
        assertThat(run("weave", "--cache=" + cache, app.toString())).isTrue();
        assertThat(run("weave", "--cache=" + cache, folder.resolve("classes").toString()))
                .isTrue();

        assertThat(WovenCache.of(cache, agent).find(LIBRARY)).isNotNull();
        assertThat(WovenCache.of(cache, agent).find(OWN)).isNotNull();
    }

    @Test
    void whatCannotBeDone_isSaid() throws IOException {
        assertThat(run("weave", app.toString())).isFalse();
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("Usage: understudy weave --cache=DIR");
        assertThat(run("weave", "--cache=" + cache, "--pakages=x", app.toString()))
                .isFalse();
        assertThat(run("weave", "--cache=" + cache, "no/such.jar")).isFalse();
        assertThat(run("weave", "--cache=" + cache, agent.toString())).isFalse();
        assertThat(run("weave", "--cache=" + cache, "--packages=no.such", app.toString()))
                .isFalse();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("--pakages=x: unknown", "NoSuchFile", "not a jar", "there are no such classes");
        assertThat(run("weave", "--help")).isTrue();
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("Usage: understudy weave --cache=DIR");
    }

    private boolean run(String... arguments) {
        return WeaveCommand.run(
                agent,
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private static void zip(OutputStream out, Object... namesAndBytes) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        for (int n = 0; n < namesAndBytes.length; n += 2) {
            zip.putNextEntry(new ZipEntry((String) namesAndBytes[n]));
            zip.write((byte[]) namesAndBytes[n + 1]);
        }
        zip.finish();
    }
}
