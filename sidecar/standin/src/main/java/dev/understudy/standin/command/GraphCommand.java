package dev.understudy.standin.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrivateFile;
import dev.understudy.standin.graph.GraphBuilder;
import dev.understudy.standin.graph.ServiceGraph;
import dev.understudy.standin.print.GraphJson;
import dev.understudy.standin.print.GraphPicture;
import dev.understudy.standin.print.GraphText;
import dev.understudy.standin.trace.JaegerServer;
import dev.understudy.standin.trace.TraceFile;
import dev.understudy.standin.trace.TraceStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy graph}: says which services call which, by their traces. */
@Command(
        name = "graph",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = {
            "Shows which services call which, how often, in what order and how many at once, from traces.",
            "",
            "Traces are files of OTLP/JSON, what Jaeger's HTTP API answers, or that API itself.",
            ""
        })
public final class GraphCommand implements Callable<Integer> {
    @Parameters(
            arity = "1..*",
            paramLabel = "SOURCE",
            description = "A file of OTLP/JSON, whole or a line for each object; a file of what Jaeger's HTTP API "
                    + "answers; or the address of a Jaeger, such as http://localhost:16686.")
    private List<String> sources = new ArrayList<>();

    @Option(names = "--svg", paramLabel = "FILE", description = "Also draws the graph as SVG.")
    private @Nullable Path svg;

    @Option(names = "--json", paramLabel = "FILE", description = "Also writes the graph as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--least",
            defaultValue = "1",
            paramLabel = "N",
            description = "How many requests a route needs to be shown (default: ${DEFAULT-VALUE}).")
    private int least = 1;

    @Option(
            names = "--service",
            paramLabel = "NAME",
            description = "The service whose traces a Jaeger is asked for (default: each that it knows).")
    private @Nullable String service;

    @Option(
            names = "--limit",
            defaultValue = "100",
            paramLabel = "N",
            description = "How many traces of each service a Jaeger is asked for (default: ${DEFAULT-VALUE}).")
    private int limit = 100;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        check("--least", least);
        check("--limit", limit);
        if (service != null && sources.stream().noneMatch(GraphCommand::isAddress)) {
            throw wrong("--service " + service + ": no Jaeger is asked (expected: an address such as "
                    + "http://localhost:16686)");
        }
        try {
            TraceStore store = new TraceStore();
            for (String source : sources) {
                read(source, store);
            }
            show(GraphBuilder.of(store, least));
            return Exit.FINE;
        } catch (IOException | InvalidPathException notToBeHad) {
            err.println("understudy graph: " + notToBeHad.getMessage());
            err.flush();
            return Exit.WRONG;
        }
    }

    private void read(String source, TraceStore store) throws IOException {
        if (isAddress(source)) {
            new JaegerServer(source).read(service, limit, store);
        } else {
            TraceFile.read(Path.of(source), store);
        }
    }

    private void show(ServiceGraph graph) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        GraphText.print(graph, out);
        out.flush();
        if (json != null) {
            String text = new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(GraphJson.of(graph));
            PrivateFile.write(json, text + "\n");
        }
        if (svg != null) {
            PrivateFile.write(svg, GraphPicture.svg(graph));
        }
    }

    private static boolean isAddress(String source) {
        return source.startsWith("http://") || source.startsWith("https://");
    }

    private void check(String option, int value) {
        if (value < 1) {
            throw wrong(option + ": " + value + " (expected: > 0)");
        }
    }

    private ParameterException wrong(String what) {
        return new ParameterException(spec.commandLine(), what);
    }
}
