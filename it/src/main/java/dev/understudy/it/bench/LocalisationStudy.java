package dev.understudy.it.bench;

import dev.understudy.it.localisation.Bug;
import dev.understudy.it.localisation.Outcome;
import dev.understudy.it.localisation.Proof;
import dev.understudy.it.localisation.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where the method that was fixed stands among the suspects, for the published bugs of {@code examples/bugs}. */
@Command(
        name = "localisation",
        mixinStandardHelpOptions = true,
        description = "Runs published bugs as production and as debug JVM, and ranks the methods of the latter.",
        footer = {"", "Maven gets the buggy versions, so the first run of each needs the network."})
final class LocalisationStudy implements Callable<Integer> {
    private static final int CHECKED = 400;
    private static final int RANKED = 4_000;

    @Mixin
    private Stage stage = new Stage();

    @Parameters(paramLabel = "BUG", description = "Which (default: all); --list names them.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "Only name the bugs.")
    private boolean list;

    @Option(
            names = "--check",
            description = "Only see whether the buggy versions show the symptoms and the fixed ones don't.")
    private boolean check;

    @Option(names = "--requests", description = "Requests of each bug (default: 4000; with --check 400).")
    private @Nullable Integer requests;

    @Option(names = "--seconds", defaultValue = "90", description = "Traffic of each bug at most (default: 90).")
    private int seconds = 90;

    @Option(
            names = "--rate",
            defaultValue = "100",
            description =
                    "Requests a second, of all clients together (default: 100): the debug JVM has the same machine.")
    private int rate = 100;

    @Option(
            names = "--sampling",
            defaultValue = "adaptive",
            description = "adaptive, or one call in so many, off the budget: 1/100 (default: adaptive).")
    private String sampling = "adaptive";

    @Option(
            names = "--experiments",
            description = "Compare a failing request in the end, with good ones and with the nearest part of it that "
                    + "goes well, and rank again.")
    private boolean experiments;

    @Option(
            names = "--keep",
            description = "Leave the folder with the programs' output, and what sidecar and agent "
                    + "told in the end, and say where it is.")
    private boolean keep;

    @Override
    public Integer call() throws Exception {
        List<Bug> bugs = Bug.all(stage.root().resolve(Path.of("examples", "bugs")));
        if (list) {
            bugs.forEach(bug -> System.out.println(bug.id() + ": " + bug.about()));
            return 0;
        }
        if (rate < 1) {
            System.err.println("--rate: " + rate + " (expected: at least 1)");
            return 2;
        }
        for (String name : names) {
            if (bugs.stream().noneMatch(bug -> bug.id().equals(name))) {
                System.err.println(name + ": no such bug (expected: one that --list names)");
                return 2;
            }
        }
        List<Bug> chosen = bugs.stream()
                .filter(bug -> names.isEmpty() || names.contains(bug.id()))
                .toList();
        return check ? check(chosen) : rank(chosen);
    }

    private int check(List<Bug> chosen) throws Exception {
        Path folder = Stage.folder();
        int wrong = 0;
        try {
            for (Bug bug : chosen) {
                Proof proof = Proof.of(bug, target(), folder.resolve(bug.id()), most(CHECKED), rate);
                System.out.println(proof);
                wrong += proof.holds() ? 0 : 1;
            }
        } finally {
            Stage.remove(folder);
        }
        return wrong == 0 ? 0 : 1;
    }

    private int most(int otherwise) {
        return requests == null ? otherwise : requests;
    }

    private Path target() {
        return stage.root().resolve(Path.of("it", "target", "bugs"));
    }

    private int rank(List<Bug> chosen) throws Exception {
        StringBuilder table = new StringBuilder(Outcome.head()).append('\n');
        StringBuilder suspects = new StringBuilder();
        Path folder = Stage.folder();
        int unrun = 0;
        try {
            Trial trial = new Trial(
                    stage.sidecar(), stage.agent(), target(), most(RANKED), seconds, rate, sampling, experiments);
            for (Bug bug : chosen) {
                Stage.progress("localisation: " + bug.id());
                try {
                    Outcome outcome = trial.run(bug, Files.createDirectories(folder.resolve(bug.id())));
                    Stage.progress(outcome.row());
                    table.append(outcome.row()).append('\n');
                    suspects.append(bug.id())
                            .append(":\n")
                            .append(outcome.suspects())
                            .append(outcome.comparison());
                } catch (IOException | ExecutionException problem) {
                    Stage.progress(bug.id() + ": " + problem.getMessage());
                    suspects.append(bug.id()).append(": not run to its end: ").append(firstLine(problem));
                    unrun++;
                }
            }
        } finally {
            if (keep) {
                Stage.progress("kept: " + folder);
            } else {
                Stage.remove(folder);
            }
        }
        stage.put("Published bugs", table + "\n" + suspects);
        return unrun == 0 ? 0 : 1;
    }

    private static String firstLine(Exception problem) {
        return String.valueOf(problem.getMessage()).lines().findFirst().orElse("") + '\n';
    }
}
