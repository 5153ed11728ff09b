package dev.understudy.it.suites;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A Go module with its tests.
 *
 * @param sum as in {@code go.sum}
 * @param packages whose tests are run
 */
record GoModule(String path, String version, String sum, List<String> packages) implements SuiteSource {
    private static final String TREE = "tree";

    /** For all tests of one package. */
    private static final String LIMIT = "-timeout=4m";

    GoModule {
        packages = List.copyOf(packages);
    }

    @Override
    public String pinned() {
        return path + " " + version;
    }

    @Override
    public List<String> programs() {
        return List.of("go");
    }

    @Override
    public void fetch(Path cache) throws IOException, InterruptedException {
        Path answer = cache.resolve("download.json");
        SuiteProcess.succeed(cache, answer, List.of("go", "mod", "download", "-json", path + "@" + version));
        JsonNode module = new ObjectMapper().readTree(answer.toFile());
        if (!module.path("Sum").asText().equals(sum)) {
            throw new IOException(pinned() + ": " + module.path("Sum").asText() + " (expected: " + sum + ")");
        }
        Path tree = cache.resolve(TREE);
        if (!Files.exists(tree)) {
            Path log = cache.resolve("copy");
            SuiteProcess.succeed(
                    cache, log, List.of("cp", "-r", module.path("Dir").asText(), tree.toString()));
            SuiteProcess.succeed(cache, log, List.of("chmod", "-R", "u+w", tree.toString()));
        }
        List<String> build = new ArrayList<>(List.of("go", "test", "-vet=off", "-exec=true"));
        build.addAll(packages);
        SuiteProcess.succeed(tree, cache.resolve("build"), build);
    }

    @Override
    public List<TestResult> run(Path cache, Path side, Map<String, String> environment, List<String> arguments)
            throws IOException, InterruptedException {
        Path output = side.resolve("output.json");
        List<String> command =
                new ArrayList<>(List.of("go", "test", "-json", "-vet=off", "-count=1", "-p=1", "-parallel=1", LIMIT));
        command.addAll(packages);
        command.addAll(arguments);
        SuiteProcess.run(cache.resolve(TREE), output, environment, command);
        return GoTestReader.read(Files.readAllLines(output));
    }
}
