package dev.understudy.it.bench;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The list of studies that can be run; without a name it is the one beside other proxies. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "STUDY",
        description = "Measures the sidecar and the aggregator on this machine.",
        footer = {"", "Needs Linux and real programs; run it on a quiet machine."},
        subcommands = {
            ProxyStudy.class,
            CopyStudy.class,
            CloneStudy.class,
            FootprintStudy.class,
            SpillStudy.class,
            StallStudy.class,
            TapStudy.class,
            ThesisStudy.class,
            LinkStudy.class,
            FidelityStudy.class,
            HotRowStudy.class,
            JournalStudy.class,
            StoreStudy.class,
            StandInStudy.class,
            DivergenceStudy.class,
            AggregatorStudy.class,
            AgentStudy.class,
            ControlStudy.class,
            LocalisationStudy.class
        })
public final class Bench implements Runnable {
    private static final List<String> ABOUT_ALL = List.of("-h", "--help", "-V", "--version");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private Bench() {}

    /** Runs a study and ends the process with its exit code. */
    public static void main(String[] args) {
        boolean named = args.length > 0 && (!args[0].startsWith("-") || ABOUT_ALL.contains(args[0]));
        String[] all = named
                ? args
                : Stream.concat(Stream.of("proxies"), Arrays.stream(args)).toArray(String[]::new);
        System.exit(new CommandLine(new Bench()).execute(all));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing study");
    }
}
