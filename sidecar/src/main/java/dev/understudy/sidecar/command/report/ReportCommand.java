package dev.understudy.sidecar.command.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrivateFile;
import dev.understudy.sidecar.report.FailRule;
import dev.understudy.sidecar.report.HtmlReport;
import dev.understudy.sidecar.report.JunitReport;
import dev.understudy.sidecar.report.Report;
import dev.understudy.sidecar.report.Session;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy report}: what came of a running sidecar's session up to now, as a page, JSON or JUnit's XML. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Summarises the session so far: how the debug JVM's replies compare, first causes of "
                    + "differences, and both JVMs' response times.",
            "",
            "Prints a sentence for each debug JVM, and writes the requested files. Credentials are " + "masked.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no --fail-on rule holds",
            "1:at least one does",
            "2:the sidecar can't be reached, or a file couldn't be written"
        })
public final class ReportCommand implements Callable<Integer> {
    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(names = "--html", paramLabel = "FILE", description = "Writes a page that needs nothing else.")
    private @Nullable Path html;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes everything as JSON.")
    private @Nullable Path json;

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Writes JUnit's XML: the rules, and a test for each route.")
    private @Nullable Path junit;

    @Option(names = "--debug", paramLabel = "NAME", description = "Only that debug JVM.")
    private @Nullable String debug;

    @Option(
            names = "--fail-on",
            split = ",",
            defaultValue = "different,nothing",
            paramLabel = "RULE",
            converter = FailRuleConverter.class,
            description = {
                "What makes it exit with 1, several with commas (default: ${DEFAULT-VALUE}):",
                "different, not-compared: more than none, or with >N or >N%% more than that;",
                "lost: input was lost; calls: upstream calls differ; nothing: nothing was compared;",
                "p50>N%%, p99>N%%: a route's median or 99th percentile is that much slower, at p<0.01."
            })
    private List<FailRule> failOn = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            Session session = Session.read(control.client(spec).get("/v1/report"));
            Report report = Report.of(session, debug);
            List<String> failures = failOn.stream()
                    .map(rule -> rule.failure(report))
                    .filter(Objects::nonNull)
                    .map(String::valueOf)
                    .toList();
            write(html, HtmlReport.of(report, failures));
            write(
                    json,
                    new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(report.document(failures)));
            write(junit, JunitReport.of(report, failOn));
            report.sentences().forEach(out::println);
            failures.forEach(failure -> out.println("failed: " + failure));
            out.flush();
            return failures.isEmpty() ? Exit.FINE : Exit.ATTENTION;
        } catch (IOException | IllegalArgumentException failed) {
            spec.commandLine().getErr().println("understudy report: " + failed.getMessage());
            return Exit.WRONG;
        }
    }

    private static void write(@Nullable Path file, String text) throws IOException {
        if (file != null) {
            PrivateFile.write(file, text);
        }
    }
}
