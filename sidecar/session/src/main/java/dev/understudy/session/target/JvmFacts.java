package dev.understudy.session.target;

import java.nio.file.Path;
import java.util.List;

/**
 * What shows of a JVM without attaching to it.
 *
 * @param home its {@code java.home}, as the target sees it
 * @param version by its {@code release} file, such as 17.0.15; "unknown" without one
 * @param collector G1, Parallel, Serial, ZGC, Shenandoah or Epsilon; "unknown" if nothing shows it
 * @param flags its -X and -XX options, from the command line and the environment, in their order
 * @param heapLimit the option that limits its heap, such as -Xmx512m; "" without one
 * @param isAttachable whether an agent can be loaded into it, or into a live copy
 * @param agents agents that it was started with, such as jdwp or a path, without their options
 */
public record JvmFacts(
        Path home,
        String version,
        String collector,
        List<String> flags,
        String heapLimit,
        boolean isAttachable,
        List<String> agents) {
    public JvmFacts {
        flags = List.copyOf(flags);
        agents = List.copyOf(agents);
    }

    /** Whether a debugger can connect, or has. */
    public boolean hasDebugger() {
        return agents.contains("jdwp");
    }
}
