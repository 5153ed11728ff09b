package dev.understudy.relay.split;

import dev.understudy.relay.connect.Address;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A proxy in two processes: this one relays, and its child does the rest. */
public final class SplitProxy implements ProxyRun {
    /** How long the child may take to be ready before this one says that it is, without it. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SplitProgram program;
    private final TapProcess tap;
    private final ChildSupervisor child;
    private volatile boolean stopping;

    private SplitProxy(SplitProgram program, TapProcess tap, ChildSupervisor child) {
        this.program = program;
        this.tap = tap;
        this.child = child;
    }

    /**
     * Opens the listeners, which relay from then on, and starts the child.
     *
     * @param out where the lines of the child go
     * @throws IOException if an address, that of the control port, or the rings can't be had; the message says which
     */
    public static SplitProxy start(SplitProgram program, PrintWriter out) throws IOException {
        for (Map.Entry<String, InetSocketAddress> port : program.ports().entrySet()) {
            requireFree(port.getKey(), port.getValue());
        }
        TapProcess tap = TapProcess.start(program.tap(), program.listeners(), program.loops());
        ChildSupervisor child =
                ChildSupervisor.start(program.childName(), before -> child(program, tap, before), line -> {
                    out.println(line);
                    out.flush();
                });
        return new SplitProxy(program, tap, child);
    }

    /** Before a client is let in that would be cut off again. */
    private static void requireFree(String name, InetSocketAddress port) throws IOException {
        try (ServerSocket door = new ServerSocket()) {
            door.bind(new InetSocketAddress(port.getHostString(), port.getPort()));
        } catch (IOException taken) {
            throw new IOException(name + " " + Address.spell(port) + ": " + taken.getMessage(), taken);
        }
    }

    private static ProcessBuilder child(SplitProgram program, TapProcess tap, String before) {
        List<String> arguments = new ArrayList<>(program.arguments(before));
        arguments.addAll(List.of("--tap", tap.directory().toString()));
        return ChildJvm.process(program, arguments);
    }

    @Override
    public String ready() throws IOException, InterruptedException {
        String said = child.awaitReady(PATIENCE);
        if (stopping && said.isEmpty()) {
            return NOT_READY;
        }
        InetSocketAddress health = tap.healthAddress();
        return program.ready(tap.addresses(), said) + (health == null ? "" : " health=" + Address.spell(health));
    }

    @Override
    public void stopWaiting() {
        stopping = true;
        child.stopWaiting();
    }

    /** The child says them itself. */
    @Override
    public List<String> lastLines() {
        return List.of();
    }

    @Override
    public void close() {
        try {
            tap.drain(program.drain());
            child.close(program.drain());
        } finally {
            tap.close();
        }
    }

    @Override
    public void hurry() {
        tap.hurry();
        child.hurry();
    }
}
