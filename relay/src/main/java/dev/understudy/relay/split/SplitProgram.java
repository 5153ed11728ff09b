package dev.understudy.relay.split;

import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.loop.EventLoops;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** In what the programs differ that run in two processes. */
public interface SplitProgram {
    /** What the child is called in messages, such as "lane process". */
    String childName();

    /** How what is relayed gets to the child. */
    TapConfig tap();

    /** How long connections may go on at the end. */
    Duration drain();

    /** What the tap process opens, in the order in which the child numbers them. */
    List<TapListener> listeners();

    /**
     * The loops of the tap process, made anew.
     *
     * @throws IOException if the transport isn't there
     */
    EventLoops loops() throws IOException;

    /** Where the child is to listen, by what a message calls it; looked at before a client is let in. */
    Map<String, InetSocketAddress> ports();

    /** The class whose main method the child runs. */
    Class<?> main();

    /** The JVM's option for the collector that suits the child best. */
    String collector();

    /**
     * What the child is given besides where the rings are.
     *
     * @param before what the child before it said when it was ready, so that it gets the same ports; "" for the first
     */
    List<String> arguments(String before);

    /**
     * Where everything is served, for the first line.
     *
     * @param listeners the tap process's addresses
     * @param said by the child when it was ready; "" if it isn't ready yet
     */
    String ready(Map<String, InetSocketAddress> listeners, String said);
}
