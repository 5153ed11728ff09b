package dev.understudy.mcp.look;

import dev.understudy.mcp.port.ControlPorts;
import dev.understudy.mcp.tool.ToolAnswer;
import dev.understudy.mcp.tool.ToolDefinition;
import dev.understudy.sidecar.source.SourceRoots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The list of tools that only look, and the documents that resources have. */
public final class LookTools {
    private LookTools() {}

    /**
     * All of them.
     *
     * @param sources folders and jars with source files, which are looked at before the sidecar's own
     */
    public static List<ToolDefinition> definitions(List<Path> sources) {
        List<ToolDefinition> all = new ArrayList<>();
        all.add(StatusTool.definition());
        all.addAll(ExchangeTools.definitions());
        all.add(DivergencesTool.definition());
        all.add(SuspectsTool.definition());
        all.add(new SourceTool(new SourceRoots(sources)).definition());
        all.add(MethodsTool.definition());
        all.add(FlameTool.definition());
        all.addAll(UpstreamTools.definitions());
        all.add(ReportTool.definition());
        return List.copyOf(all);
    }

    /** The session's state. */
    public static ToolAnswer status(ControlPorts ports) throws IOException, InterruptedException {
        return StatusTool.read(ports);
    }

    /** The session's figures. */
    public static ToolAnswer measurements(ControlPorts ports) throws IOException, InterruptedException {
        return Measurements.read(ports);
    }

    /** The session's report. */
    public static ToolAnswer report(ControlPorts ports) throws IOException, InterruptedException {
        return ReportTool.read(ports);
    }
}
