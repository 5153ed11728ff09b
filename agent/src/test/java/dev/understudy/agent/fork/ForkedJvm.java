package dev.understudy.agent.fork;

import com.google.common.base.Preconditions;
import com.google.common.util.concurrent.internal.InternalFutureFailureAccess;
import com.sun.tools.attach.VirtualMachine;
import groovy.lang.GroovyShell;
import io.grpc.Metadata;
import io.grpc.internal.GrpcUtil;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.util.MutableHandlerRegistry;
import io.netty.util.concurrent.EventExecutor;
import io.perfmark.PerfMark;
import io.smallrye.common.constraint.Assert;
import io.smallrye.common.cpu.ProcessorInfo;
import jakarta.annotation.Resource;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kotlin.Unit;
import kotlinx.coroutines.BuildersKt;
import org.apache.catalina.startup.Tomcat;
import org.jboss.logging.Logger;
import org.jboss.threads.EnhancedQueueExecutor;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.launch.Framework;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import scala.Function1;

/** An application in a JVM of its own with the agent's jar, and what it printed. */
final class ForkedJvm implements AutoCloseable {
    /** It lives for seconds: one compiler does, as does the plainest collector, and it reports soon. */
    private static final List<String> QUICK = List.of(
            "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Ddev.understudy.agent.reportMillis=100");
    /** Among the options, for those that do something with each report. */
    static final String REPORTS_EACH_SECOND = "-Ddev.understudy.agent.reportMillis=1000";
    /** The same for those that look at what the second compiler does. */
    static final String BOTH_COMPILERS = "-XX:TieredStopAtLevel=4";
    /** What the JVM says itself goes to stderr, where it doesn't break the application's lines. */
    static final String APART = "-XX:+DisplayVMOutputToStderr";

    private final Process process;
    private final Path folder;
    private final Path stderr;
    private final List<String> stdout = new ArrayList<>();
    private int port;

    private ForkedJvm(Process process, Path folder, Path stderr) {
        this.process = process;
        this.folder = folder;
        this.stderr = stderr;
    }

    /** Starts {@code main}, without the agent if it has no arguments, and waits for its line {@code port N}. */
    static ForkedJvm start(Path java, @Nullable String agentArguments, List<String> options, List<String> main)
            throws IOException {
        return start(java, agentArguments, options, classPath(), main);
    }

    /** The same with all libraries that tests have, but those that log, and the agent's own classes. */
    static ForkedJvm startWithEverything(Path java, String agentArguments, List<String> main) throws IOException {
        return startWithEverything(java, agentArguments, List.of(), main);
    }

    /** The same, without the agent if it has no arguments. */
    static ForkedJvm startWithEverything(
            Path java, @Nullable String agentArguments, List<String> options, List<String> main) throws IOException {
        return start(java, agentArguments, options, everything(), main);
    }

    /** The same with what Netty needs for io_uring, which Reactor's servers choose then. */
    static ForkedJvm startWithIoUring(Path java, String agentArguments, List<String> options, List<String> main)
            throws IOException {
        Path nativeCode = NativeTransports.jar("netty-transport-native-io_uring-linux-x86_64");
        return start(java, agentArguments, options, everything() + File.pathSeparator + nativeCode, main);
    }

