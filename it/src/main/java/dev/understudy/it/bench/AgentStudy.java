package dev.understudy.it.bench;

import dev.understudy.it.bench.agent.Looking;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the agent costs the debug JVM. */
@Command(
        name = "agent",
        mixinStandardHelpOptions = true,
        description = "What the agent costs the debug JVM, beside OpenTelemetry's, BTrace, Byteman "
                + "and Kieker, which it fetches from" + " Maven Central.")
final class AgentStudy implements Callable<Integer> {
    private static final List<String> PARTS = List.of("steady", "start", "call", "inside", "threads", "rearm");

    @Mixin
    private Stage stage = new Stage();

    @Parameters(paramLabel = "PART", description = "steady, start, call, inside, threads, rearm (default: all).")
    private List<String> parts = List.of();

    @Option(names = "--quick", description = "Fewer rounds: some thirteen minutes instead of more than an hour.")
    private boolean quick;

    @Option(
            names = "--beside",
            paramLabel = "JAR",
            description = "Another build of the agent, measured in the same rounds.")
    private @Nullable Path beside;

    @Option(names = "--seed", defaultValue = "1", description = "Of the order within the rounds (default: 1).")
    private long seed = 1;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try {
            Looking looking = Looking.at(stage.root(), folder, stage.agent(), beside, quick, seed);
            for (String part : parts.isEmpty() ? PARTS : parts) {
                Stage.progress("agent: " + part);
                switch (part) {
                    case "steady" -> stage.put("Whole workloads", looking.steadyState());
                    case "start" -> stage.put("Start-up", looking.startUp());
                    case "call" -> stage.put("One call", looking.perCall());
                    case "inside" -> stage.put("Inside a method", looking.inside());
                    case "threads" -> stage.put("Several threads", looking.threads());
                    case "rearm" -> stage.put("Arming many probes", looking.rearming());
                    default -> {
                        System.err.println(part + ": no such part (expected: one of " + PARTS + ")");
                        return 2;
                    }
                }
            }
            return looking.missed() ? 1 : 0;
        } finally {
            Stage.remove(folder);
        }
    }
}
