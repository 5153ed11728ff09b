package dev.understudy.sidecar.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Writes executions as an agent does, from lines such as {@code e|Cart#total|Cart|3} and {@code r|Cart#total|12}. */
final class ExecutionScript {
    private final List<String> methods = new ArrayList<>();
    private final ObjectNode root = new ObjectMapper().createObjectNode();
    private final ArrayNode threads;

    /** Methods have these numbers, from 0 on; others follow. */
    ExecutionScript(String... first) {
        methods.addAll(List.of(first));
        root.put("name", "agent-1");
        root.put("trace", "0123456789abcdef".repeat(2));
        root.put("left", 0);
        threads = root.putArray("threads");
    }

    /** What one thread did. */
    static ExecutionTree execution(String... lines) {
        return new ExecutionScript().thread(lines).tree();
    }

    ExecutionScript thread(String... lines) {
        ArrayNode events =
                threads.addObject().put("name", "http-" + threads.size()).putArray("events");
        for (String line : lines) {
            String[] parts = line.split("\\|", -1);
            if (!methods.contains(parts[1])) {
                methods.add(parts[1]);
            }
            ArrayNode event = events.addArray().add(parts[0]).add(methods.indexOf(parts[1]));
            for (int i = 2; i < parts.length; i++) {
                event.add(parts[i]);
            }
        }
        return this;
    }

    ExecutionScript left(long left) {
        root.put("left", left);
        return this;
    }

    ObjectNode json() {
        ArrayNode labels = root.putArray("methods");
        methods.forEach(labels::add);
        return root;
    }

    ExecutionTree tree() {
        return ExecutionReader.read(json());
    }
}
