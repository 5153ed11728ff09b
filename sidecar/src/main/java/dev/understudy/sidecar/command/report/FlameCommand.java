package dev.understudy.sidecar.command.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.command.control.ControlClient;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrivateFile;
import dev.understudy.sidecar.report.flame.Collapsed;
import dev.understudy.sidecar.report.flame.FlamePage;
import dev.understudy.sidecar.report.flame.Profile;
import dev.understudy.sidecar.report.flame.RouteProfile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy flame}: what the debug JVM does while it serves exchanges. */
@Command(
        name = "flame",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Shows where the debug JVM's threads spend their time while they serve exchanges, route "
                    + "by route. The agent samples stacks as often as its budget allows. Waiting counts like "
                    + "working: this is wall time.",
            "",
            "Without --html or --collapsed it prints the methods that were most often on top, since "
                    + "the sidecar's start.",
            "",
            "With --allocation it shows which methods allocate what for which route, in bytes (agent "
                    + "setting allocations). Allocations outside of exchanges are listed separately.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there are stacks, or allocations",
            "1:there are none yet",
            "2:the sidecar can't be reached, or the file couldn't be written"
        })
public final class FlameCommand implements Callable<Integer> {
    private static final int HOTTEST = 5;

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Parameters(arity = "0..1", paramLabel = "LISTENER", description = "Only exchanges of that listener.")
    private String listener = "";

    @Option(
            names = "--route",
            paramLabel = "ROUTE",
            description = "Only that route, as it is printed, e.g. 'GET /orders/{n}'.")
    private String route = "";

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Writes flame graphs to a page that needs nothing else.")
    private @Nullable Path html;

    @Option(
            names = "--collapsed",
            description = "Prints collapsed stacks, which flame graph tools and speedscope read; "
                    + "the figures go to standard error.")
    private boolean collapsed;

    @Option(names = "--allocation", description = "Says what is allocated, in bytes, instead of what is done.")
    private boolean allocation;

    @Option(
            names = "--last",
            paramLabel = "SECONDS",
            description = "Only what was sampled in the last so many seconds, with the times of the exchanges of "
                    + "these that are still kept.")
    private int last;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Profile profile = allocation ? Profile.ofAllocations(ask("/v1/allocations")) : Profile.read(ask("/v1/flame"));
        if (html != null) {
            PrivateFile.write(html, FlamePage.of(profile));
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter figures = collapsed ? spec.commandLine().getErr() : out;
        profile.sampled().forEach(figures::println);
        for (RouteProfile seen : profile.routes()) {
            figures.println(seen.name() + "\n   " + seen.header());
            if (collapsed) {
                Collapsed.lines(seen).forEach(out::println);
            } else {
                hottest(seen).forEach(out::println);
            }
        }
        if (profile.routes().isEmpty()) {
            figures.println(
                    allocation
                            ? "no allocations yet (expected: an agent in the debug JVM with "
                                    + "the setting allocations, and exchanges that are over)"
                            : "no stacks yet (expected: an agent in the debug JVM, and "
                                    + "exchanges that take their time)");
        }
        if (profile.waiting() > 0) {
            figures.println(profile.waiting() + " stacks are of exchanges that aren't over yet");
        }
        out.flush();
        figures.flush();
        return profile.routes().isEmpty() ? Exit.ATTENTION : Exit.FINE;
    }

    private JsonNode ask(String path) throws IOException, InterruptedException {
        return control.client(spec)
                .get(path + "?listener=" + ControlClient.segment(listener) + "&route=" + ControlClient.segment(route)
                        + (last == 0 ? "" : "&last=" + last));
    }

    private static List<String> hottest(RouteProfile seen) {
        double all = Math.max(1, seen.samples() - seen.left());
        return seen.hottest(HOTTEST).stream()
                .map(hot -> String.format(Locale.ROOT, "   %5.1f %%  %s", 100 * hot.self() / all, hot.name()))
                .toList();
    }
}