    private static String everything() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains("log4j") && !entry.contains("logback"))
                .filter(entry -> !Path.of(entry).endsWith("classes") && !entry.contains("agent-"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static ForkedJvm start(
            Path java, @Nullable String agentArguments, List<String> options, String classPath, List<String> main)
            throws IOException {
        Path folder = Files.createTempDirectory("understudy-agent");
        Path stderr = folder.resolve("stderr");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Djava.io.tmpdir=" + folder));
        command.addAll(QUICK);
        if (agentArguments != null) {
            command.add("-javaagent:" + agentJar() + agentArguments);
        }
        command.addAll(options);
        command.addAll(List.of("-cp", classPath));
        command.addAll(main);
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(stderr.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("UNDERSTUDY_") || name.startsWith("JAVA_"));
        ForkedJvm jvm = new ForkedJvm(builder.start(), folder, stderr);
        jvm.awaitPort();
        return jvm;
    }

    /** The one that runs this. */
    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** Those of {@link #javas} that have virtual threads; all, which do without, if none has. */
    static Stream<Path> virtualJavas() throws IOException {
        Path own = java().toRealPath();
        List<Path> all = javas().toList();
        List<Path> some = all.stream()
                .filter(java -> !java.equals(own) || Runtime.version().feature() >= 21)
                .toList();
        return (some.isEmpty() ? all : some).stream();
    }

    /** The JVMs to try: this one, and a JDK 25 from -Dunderstudy.jdk25, JAVA_HOME_25 or the usual place. */
    static Stream<Path> javas() throws IOException {
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        String named = System.getProperty("understudy.jdk25", "");
        String environment = System.getenv().getOrDefault("JAVA_HOME_25", "");
        if (!named.isBlank() || !environment.isBlank()) {
            homes.add(Path.of(named.isBlank() ? environment : named));
        } else if (Files.isDirectory(Path.of("/usr/lib/jvm"))) {
            try (Stream<Path> found = Files.list(Path.of("/usr/lib/jvm"))) {
                found.filter(home -> home.getFileName().toString().contains("25"))
                        .findFirst()
                        .ifPresent(homes::add);
            }
        }
        if (homes.size() == 1) {
            System.out.println("Skipped on JDK 25: none found (set -Dunderstudy.jdk25 or JAVA_HOME_25)");
        }
        List<Path> commands = new ArrayList<>();
        for (Path home : homes) {
            Path java = home.resolve("bin/java");
            if (Files.isExecutable(java)) {
                commands.add(java.toRealPath()); // this one may be the JDK 25
            }
        }
        return commands.stream().distinct();
    }

    /** What it answers. */
    String get(String path, String traceparent) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Patience.LONG);
        if (!traceparent.isEmpty()) {
            request.header("traceparent", traceparent);
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** A connection to the port that it printed. */
    Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /** Loads the agent into the running JVM. */
    void attach(String agentArguments) throws Exception {
        VirtualMachine jvm = VirtualMachine.attach(Long.toString(process.pid()));
        try {
            jvm.loadAgent(agentJar(), agentArguments);
        } finally {
            jvm.detach();
        }
    }

    /** Ends it in the orderly way, in which its hooks run. */
    void stop() {
        process.destroy();
        process.onExit()
                .orTimeout(Patience.LONG.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    int port() {
        return port;
    }

    long pid() {
        return process.pid();
    }

    List<String> stdout() {
        return stdout;
    }

    String stderr() throws IOException {
        return Files.readString(stderr);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        List<Path> files;
        try (Stream<Path> found = Files.walk(folder)) {
            files = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }

    private void awaitPort() throws IOException {
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            stdout.add(line);
            if (line.startsWith("port ")) {
                port = Integer.parseInt(line.substring(5));
                return;
            }
        }
        throw new IOException("the JVM ended before its port was known:\n" + stderr());
    }

    static String agentJar() {
        String jar = System.getProperty("understudy.agent.jar");
        if (jar == null || !Files.exists(Path.of(jar))) {
            throw new IllegalStateException(
                    "understudy.agent.jar: " + jar + " (expected: the jar that package builds)");
        }
        return jar;
    }

    private static String classPath() {
        return Stream.of(
                        ForkedJvm.class,
                        Tomcat.class,
                        Resource.class,
                        Mono.class,
                        Publisher.class,
                        EventExecutor.class,
                        GroovyShell.class,
                        Unit.class,
                        BuildersKt.class,
                        Function1.class,
                        Framework.class,
                        Metadata.class,
                        GrpcUtil.class,
                        ServerCalls.class,
                        NettyServerBuilder.class,
                        MutableHandlerRegistry.class,
                        EnhancedQueueExecutor.class,
                        Logger.class,
                        Assert.class,
                        ProcessorInfo.class,
                        PerfMark.class,
                        Preconditions.class,
                        InternalFutureFailureAccess.class)
                .map(member -> member.getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
