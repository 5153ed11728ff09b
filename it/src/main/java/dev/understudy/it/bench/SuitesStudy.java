package dev.understudy.it.bench;

import dev.understudy.it.bench.process.Programs;
import dev.understudy.it.fidelity.Outcome.Mode;
import dev.understudy.it.suites.DriverSuite;
import dev.understudy.it.suites.DriverSuites;
import dev.understudy.it.suites.ExcludedTests;
import dev.understudy.it.suites.SuiteTrial;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What public drivers' own tests say on the debug side, beside what they said in production. */
@Command(
        name = "suites",
        mixinStandardHelpOptions = true,
        description = "Fetches public drivers' test suites, runs each in production and replayed, "
                + "and compares them test by test.")
final class SuitesStudy implements Callable<Integer> {
    private static final String STAND_IN = "redis-stand-in.sh";

    @Mixin
    private Stage stage = new Stage();

    @Parameters(paramLabel = "NAME", description = "Which (default: all); --list names them.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Only name the suites.")
    private boolean list;

    @Option(names = "--mode", paramLabel = "MODE", description = "Only with debug LATER, or AT_ONCE (default: both).")
    private List<Mode> modes = Arrays.asList(Mode.values());

    @Option(
            names = "--cache",
            paramLabel = "FOLDER",
            defaultValue = "${sys:user.home}/.cache/understudy-suites",
            description = "Where fetched suites are kept (default: ${DEFAULT-VALUE}).")
    private Path cache = Path.of("");

    @Option(names = "--keep", description = "Leave the folder with all output and differences, and say where it is.")
    private boolean keep;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try {
            List<DriverSuite> suites = new DriverSuites(standIn(folder)).all();
            if (list) {
                suites.forEach(suite -> System.out.println(suite.name() + ": " + suite.about()));
                return 0;
            }
            for (String name : names) {
                if (suites.stream().noneMatch(suite -> suite.name().equals(name))) {
                    System.err.println(name + ": no such suite (expected: one that --list names)");
                    return 2;
                }
            }
            return study(suites, new SuiteTrial(folder, cache, stage.aggregator(), ExcludedTests.bundled()));
        } finally {
            if (keep) {
                Stage.progress("kept: " + folder);
            } else {
                Stage.remove(folder);
            }
        }
    }

    private int study(List<DriverSuite> suites, SuiteTrial trial) throws Exception {
        SuitesTable table = new SuitesTable();
        for (DriverSuite suite : suites) {
            if (!names.isEmpty() && !names.contains(suite.name())) {
                continue;
            }
            List<String> missing = suite.programs().stream()
                    .filter(program -> Programs.find(program).isEmpty())
                    .toList();
            if (!missing.isEmpty()) {
                Stage.progress(suite.name() + ": not run, without " + String.join(", ", missing));
                continue;
            }
            for (Mode mode : modes) {
                Stage.progress("fidelity suites: " + suite.name() + ", " + mode.words());
                try {
                    table.add(trial.run(suite, mode));
                } catch (IOException failed) {
                    Stage.progress(suite.name() + ": not run: " + failed.getMessage());
                }
            }
        }
        stage.put("Driver suites", table.toString());
        return table.wrong() == 0 ? 0 : 1;
    }

    private static Path standIn(Path folder) throws IOException {
        Path script = folder.resolve(STAND_IN);
        try (InputStream bundled = DriverSuites.class.getResourceAsStream(STAND_IN)) {
            if (bundled == null) {
                throw new IOException(STAND_IN + ": missing");
            }
            Files.write(script, bundled.readAllBytes());
        }
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }
}
