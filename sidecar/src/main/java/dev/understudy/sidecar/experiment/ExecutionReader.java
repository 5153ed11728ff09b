package dev.understudy.sidecar.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.sidecar.experiment.ExecutionTree.CallThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads the execution that an agent sends.
 *
 * <p>A call may lack its end: that of a call around it ends it, too. An end may lack its call, where the call's
 * beginning couldn't be recorded: it is left out.
 */
final class ExecutionReader {
    static final int MOST_THREADS = 64;
    static final int MOST_EVENTS = 60_000;
    static final int MOST_METHODS = 8_192;
    static final int LONGEST_TEXT = 500;
    static final int LONGEST_NAME = 500;

    /** The parameters that a method may have in Java, and its receiver. */
    private static final int MOST_TEXTS = 256;

    private static final Pattern TRACE = Pattern.compile("[0-9a-f]{32}");

    private final List<String> methods = new ArrayList<>();
    private int index;

    private ExecutionReader() {}

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException if it isn't one; the message says where, and what was expected
     */
    static ExecutionTree read(JsonNode root) {
        return new ExecutionReader().execution(root);
    }

    private ExecutionTree execution(JsonNode root) {
        if (!root.isObject()) {
            throw expected("execution", "an object");
        }
        String agent = name("name", root.path("name"));
        String trace = text("trace", root.path("trace"), LONGEST_NAME);
        if (!TRACE.matcher(trace).matches()) {
            throw expected("trace", "32 hexadecimal digits");
        }
        JsonNode left = root.path("left");
        if (!left.isIntegralNumber() || !left.canConvertToLong() || left.longValue() < 0) {
            throw expected("left", "a number of events, from 0 on");
        }
        JsonNode labels = array("methods", root.path("methods"), 0, MOST_METHODS);
        for (int i = 0; i < labels.size(); i++) {
            methods.add(name("methods[" + i + "]", labels.get(i)));
        }
        JsonNode lanes = array("threads", root.path("threads"), 0, MOST_THREADS);
        List<CallThread> threads = new ArrayList<>();
        for (int i = 0; i < lanes.size(); i++) {
            threads.add(thread("threads[" + i + "]", lanes.get(i)));
        }
        return new ExecutionTree(agent, trace, left.longValue(), threads);
    }

    private CallThread thread(String place, JsonNode thread) {
        String name = text(place + ".name", thread.path("name"), LONGEST_NAME);
        JsonNode events = array(place + ".events", thread.path("events"), 0, MOST_EVENTS - index);
        OpenCalls open = new OpenCalls();
        for (int i = 0; i < events.size(); i++, index++) {
            String at = place + ".events[" + i + "]";
            JsonNode event = array(at, events.get(i), 2, 2 + MOST_TEXTS);
            int method = method(at + "[1]", event.get(1));
            List<String> texts = texts(at, event);
            switch (text(at + "[0]", event.get(0), LONGEST_NAME)) {
                case "e" -> open.begin(method, begun(at, method, texts));
                case "r" -> open.end(method, returned(at, texts), index);
                case "t" -> open.end(method, threw(at, texts), index);
                default -> throw expected(at + "[0]", "e, r or t");
            }
        }
        open.endAll(index);
        return new CallThread(name, open.calls, open.roots, index);
    }

    private ExecutionCall begun(String at, int method, List<String> texts) {
        if (texts.isEmpty()) {
            throw expected(at + "[2]", "the receiver's class, or an empty text");
        }
        return new ExecutionCall(methods.get(method), texts.get(0), texts.subList(1, texts.size()), index);
    }

    private static CallOutcome returned(String at, List<String> texts) {
        if (texts.size() > 1) {
            throw expected(at + "[3]", "nothing after what was returned");
        }
        return texts.isEmpty() ? CallOutcome.VOID : CallOutcome.returned(texts.get(0));
    }

    private static CallOutcome threw(String at, List<String> texts) {
        if (texts.size() != 1) {
            throw expected(at, "what was thrown, as one text");
        }
        return CallOutcome.threw(texts.get(0));
    }

    private int method(String place, JsonNode value) {
        if (!value.isIntegralNumber()
                || !value.canConvertToInt()
                || value.intValue() < 0
                || value.intValue() >= methods.size()) {
            throw expected(place, "the index of one of " + methods.size() + " methods");
        }
        return value.intValue();
    }

    private static List<String> texts(String place, JsonNode event) {
        List<String> texts = new ArrayList<>(event.size() - 2);
        for (int i = 2; i < event.size(); i++) {
            texts.add(text(place + "[" + i + "]", event.get(i), LONGEST_TEXT));
        }
        return texts;
    }

    private static String name(String place, JsonNode value) {
        String name = text(place, value, LONGEST_NAME);
        if (name.isEmpty()) {
            throw expected(place, "a name");
        }
        return name;
    }

    private static String text(String place, JsonNode value, int longest) {
        if (!value.isTextual() || value.textValue().length() > longest) {
            throw expected(place, "a text of at most " + longest + " characters");
        }
        return value.textValue();
    }

    private static JsonNode array(String place, JsonNode value, int fewest, int most) {
        if (!value.isArray() || value.size() < fewest || value.size() > most) {
            throw expected(place, "an array of " + fewest + " to " + most + " elements");
        }
        return value;
    }

    private static IllegalArgumentException expected(String place, String what) {
        return new IllegalArgumentException(place + ": (expected: " + what + ")");
    }

    /** The calls of one thread, and which of them haven't ended. */
    private final class OpenCalls {
        private final List<ExecutionCall> calls = new ArrayList<>();
        private final List<ExecutionCall> roots = new ArrayList<>();
        private final Deque<ExecutionCall> open = new ArrayDeque<>();
        private final Deque<Integer> numbers = new ArrayDeque<>();
        private final int[] openByMethod = new int[methods.size()];

        private void begin(int method, ExecutionCall call) {
            ExecutionCall caller = open.peekLast();
            if (caller == null) {
                roots.add(call);
            } else {
                caller.add(call);
            }
            calls.add(call);
            open.addLast(call);
            numbers.addLast(method);
            openByMethod[method]++;
        }

        /** Ends the innermost open call of the method, and those inside of it. */
        private void end(int method, CallOutcome outcome, int at) {
            if (openByMethod[method] == 0) {
                return;
            }
            while (numbers.getLast() != method) {
                endLast(CallOutcome.UNKNOWN, at);
            }
            endLast(outcome, at);
        }

        private void endLast(CallOutcome outcome, int at) {
            open.removeLast().end(outcome, at);
            openByMethod[numbers.removeLast()]--;
        }

        private void endAll(int at) {
            while (!open.isEmpty()) {
                endLast(CallOutcome.UNKNOWN, at);
            }
        }
    }
}
