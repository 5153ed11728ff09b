package dev.understudy.sidecar.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One call of a recorded execution, and what it called. Written by {@link ExecutionReader} only.
 *
 * <p>It is no record: their {@code equals} and {@code hashCode} would descend as deep as calls do.
 */
final class ExecutionCall {
    private final String method;
    private final String receiver;
    private final List<String> arguments;
    private final int beginning;
    private final List<ExecutionCall> children = new ArrayList<>();
    private CallOutcome outcome = CallOutcome.UNKNOWN;
    private int end;

    /**
     * Begins.
     *
     * @param receiver its class; empty for a static method
     * @param beginning the index of that event in the execution
     */
    ExecutionCall(String method, String receiver, List<String> arguments, int beginning) {
        this.method = method;
        this.receiver = receiver;
        this.arguments = arguments;
        this.beginning = beginning;
        this.end = beginning;
    }

    void add(ExecutionCall child) {
        children.add(child);
    }

    /** It ended with the event of that index. */
    void end(CallOutcome how, int index) {
        outcome = how;
        end = index;
    }

    String method() {
        return method;
    }

    /** The receiver's class, unless there is none, and the arguments. */
    List<String> inputs() {
        List<String> inputs = new ArrayList<>(arguments.size() + 1);
        if (!receiver.isEmpty()) {
            inputs.add("this: " + receiver);
        }
        inputs.addAll(arguments);
        return Collections.unmodifiableList(inputs);
    }

    boolean hasInputsOf(ExecutionCall other) {
        return receiver.equals(other.receiver) && arguments.equals(other.arguments);
    }

    CallOutcome outcome() {
        return outcome;
    }

    List<ExecutionCall> children() {
        return Collections.unmodifiableList(children);
    }

    int beginning() {
        return beginning;
    }

    /** The index of the event with which it ended: its own end, or that of a call around it. */
    int end() {
        return end;
    }
}
