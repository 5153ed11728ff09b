package dev.understudy.relay.split;

import java.io.IOException;
import java.util.List;

/** A sidecar or an aggregator that serves, in one process or in two. */
public interface ProxyRun extends AutoCloseable {
    /** Stands for an address that nobody knows yet. */
    String NOT_READY = "not-ready-yet";

    /**
     * Where it serves, as its first line says it, as soon as all of it does.
     *
     * @return {@link #NOT_READY} if it was told to stop meanwhile
     * @throws IOException if a port can't be had
     */
    String ready() throws IOException, InterruptedException;

    /** What it says at its end; empty if that was said already. */
    List<String> lastLines();

    /** Closes with the configured patience. */
    @Override
    void close();

    /** Has {@link #ready} wait no longer; for any thread. */
    default void stopWaiting() {}

    /** Ends the patience of a {@link #close} that is going on. */
    void hurry();
}
