package dev.understudy.session.program;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Notices a program that is there and doesn't answer any more, such as a stopped one: production's connections through
 * it would wait for ever. Keeps the programs' logs bounded, too. For any thread.
 */
public final class ProgramWatch implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    /** On a busy machine a reply may be late; as many of them in a row aren't. */
    private static final int MOST_MISSED = 5;
    /** A program that is stopped doesn't go on by itself; a debugger stops it for less. */
    private static final int MOST_STOPPED = 2;

    private final List<WatchedProgram> programs = new CopyOnWriteArrayList<>();
    private final Consumer<String> onHung;
    private final Thread thread;

    /** @param onHung gets a sentence, once for each program that doesn't answer, before that is killed */
    public ProgramWatch(Consumer<String> onHung) {
        this.onHung = onHung;
        this.thread = new Thread(this::watch, "understudy-programs");
        thread.setDaemon(true);
    }

    /** Begins to watch; what is added later is watched, too. */
    public ProgramWatch start() {
        thread.start();
        return this;
    }

    /**
     * Watches a program.
     *
     * @param health where it answers as long as it relays
     */
    public void add(SupportProgram program, InetSocketAddress health) {
        programs.add(new WatchedProgram(program, URI.create("http://" + AddressText.of(health) + "/healthz")));
    }

    private void watch() {
        try {
            while (true) {
                for (WatchedProgram each : programs) {
                    each.program.boundLog();
                    look(each);
                }
                Thread.sleep(PAUSE.toMillis());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(WatchedProgram each) {
        if (!each.program.isAlive()) {
            return; // who ended it is looked at elsewhere
        }
        each.stopped = each.program.isStopped() ? each.stopped + 1 : 0;
        each.missed = each.stopped > 0 || isAnswering(each.health) ? 0 : each.missed + 1;
        if (each.stopped >= MOST_STOPPED || each.missed >= MOST_MISSED) {
            programs.remove(each);
            String why = each.stopped > 0 ? "is stopped" : "doesn't answer any more";
            onHung.accept("the " + each.program.name() + " " + why + "; it is killed, since production's connections"
                    + " would wait in it for ever");
            each.program.kill();
        }
    }

    private static boolean isAnswering(URI health) {
        try {
            HttpURLConnection call = (HttpURLConnection) health.toURL().openConnection(Proxy.NO_PROXY);
            call.setConnectTimeout((int) PATIENCE.toMillis());
            call.setReadTimeout((int) PATIENCE.toMillis());
            try {
                return call.getResponseCode() > 0;
            } finally {
                call.disconnect();
            }
        } catch (IOException missed) {
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    /** A program with what was seen of it; confined to the watch's thread. */
    private static final class WatchedProgram {
        private final SupportProgram program;
        private final URI health;
        private int stopped;
        private int missed;

        private WatchedProgram(SupportProgram program, URI health) {
            this.program = program;
            this.health = health;
        }
    }
}
