package dev.understudy.mcp.tool;

import dev.understudy.mcp.port.ControlPorts;
import java.io.IOException;

/** What a tool does. Runs on one of several threads, and is interrupted when its time is over. */
@FunctionalInterface
public interface ToolAction {
    /**
     * Does it.
     *
     * @throws IOException if a control port doesn't answer, or refuses; the message says why
     * @throws ToolInputException if arguments don't fit together, or to what is there
     */
    ToolAnswer run(ToolArguments arguments, ControlPorts ports)
            throws IOException, InterruptedException, ToolInputException;
}
