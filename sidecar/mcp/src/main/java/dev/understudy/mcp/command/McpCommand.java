package dev.understudy.mcp.command;

import dev.understudy.mcp.carrier.HttpCarrier;
import dev.understudy.mcp.carrier.HttpCarrierLimits;
import dev.understudy.mcp.carrier.MessageDispatcher;
import dev.understudy.mcp.carrier.StdioCarrier;
import dev.understudy.mcp.guide.UnderstudyServer;
import dev.understudy.mcp.look.LookTools;
import dev.understudy.mcp.patch.PatchTools;
import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.steer.SteerTools;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.mcp.tool.ToolRunner;
import dev.understudy.relay.control.StopSignal;
import dev.understudy.relay.control.access.AccessConfig;
import dev.understudy.relay.control.access.AccessTokens;
import dev.understudy.relay.control.access.GeneratedTokens;
import dev.understudy.sidecar.command.control.AggregatorOptions;
import dev.understudy.sidecar.command.control.ControlOptions;
import dev.understudy.sidecar.command.control.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy mcp}: tools for programs, by standard input and output, or by HTTP. */
@Command(
        name = "mcp",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Offers a running sidecar to a program that speaks the Model Context Protocol, such as a coding agent: "
                    + "it looks at exchanges and suspects, sets log points, and verifies patches.",
            "",
            "Without --listen it speaks by standard input and output, until the input ends. It acts with the role of "
                    + "the token that this command uses. Log lines go to standard error.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the client has ended, or stopped on request", "2:wrong options, or the port is taken"})
public final class McpCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(55);

    @Mixin
    private ControlOptions control = new ControlOptions();

    @Option(
            names = "--aggregator-url",
            paramLabel = "URL",
            defaultValue = "${env:UNDERSTUDY_AGGREGATOR_URL:-http://127.0.0.1:9091}",
            description = "The aggregator's control port, for upstreams. Without it UNDERSTUDY_AGGREGATOR_URL, and "
                    + "without that http://127.0.0.1:9091. Its token is UNDERSTUDY_AGGREGATOR_TOKEN, else the "
                    + "generated one of the same user.")
    private String aggregatorUrl = "";

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = ListenAddress.class,
            description = "Serves streamable HTTP at /mcp instead, without TLS. Clients need a token: "
                    + "UNDERSTUDY_MCP_TOKEN, without which one is generated into a file of this user. A port alone "
                    + "means loopback; other addresses need UNDERSTUDY_MCP_TOKEN.")
    private @Nullable InetSocketAddress listen;

    @Option(
            names = "--allow-patch",
            paramLabel = "FOLDER",
            arity = "0..1",
            fallbackValue = ".",
            description = "Adds tools that apply and take back patches from below this folder (default: the current "
                    + "one). They need the role admin, too.")
    private @Nullable Path patches;

    @Option(
            names = "--sources",
            paramLabel = "PATH",
            description = "The tool source looks into this folder, such as src/main/java, or jar of sources, before it "
                    + "asks the sidecar for its own. May be given several times.")
    private List<Path> sources = List.of();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws InterruptedException {
        InputStream in = System.in;
        PrintStream out = System.out;
        // nothing but messages may appear there, whichever library prints
        System.setOut(System.err);
        try {
            return serve(in, out);
        } catch (IOException wrong) {
            spec.commandLine().getErr().println("understudy mcp: " + wrong.getMessage());
            return Exit.WRONG;
        }
    }

    private int serve(InputStream in, PrintStream out) throws IOException, InterruptedException {
        checkPaths();
        String token = System.getenv().getOrDefault("UNDERSTUDY_AGGREGATOR_TOKEN", "");
        ControlPorts ports = new ControlPorts(
                () -> control.client(spec), () -> AggregatorOptions.client(spec, aggregatorUrl, token));
        // options that are no address are refused now
        ports.sidecar();
        ports.aggregator();
        MessageDispatcher dispatcher = new MessageDispatcher();
        try (ToolRunner runner = new ToolRunner(ports, PATIENCE)) {
            UnderstudyServer.open(dispatcher, runner, tools(sources, patches), version());
            if (listen == null) {
                new StdioCarrier(dispatcher, in, out).run();
            } else {
                serveHttp(listen, dispatcher);
            }
        }
        return Exit.FINE;
    }

    /**
     * All tools that a start with these options has.
     *
     * @param sources folders with source files
     * @param patches below which patches may come from; null if they aren't allowed
     */
    public static List<ToolDefinition> tools(List<Path> sources, @Nullable Path patches) {
        return Stream.of(LookTools.definitions(sources), SteerTools.definitions(), PatchTools.definitions(patches))
                .flatMap(List::stream)
                .toList();
    }

    private void serveHttp(InetSocketAddress address, MessageDispatcher dispatcher)
            throws IOException, InterruptedException {
        String secret = System.getenv().getOrDefault("UNDERSTUDY_MCP_TOKEN", "");
        if (secret.isEmpty() && !address.getAddress().isLoopbackAddress()) {
            throw new IOException("--listen: " + address + " can be reached from elsewhere (expected: "
                    + "UNDERSTUDY_MCP_TOKEN with a token for its clients, or an address such as 127.0.0.1:8808)");
        }
        CountDownLatch stopped = new CountDownLatch(1);
        StopSignal signals = StopSignal.on(stopped::countDown, stopped::countDown);
        try (signals;
                GeneratedTokens generated = new GeneratedTokens();
                HttpCarrier carrier = HttpCarrier.open(
                        address,
                        new AccessTokens(
                                secret.isEmpty()
                                        ? generated.tokens()
                                        : AccessConfig.of(secret).tokens()),
                        HttpCarrierLimits.defaults(),
                        dispatcher)) {
            if (secret.isEmpty()) {
                generated.publish(carrier.address().getPort());
            }
            spec.commandLine()
                    .getErr()
                    .println("ready: http://" + carrier.address().getHostString() + ":"
                            + carrier.address().getPort() + HttpCarrier.PATH);
            spec.commandLine().getErr().flush();
            stopped.await();
        }
    }

    private void checkPaths() {
        Stream.concat(sources.stream(), Stream.ofNullable(patches)).forEach(path -> {
            boolean mayBeJar = !path.equals(patches);
            if (!Files.isDirectory(path) && !(mayBeJar && Files.isRegularFile(path))) {
                throw new ParameterException(
                        spec.commandLine(), path + ": no such folder" + (mayBeJar ? " or jar" : ""));
            }
        });
    }

    private static String version() {
        String version = McpCommand.class.getPackage().getImplementationVersion();
        return version == null ? "unpacked" : version;
    }
}
