package dev.understudy.mcp.steer;

import dev.understudy.mcp.tool.ToolDefinition;
import java.util.ArrayList;
import java.util.List;

/** The list of tools that steer what agents observe, and what counts as failing. */
public final class SteerTools {
    private SteerTools() {}

    /** All of them. */
    public static List<ToolDefinition> definitions() {
        List<ToolDefinition> all = new ArrayList<>();
        all.add(ProbesTool.definition());
        all.add(ReplayTool.definition());
        all.add(CompareTool.definition());
        all.addAll(PointTools.definitions());
        all.addAll(HitTools.definitions());
        all.addAll(LabelTools.definitions());
        return List.copyOf(all);
    }
}
